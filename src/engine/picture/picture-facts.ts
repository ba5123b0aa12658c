import {
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_DATA_ICC_PROFILE,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorPrimaries,
  type AVColorRange,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame, type Stream } from 'node-av/lib';
import type { PixelSize } from '../../image-header/image-header.ts';
import { iccGamut } from '../color/icc-gamut.ts';
import type { TimeBase } from '../input/source-clock.ts';
import { type Orientation, orientationOf } from './orientation.ts';

/** What a reader's frames are like, as the first of them shows; a stream may change its size later on. */
export interface PictureFacts {
  /** As decoded: before turning, with pixels of any shape. */
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: AVPixelFormat;
  readonly pixelFormatName: string;
  readonly orientation: Orientation;
  /** A pixel's width to its height; 1/1 where nobody says. */
  readonly sampleAspect: { readonly num: number; readonly den: number };
  /** The picture as it is meant to be seen: turned, with square pixels. (R7) */
  readonly upright: PixelSize;
  readonly color: PictureColor;
  readonly interlaced: boolean;
  /** Which field of an interlaced frame comes first. */
  readonly topFieldFirst: boolean;
  /** Whether the pixel format has an alpha channel; it may still be opaque all over. */
  readonly alpha: boolean;
  readonly timeBase: TimeBase;
}

/** How numbers become light. Never unspecified: what the file leaves open is filled in as players do. */
export interface PictureColor {
  readonly matrix: AVColorSpace;
  readonly range: AVColorRange;
  readonly transfer: AVColorTransferCharacteristic;
  readonly primaries: AVColorPrimaries;
}

/** Pixels further from square than this are taken for a fault of the file. */
const MOST_ASPECT = 16;

/** Reads the facts off a decoded frame and the stream it came from. */
export function pictureFacts(stream: Stream, frame: Frame): PictureFacts {
  const pixelFormat = frame.format as AVPixelFormat;
  const pixelFormatName = avGetPixFmtName(pixelFormat) ?? 'unknown';
  const { width, height } = frame;
  const matrix =
    frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const orientation = orientationOf(matrix);
  const sampleAspect = sampleAspectOf(stream, frame);
  const { num, den } = stream.timeBase;
  return {
    width,
    height,
    pixelFormat,
    pixelFormatName,
    orientation,
    sampleAspect,
    upright: uprightSize({ width, height }, sampleAspect, orientation),
    color: colorOf(frame, pixelFormatName),
    interlaced: frame.hasFlags(AV_FRAME_FLAG_INTERLACED),
    topFieldFirst: frame.hasFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST),
    alpha: hasAlphaChannel(pixelFormatName),
    timeBase: { num, den },
  };
}

/** The size a stored picture is seen at. Pixels are stretched, never squeezed, so that no detail is lost. */
export function uprightSize(
  stored: PixelSize,
  aspect: { readonly num: number; readonly den: number },
  { quarterTurns }: Orientation,
): PixelSize {
  const ratio = aspect.num / aspect.den;
  const width = ratio > 1 ? Math.round(stored.width * ratio) : stored.width;
  const height = ratio < 1 ? Math.round(stored.height / ratio) : stored.height;
  return quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** The container's word goes before the codec's, as libavformat recommends. */
function sampleAspectOf(stream: Stream, frame: Frame): { num: number; den: number } {
  for (const { num, den } of [stream.sampleAspectRatio, frame.sampleAspectRatio]) {
    if (num > 0 && den > 0 && num <= den * MOST_ASPECT && den <= num * MOST_ASPECT) return { num, den };
  }
  return { num: 1, den: 1 };
}

/** By name, since node-av does not hand out pixel format descriptors. */
function hasAlphaChannel(name: string): boolean {
  return /^(yuva|rgba|bgra|argb|abgr|gbrap|ya(8|16|f)|ayuv|uyva|vuya|pal8)/.test(name);
}

function isRgb(name: string): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8|monob|monow|x2rgb|x2bgr)/.test(name);
}

function colorOf(frame: Frame, pixelFormatName: string): PictureColor {
  const rgb = isRgb(pixelFormatName);
  const full = rgb || pixelFormatName.startsWith('yuvj');
  const matrix = rgb ? AVCOL_SPC_RGB : (specified(frame.colorSpace, AVCOL_SPC_UNSPECIFIED) ?? matrixBySize(frame));
  const range = specified(frame.colorRange, AVCOL_RANGE_UNSPECIFIED) ?? (full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG);
  const profile = frame.getSideData(AV_FRAME_DATA_ICC_PROFILE);
  const gamut = profile === null ? null : iccGamut(profile);
  if (gamut !== null) return { matrix, range, transfer: AVCOL_TRC_IEC61966_2_1, primaries: gamut };
  return {
    matrix,
    range,
    transfer: specified(frame.colorTrc, AVCOL_TRC_UNSPECIFIED) ?? (rgb ? AVCOL_TRC_IEC61966_2_1 : AVCOL_TRC_BT709),
    primaries: specified(frame.colorPrimaries, AVCOL_PRI_UNSPECIFIED) ?? primariesFor(matrix),
  };
}

/** What untagged video means by convention: HD is BT.709, SD is BT.601. */
function matrixBySize({ width, height }: PixelSize): AVColorSpace {
  return width >= 1280 || height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
}

function primariesFor(matrix: AVColorSpace): AVColorPrimaries {
  if (matrix === AVCOL_SPC_BT2020_NCL || matrix === AVCOL_SPC_BT2020_CL) return AVCOL_PRI_BT2020;
  // JPEG uses BT.601's matrix on sRGB, whose primaries are BT.709's; only SD video means its own.
  return matrix === AVCOL_SPC_SMPTE170M ? AVCOL_PRI_SMPTE170M : AVCOL_PRI_BT709;
}

function specified<T>(value: T, unspecified: T): T | null {
  return value === unspecified ? null : value;
}
