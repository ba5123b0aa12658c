import {
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_SMPTE240M,
  type AVColorSpace,
} from 'node-av/constants';
import type { PictureColor } from './picture-color.ts';

/** Options of `scale`: from the matrix and range the picture is in to another matrix, limited. */
export function recolor({ matrix, range }: Pick<PictureColor, 'matrix' | 'range'>, outMatrix: string): string {
  const from = `in_color_matrix=${matrixName(matrix)}:in_range=${range === AVCOL_RANGE_MPEG ? 'limited' : 'full'}`;
  return `${from}:out_color_matrix=${outMatrix}:out_range=limited`;
}

/** swscale's name for a matrix; everything it does not know is taken for SD's. */
export function matrixName(matrix: AVColorSpace): string {
  if (matrix === AVCOL_SPC_BT709) return 'bt709';
  if (matrix === AVCOL_SPC_BT2020_NCL || matrix === AVCOL_SPC_BT2020_CL) return 'bt2020';
  if (matrix === AVCOL_SPC_FCC) return 'fcc';
  if (matrix === AVCOL_SPC_SMPTE240M) return 'smpte240m';
  return 'bt601';
}
