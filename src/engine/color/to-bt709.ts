import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_YCGCO,
  type AVColorSpace,
} from 'node-av/constants';
import { CONVERT } from './convert.ts';
import { isWideGamut, narrowGamut } from './gamut.ts';
import type { PictureColor } from './picture-color.ts';
import { isHdr, toneMap } from './tone-map.ts';

/** How a picture's numbers were made. */
type Coded = Pick<PictureColor, 'matrix' | 'range'>;

/** A picture to be converted. */
export interface Converted {
  readonly coded: Coded;
  readonly color: PictureColor;
  /** A `scale` that gives it its size; it takes on a part of the conversion. */
  readonly resize: string;
  readonly size: { readonly width: number; readonly height: number };
}

/**
 * The filters from a picture of any colour to BT.709, limited range. (R7)
 *
 * @param format of the result. Its alpha is the picture's only where a matrix is all that changes: other filters lose it.
 */
export function toBt709({ coded, color, resize, size }: Converted, format: 'yuv420p' | 'yuva444p'): string[] {
  const asked = [CONVERT, `format=${format}`];
  if (isHdr(color)) {
    const mapped = [`${resize}:${recolor(coded, 'bt2020')}`, 'format=yuv420p10le', ...toneMap(color)];
    return format === 'yuv420p' ? mapped : [...mapped, ...asked];
  }
  const scaled = `${resize}:${recolor(coded, 'bt709')}`;
  if (!isWideGamut(color)) return [scaled, `format=${format}`];
  if (format === 'yuv420p') return [scaled, 'format=yuv420p10le', ...narrowGamut(color, size, 'yuv420p')];
  return [scaled, 'format=yuv444p10le', ...narrowGamut(color, size, 'yuv444p'), ...asked];
}

/**
 * Converts a matrix that the other filters do not know to one that they do. YCgCo needs a filter that accepts neither
 * packed pixels nor, at odd sides, chroma of less than 4:4:4: pictures are unpacked under the name of a matrix that
 * `scale` knows and does not change.
 */
export function toKnownMatrix<T extends Coded>(coded: T): { readonly chain: readonly string[]; readonly coded: T } {
  if (coded.matrix !== AVCOL_SPC_YCGCO) return { chain: [], coded };
  const from = coded.range === AVCOL_RANGE_MPEG ? 'limited' : 'full';
  const planar = ['', '10le', '12le', '16le'].flatMap((depth) => [`yuv444p${depth}`, `yuva444p${depth}`]);
  const chain = [
    ...['setparams=colorspace=bt709', CONVERT, `format=${planar.join('|')}`, 'setparams=colorspace=ycgco'],
    ...[`zscale=matrixin=ycgco:rangein=${from}:matrix=gbr:range=full`, 'format=gbrp|gbrap'],
  ];
  return { chain, coded: { ...coded, matrix: AVCOL_SPC_RGB, range: AVCOL_RANGE_JPEG } };
}

/** Options of `scale`: from the matrix and range the picture is in to another matrix, limited. */
function recolor({ matrix, range }: Coded, outMatrix: string): string {
  const from = `in_color_matrix=${matrixName(matrix)}:in_range=${range === AVCOL_RANGE_MPEG ? 'limited' : 'full'}`;
  return `${from}:out_color_matrix=${outMatrix}:out_range=limited`;
}

/** swscale's name for a matrix; everything it does not know is taken for SD's. */
export function matrixName(matrix: AVColorSpace): string {
  if (matrix === AVCOL_SPC_BT709) return 'bt709';
  if (matrix === AVCOL_SPC_BT2020_NCL) return 'bt2020';
  if (matrix === AVCOL_SPC_FCC) return 'fcc';
  if (matrix === AVCOL_SPC_SMPTE240M) return 'smpte240m';
  return 'bt601';
}
