import type { Canvas } from '../../plan/model/canvas.ts';

/** Samples of one kind, in rows: a plane of a video's frame, or every fourth byte of RGBA. */
interface Samples {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly start: number;
  readonly stride: number;
  readonly step: number;
}

/** The coverage by a panel. `full` is its value where the panel covers all of a pixel, even if it is transparent. */
interface GlassMask extends Samples {
  readonly full: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Cells of this many pixels, relative to the canvas's shorter side, are blurred as one. */
const CELLS = 68;
/** How many cells to each side count, twice over. */
const REACH = 1;

/** The side of a cell in pixels, a multiple of four: planes of colour differences have half as many, and every other counts. */
export function glassCellPx({ width, height }: Pick<Canvas, 'width' | 'height'>): number {
  return Math.max(4, 4 * Math.round(Math.min(width, height) / CELLS / 4));
}

/**
 * Blurs samples in place, weighted by the mask: the picture under a panel of glass. (C47) The same code serves the
 * engine's planes and a browser's pixels, so that both show the same.
 *
 * Works on coarse cells: a blurred picture needs few of them, and the cost is that of touching each sample twice.
 *
 * @param maskScale how many samples of the mask there are to one of these, in each direction.
 */
export function blurUnder(samples: Samples, size: Size, cellPx: number, mask: GlassMask, maskScale: number): void {
  const { width, height } = size;
  const [across, down] = [Math.ceil(width / cellPx), Math.ceil(height / cellPx)];
  const cells = softened(averages(samples, size, cellPx, across, down), across, down);
  const weights = weightsOf(mask.full);
  const [maskData, maskStep] = [mask.data, maskScale * mask.step];
  const { data, start, stride, step } = samples;
  const half = cellPx >> 1;
  const line = new Int32Array(across + 2);
  for (let y = 0; y < height; y += 1) {
    blendedLine(cells, across, down, (y + 0.5) / cellPx - 0.5, line);
    let at = start + y * stride;
    let maskAt = mask.start + y * maskScale * mask.stride;
    // From the middle of one cell to that of the next brightness changes evenly; before the first and behind the last it is theirs.
    for (let cell = 0, x = 0; x < width; cell += 1) {
      const end = Math.min(width, cell * cellPx + half);
      const slope = Math.round((line[cell + 1]! - line[cell]!) / cellPx);
      let soft = line[cell]! + (slope >> 1) + (cell === 0 ? slope * (cellPx - half) : 0);
      for (; x < end; x += 1, soft += slope, at += step, maskAt += maskStep) {
        const weight = weights[maskData[maskAt]!]!;
        if (weight === 0) continue;
        const sharp = data[at]!;
        data[at] = (sharp * 256 + ((soft >> 8) - sharp) * weight + 128) >> 8;
      }
    }
  }
}

/** By alpha, of 256. Opaque parts are not blurred: cards hide most of a board. */
function weightsOf(full: number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, alpha) => {
    return alpha === 255 && full < 255 ? 0 : Math.round(256 * Math.min(1, alpha / full));
  });
}

/** The cells of a row between two of them, in 256ths, with the first and the last once more at the ends. */
function blendedLine(cells: Float32Array, across: number, down: number, at: number, line: Int32Array): void {
  const middle = Math.min(down - 1, Math.max(0, at));
  const above = Math.floor(middle);
  const below = Math.min(down - 1, above + 1);
  const part = middle - above;
  for (let cell = 0; cell < across; cell += 1) {
    const first = cells[above * across + cell]!;
    line[cell + 1] = 256 * (first + (cells[below * across + cell]! - first) * part);
  }
  line[0] = line[1]!;
  line[across + 1] = line[across]!;
}

function averages(
  { data, start, stride, step }: Samples,
  { width, height }: Size,
  cellPx: number,
  across: number,
  down: number,
): Float32Array {
  const sums = new Float32Array(across * down);
  const counts = new Float32Array(across * down);
  // Every other sample in both directions, which is enough for a soft picture.
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor(y / cellPx) * across;
    let at = start + y * stride;
    for (let cell = 0; cell < across; cell += 1) {
      const end = Math.min(width, (cell + 1) * cellPx);
      let sum = 0;
      let count = 0;
      for (let x = cell * cellPx; x < end; x += 2, at += 2 * step, count += 1) sum += data[at]!;
      sums[row + cell]! += sum;
      counts[row + cell]! += count;
    }
  }
  return sums.map((sum, cell) => sum / counts[cell]!);
}

/** Each cell the mean of those around it, twice in each direction; at the edges of those there are. */
function softened(cells: Float32Array, across: number, down: number): Float32Array {
  let soft = cells;
  for (let pass = 0; pass < 2; pass += 1) {
    soft = meaned(soft, across, down, 1, across);
    soft = meaned(soft, down, across, across, 1);
  }
  return soft;
}

function meaned(cells: Float32Array, length: number, lines: number, step: number, lineStep: number): Float32Array {
  const result = new Float32Array(cells.length);
  for (let line = 0; line < lines; line += 1) {
    for (let cell = 0; cell < length; cell += 1) {
      const [first, last] = [Math.max(0, cell - REACH), Math.min(length - 1, cell + REACH)];
      let sum = 0;
      for (let near = first; near <= last; near += 1) sum += cells[line * lineStep + near * step]!;
      result[line * lineStep + cell * step] = sum / (last - first + 1);
    }
  }
  return result;
}
