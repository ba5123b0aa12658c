import {
  AV_CODEC_ID_APNG,
  AV_CODEC_ID_PNG,
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_FRAME_CROPPING,
  type AVCodecID,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';
import type { PixelSize } from '../../image-header/image-header.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import { hasAlphaChannel, type PictureColor, pictureColor } from '../color/picture-color.ts';
import type { TimeBase } from '../input/source-clock.ts';
import type { PictureStream } from './frame-source.ts';
import { type Orientation, orientationOf } from './orientation.ts';

/** The properties of a frame. Size, format, colours and interlacing may change inside a file. (R23) */
export interface PictureFacts {
  /** As decoded: before turning, with pixels of any aspect ratio. */
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: AVPixelFormat;
  readonly pixelFormatName: string;
  /** Its visible part, according to the container (MP4 `clap`, Matroska PixelCrop). */
  readonly visible: Rect;
  readonly orientation: Orientation;
  /** A pixel's width to its height; 1/1 if it is not given. */
  readonly sampleAspect: { readonly num: number; readonly den: number };
  /** The picture as it is shown: turned, with square pixels. (R7) */
  readonly upright: PixelSize;
  readonly color: PictureColor;
  readonly interlaced: boolean;
  /** Which field of an interlaced frame comes first. */
  readonly topFieldFirst: boolean;
  /** Whether the pixel format has an alpha channel; it may still be opaque all over. */
  readonly alpha: boolean;
  readonly timeBase: TimeBase;
}

/** Pixels further from square than this are taken for a fault of the file. */
const MAX_ASPECT = 16;

/** Reads the facts off a decoded frame and the stream it came from. */
export function pictureFacts(stream: PictureStream, frame: Frame): PictureFacts {
  const pixelFormat = frame.format as AVPixelFormat;
  const pixelFormatName = avGetPixFmtName(pixelFormat) ?? 'unknown';
  const { width, height } = frame;
  const matrix =
    frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const orientation = orientationOf(matrix);
  const sampleAspect = sampleAspectOf(stream, frame);
  const { num, den } = stream.timeBase;
  const visible = visiblePart(stream, { width, height });
  return {
    width,
    height,
    pixelFormat,
    pixelFormatName,
    visible,
    orientation,
    sampleAspect,
    upright: uprightSize(visible, sampleAspect, orientation),
    color: pictureColor(frame, pixelFormatName),
    interlaced: hasFields(stream, frame),
    topFieldFirst: frame.hasFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST),
    alpha: hasAlphaChannel(pixelFormatName),
    timeBase: { num, den },
  };
}

/** All of it if the container gives no crop, or one that leaves nothing. */
function visiblePart({ codecpar }: PictureStream, { width, height }: PixelSize): Rect {
  const cropping = codecpar.getCodedSideData(AV_PKT_DATA_FRAME_CROPPING);
  const whole = { x: 0, y: 0, width, height };
  if (cropping === null || cropping.length < 16) return whole;
  const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => cropping.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if (left + right >= width || top + bottom >= height) return whole;
  return { x: left, y: top, width: width - left - right, height: height - top - bottom };
}

/** Codecs whose `interlaced` means the storage order of pixels (Adam7), not time. */
const STORED_IN_PASSES: ReadonlySet<AVCodecID> = new Set([AV_CODEC_ID_PNG, AV_CODEC_ID_APNG]);
/** With fewer lines, a field's missing lines cannot be interpolated. */
const MIN_LINES = 4;

/** Whether the lines of a frame are of two moments. */
function hasFields({ codecpar }: PictureStream, frame: Frame): boolean {
  if (STORED_IN_PASSES.has(codecpar.codecId) || Math.min(frame.width, frame.height) < MIN_LINES) return false;
  return frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
}

/** The facts of a later frame. The orientation is that of the file, as in the plan. */
export function laterFacts(
  { orientation, sampleAspect, upright }: PictureFacts,
  stream: PictureStream,
  frame: Frame,
): PictureFacts {
  return { ...pictureFacts(stream, frame), orientation, sampleAspect, upright };
}

/** A string that differs whenever the facts of two frames differ; cheap to compare. */
export function factTags(frame: Frame): string {
  const { width, height, format, colorSpace, colorRange, colorTrc, colorPrimaries } = frame;
  const fields = frame.hasFlags(AV_FRAME_FLAG_INTERLACED) ? frame.hasFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST) : null;
  return `${width} ${height} ${format} ${colorSpace} ${colorRange} ${colorTrc} ${colorPrimaries} ${fields}`;
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

/** The container's value takes precedence over the codec's, as libavformat recommends. */
function sampleAspectOf(stream: PictureStream, frame: Frame): { num: number; den: number } {
  for (const { num, den } of [stream.sampleAspectRatio, frame.sampleAspectRatio]) {
    if (num > 0 && den > 0 && num <= den * MAX_ASPECT && den <= num * MAX_ASPECT) return { num, den };
  }
  return { num: 1, den: 1 };
}
