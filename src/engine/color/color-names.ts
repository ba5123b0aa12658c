import {
  AVCOL_PRI_BT470BG,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_SMPTE170M,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import type { PictureColor } from './picture-color.ts';

const MATRICES = new Map<number, string>([
  [AVCOL_SPC_RGB, 'RGB'],
  [AVCOL_SPC_BT709, 'BT.709'],
  [AVCOL_SPC_BT470BG, 'BT.601'],
  [AVCOL_SPC_SMPTE170M, 'BT.601'],
  [AVCOL_SPC_BT2020_NCL, 'BT.2020'],
]);
const TRANSFERS = new Map<number, string>([
  [AVCOL_TRC_BT709, 'BT.709'],
  [AVCOL_TRC_SMPTE170M, 'BT.601'],
  [AVCOL_TRC_IEC61966_2_1, 'sRGB'],
  [AVCOL_TRC_SMPTE2084, 'PQ'],
  [AVCOL_TRC_ARIB_STD_B67, 'HLG'],
]);
const PRIMARIES = new Map<number, string>([
  [AVCOL_PRI_BT709, 'BT.709'],
  [AVCOL_PRI_BT470BG, 'BT.601 (625 lines)'],
  [AVCOL_PRI_SMPTE170M, 'BT.601 (525 lines)'],
  [AVCOL_PRI_BT2020, 'BT.2020'],
  [AVCOL_PRI_SMPTE432, 'Display P3'],
]);

/** The parts of a colour as text; rare ones as their number in ITU-T H.273. */
export function colorNames(color: PictureColor): Record<keyof PictureColor, string> {
  const named = (names: ReadonlyMap<number, string>, value: number) => names.get(value) ?? `no. ${value}`;
  return {
    matrix: named(MATRICES, color.matrix),
    range: color.range === AVCOL_RANGE_JPEG ? 'full' : 'limited',
    transfer: named(TRANSFERS, color.transfer),
    primaries: named(PRIMARIES, color.primaries),
  };
}
