import { AVCOL_RANGE_MPEG, AVCOL_SPC_YCGCO, type AVPixelFormat } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { PixelSize } from '../../image-header/image-header.ts';
import { micros } from '../../time.ts';
import { tagForFilters } from '../color/picture-color.ts';
import { BT709_TO_RGB, isHdr, isWideGamut, matrixName } from '../color/to-bt709.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import { PictureReader } from '../picture/picture-reader.ts';
import { clipFilters, cutTo, turn } from './clip-filters.ts';

/** A picture as straight sRGB, row by row, upright. */
export interface RgbaPicture extends PixelSize {
  readonly rgba: Uint8Array;
}

/** How a picture is decoded for the painter. */
interface DecodePictureOptions {
  readonly limits: MediaLimits;
  /** A larger picture is scaled down until its shorter side has no more than this. */
  readonly maxPx: number;
  readonly signal?: AbortSignal | undefined;
}

/** Scaling whose result depends on neither the machine nor its threads. */
const EXACT = 'flags=bicubic+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp';

/**
 * Decodes the first picture of a file that the painter cannot read itself. Must run in the jail.
 *
 * @throws the errors of `PictureReader.open`.
 */
export async function decodeToRgba(
  file: string,
  { limits, maxPx, signal }: DecodePictureOptions,
): Promise<RgbaPicture> {
  await using reader = await PictureReader.open(file, limits, signal === undefined ? {} : { signal });
  const facts = reader.picture;
  const frame = await reader.frameAt(micros(0));
  const size = fitted(facts.upright, maxPx);
  const { width, height } = frame;
  const { matrix, range } = facts.color;
  const shape = { width, height, pixelFormat: frame.format as AVPixelFormat, matrix, range };
  tagForFilters(frame, shape);
  using graph = await FrameGraph.open([shape], filters(facts, shape, size));
  graph.feed(0, frame, 0);
  using result = new Frame();
  result.alloc();
  await graph.pull(result);
  return { ...size, rgba: new Uint8Array(result.toBuffer()) };
}

function fitted({ width, height }: PixelSize, maxPx: number): PixelSize {
  const scale = Math.min(1, maxPx / Math.min(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Colours that need more than a matrix are converted as in clips; all others keep the values of their format. */
function filters(facts: PictureFacts, shape: FrameShape, size: PixelSize): string {
  const { color, visible, upright, orientation, alpha } = facts;
  if (isHdr(color) || isWideGamut(color) || color.matrix === AVCOL_SPC_YCGCO) {
    const crop = { x: 0, y: 0, ...upright };
    const clip = { crop, dest: { x: 0, y: 0, ...size }, backdrop: null, matte: null, look: null, alpha };
    const { text } = clipFilters(clip, facts, shape, '#000000');
    return `${(text ?? '[0]null[out]').replace('[out]', '')},${BT709_TO_RGB},format=rgba[out]`;
  }
  const turned = orientation.quarterTurns % 2 === 1;
  const [width, height] = turned ? [size.height, size.width] : [size.width, size.height];
  const from = `in_color_matrix=${matrixName(color.matrix)}:in_range=${color.range === AVCOL_RANGE_MPEG ? 'limited' : 'full'}`;
  const isScaled = width !== visible.width || height !== visible.height;
  const cut = cutTo(visible, shape);
  // Invisible colours must not bleed into the edges during scaling.
  const scaled =
    alpha && isScaled
      ? [`scale=${EXACT}:${from}`, 'format=gbrap', 'premultiply=inplace=1', `scale=${width}:${height}:${EXACT}`].concat(
          'format=gbrap',
          'unpremultiply=inplace=1',
          `scale=${EXACT}`,
        )
      : [`scale=${width}:${height}:${EXACT}:${from}`];
  return `[0]${[...cut, ...scaled, 'format=rgba', ...turn(orientation)].join(',')}[out]`;
}
