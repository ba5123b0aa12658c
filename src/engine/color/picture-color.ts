import {
  AV_FRAME_DATA_ICC_PROFILE,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_SMPTE432,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_ICTCP,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_YCGCO,
  AVCOL_TRC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorPrimaries,
  type AVColorRange,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import type { Frame } from 'node-av/lib';

/** How numbers become light. Never unspecified: missing values are filled in as players do. */
export interface PictureColor {
  readonly matrix: AVColorSpace;
  readonly range: AVColorRange;
  readonly transfer: AVColorTransferCharacteristic;
  readonly primaries: AVColorPrimaries;
}

/** Reads it off a decoded frame. */
export function pictureColor(frame: Frame, pixelFormatName: string): PictureColor {
  const rgb = isRgb(pixelFormatName);
  const full = rgb || pixelFormatName.startsWith('yuvj');
  const matrix = rgb ? AVCOL_SPC_RGB : (knownMatrix(frame.colorSpace) ?? matrixBySize(frame));
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

/**
 * Tags a frame with the properties that filters need, and no others: filters get the rest as options, and would refuse
 * values that they do not know.
 */
export function tagForFilters(frame: Frame, { matrix, range }: Pick<PictureColor, 'matrix' | 'range'>): void {
  frame.colorSpace = matrix;
  frame.colorRange = range;
  frame.colorTrc = AVCOL_TRC_UNSPECIFIED;
  frame.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
}

/** The matrices we can convert from; some others have a close relative that is better than a guess. */
function knownMatrix(matrix: AVColorSpace): AVColorSpace | null {
  if (matrix === AVCOL_SPC_BT2020_CL || matrix === AVCOL_SPC_ICTCP) return AVCOL_SPC_BT2020_NCL;
  return MATRICES.has(matrix) ? matrix : null;
}

const MATRICES: ReadonlySet<AVColorSpace> = new Set([
  AVCOL_SPC_BT709,
  AVCOL_SPC_FCC,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_YCGCO,
  AVCOL_SPC_BT2020_NCL,
]);

/** The convention for untagged video: HD is BT.709, SD is BT.601. */
function matrixBySize({ width, height }: Frame): AVColorSpace {
  return width >= 1280 || height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
}

function primariesFor(matrix: AVColorSpace): AVColorPrimaries {
  if (matrix === AVCOL_SPC_BT2020_NCL) return AVCOL_PRI_BT2020;
  // JPEG uses BT.601's matrix on sRGB, whose primaries are BT.709's; only SD video has its own.
  return matrix === AVCOL_SPC_SMPTE170M ? AVCOL_PRI_SMPTE170M : AVCOL_PRI_BT709;
}

function specified<T>(value: T, unspecified: T): T | null {
  return value === unspecified ? null : value;
}

type Xyz = readonly [x: number, y: number, z: number];

/** The gamuts we can convert from, by their primaries as profiles hold them: adapted to D50. */
const KNOWN: readonly (readonly [primaries: AVColorPrimaries, red: Xyz, green: Xyz, blue: Xyz])[] = [
  [AVCOL_PRI_SMPTE432, [0.5151, 0.2412, -0.0011], [0.292, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]],
  [AVCOL_PRI_BT2020, [0.6734, 0.279, -0.0019], [0.1656, 0.6753, 0.0299], [0.1251, 0.0456, 0.7968]],
];
/** Between profiles of one gamut by different makers; the gamuts themselves are ten times as far apart. */
const TOLERANCE = 0.005;

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
/** More tags than any profile has. */
const MAX_TAGS = 100;

/**
 * The wide gamut of an embedded ICC profile, as phones write it into photographs; null for any other profile and for
 * invalid data. Their transfer is sRGB's.
 */
function iccGamut(profile: Buffer): AVColorPrimaries | null {
  const colorants = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => xyzTag(profile, tag));
  const found = KNOWN.find(([, ...known]) => known.every((xyz, n) => isNear(xyz, colorants[n] ?? null)));
  return found?.[0] ?? null;
}

function xyzTag(profile: Buffer, tag: string): Xyz | null {
  if (profile.length < HEADER_BYTES + 4) return null;
  const count = Math.min(MAX_TAGS, profile.readUInt32BE(HEADER_BYTES));
  for (let n = 0; n < count; n++) {
    const entry = HEADER_BYTES + 4 + n * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > profile.length) return null;
    if (profile.toString('latin1', entry, entry + 4) !== tag) continue;
    // A type, four empty bytes, and three numbers with 16 fractional bits.
    const at = profile.readUInt32BE(entry + 4) + 8;
    if (at + 12 > profile.length) return null;
    const fixed = (offset: number) => profile.readInt32BE(at + offset) / 0x1_0000;
    return [fixed(0), fixed(4), fixed(8)];
  }
  return null;
}

function isNear(a: Xyz, b: Xyz | null): boolean {
  return b?.every((value, n) => Math.abs(value - a[n]!) <= TOLERANCE) ?? false;
}

/**
 * Whether pixels are red, green and blue rather than luma and chroma. By the name of their format, as below: node-av does
 * not expose libav's descriptors.
 */
export function isRgb(name: string): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8|monob|monow|x2rgb|x2bgr)/.test(name);
}

/** Whether there is an alpha channel; it may still be opaque all over. */
export function hasAlphaChannel(name: string): boolean {
  return /^(yuva|rgba|bgra|argb|abgr|gbrap|ya(8|16|f)|ayuv|uyva|vuya|pal8)/.test(name);
}

/**
 * Whether swscale reads it. The other formats are rare (floats with alpha, 32 bits a sample, big-endian packed) and not
 * supported.
 */
export function isConvertible(name: string): boolean {
  return !/^(rgb4|bgr4|(gbrap|gray)32.e|rgb96.e|rgba128.e|rgbaf32.e|(v30x|x2bgr10|x2rgb10|xv30|y21[026])be)$/.test(
    name,
  );
}
