import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_YCGCO,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_GAMMA22,
  AVCOL_TRC_GAMMA28,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_SMPTE2084,
  type AVColorPrimaries,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import type { PictureColor } from './picture-color.ts';

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

/**
 * Converts to a pixel format that the next filter accepts, and does nothing if it accepts the current one. Without it
 * libavfilter inserts its own conversion, whose pixels depend on the machine (R18), or crashes.
 */
export const CONVERT = 'scale=flags=accurate_rnd+bitexact+full_chroma_int';

/** Gamuts visibly wider than BT.709, with their names in filters. */
const WIDE_GAMUTS: ReadonlyMap<AVColorPrimaries, string> = new Map([
  [AVCOL_PRI_BT2020, 'bt2020'],
  [AVCOL_PRI_SMPTE431, 'smpte431'],
  [AVCOL_PRI_SMPTE432, 'smpte432'],
]);

/** Transfers of SDR that differ from BT.709's, by the same. */
const TRANSFERS: ReadonlyMap<AVColorTransferCharacteristic, string> = new Map([
  [AVCOL_TRC_GAMMA22, 'gamma22'],
  [AVCOL_TRC_GAMMA28, 'gamma28'],
  [AVCOL_TRC_IEC61966_2_1, 'iec61966-2-1'],
]);

/** The name of a wide gamut in filters, or null if it is not a wide one. */
function gamutName(primaries: AVColorPrimaries): string | null {
  return WIDE_GAMUTS.get(primaries) ?? null;
}

/** Whether its primaries are those of a wide gamut. */
export function isWideGamut({ primaries }: PictureColor): boolean {
  return WIDE_GAMUTS.has(primaries);
}

/** From a wide gamut's primaries to BT.709's; the transfer stays, since screens show all SDR transfers the same. */
function narrowGamut({ primaries, transfer }: PictureColor, { width, height }: Size, format: string): string[] {
  const trc = TRANSFERS.get(transfer) ?? 'bt709';
  const from = `ispace=bt709:irange=tv:itrc=${trc}:iprimaries=${gamutName(primaries)}`;
  const filter = `colorspace=${from}:space=bt709:range=tv:trc=${trc}:primaries=bt709:format=${format}`;
  // The filter refuses odd sides.
  const [evenWidth, evenHeight] = [width + (width % 2), height + (height % 2)];
  if (evenWidth === width && evenHeight === height) return [filter];
  return [`pad=${evenWidth}:${evenHeight}`, filter, `crop=${width}:${height}:0:0:exact=1`];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whether its values represent more light than a BT.709 screen can show. */
export function isHdr({ transfer }: PictureColor): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/**
 * Maps HDR to a BT.709 screen, by BT.2390's curve.
 *
 * The curve is made for a peak and falls beyond it: brighter values would become darker. (R23) HLG has no values above
 * its own peak; PQ goes up to 10,000 nits, and with a peak of 4,000 the curve is white from there on to the end. Its
 * earlier knee keeps values below 100 nits as bright as a lower peak would.
 */
function toneMap({ transfer, primaries }: PictureColor): string[] {
  const [name, curve] =
    transfer === AVCOL_TRC_SMPTE2084 ? ['smpte2084', 'peak=400:param=0.5'] : ['arib-std-b67', 'peak=100:param=1'];
  return [
    `setparams=color_primaries=${gamutName(primaries) ?? 'bt2020'}:colorspace=bt2020nc:range=limited:color_trc=${name}`,
    `tonemapx=tonemap=bt2390:desat=0:${curve}:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p`,
  ];
}

/** Conversions by `scale` that keep the size, with the same result on every machine. */
const EXACT = 'scale=flags=bicubic+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp';

/** From painted RGB to the output's colours. */
export const RGB_TO_BT709 = `${EXACT}:out_color_matrix=bt709:out_range=limited`;

/** From the output's colours to RGB, for stills. */
export const BT709_TO_RGB = `${EXACT}:in_color_matrix=bt709:in_range=limited`;
