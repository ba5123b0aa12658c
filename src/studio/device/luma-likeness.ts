import type { Planes } from './film-planes.ts';

const BLOCK = 8;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Structural similarity of the brightness of two pictures: the mean over blocks of 8×8; 1 for equal ones. */
export function likeness(a: Pick<Planes, 'width' | 'height' | 'y'>, b: Pick<Planes, 'y'>): number {
  let sum = 0;
  let blocks = 0;
  for (let top = 0; top + BLOCK <= a.height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= a.width; left += BLOCK) {
      sum += likenessOfBlock(a.y, b.y, top * a.width + left, a.width);
      blocks += 1;
    }
  }
  return blocks === 0 ? 1 : sum / blocks;
}

function likenessOfBlock(a: Uint8Array, b: Uint8Array, at: number, stride: number): number {
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let row = at; row < at + BLOCK * stride; row += stride) {
    for (let i = row; i < row + BLOCK; i += 1) {
      const [p, q] = [a[i]!, b[i]!];
      sumA += p;
      sumB += q;
      sumAA += p * p;
      sumBB += q * q;
      sumAB += p * q;
    }
  }
  const count = BLOCK * BLOCK;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const varA = sumAA / count - meanA ** 2;
  const varB = sumBB / count - meanB ** 2;
  const covariance = sumAB / count - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (varA + varB + C2));
}

/** Reads a frame, and closes it. @throws if the browser does not give out the pixels of its frames. */
export async function planesOf(frame: VideoFrame): Promise<Planes> {
  try {
    const { format } = frame;
    if (format !== 'I420' && format !== 'NV12') throw new Error(`frames are ${format ?? 'not readable'}`);
    const { width, height } = frame.visibleRect!;
    const bytes = new Uint8Array(frame.allocationSize());
    const [luma, ...chroma] = await frame.copyTo(bytes);
    const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
    const plane = ({ offset, stride }: PlaneLayout, step: number, count: number, lines: number) => {
      const packed = new Uint8Array(count * lines);
      for (let line = 0; line < lines; line += 1) {
        const from = offset + line * stride;
        if (step === 1) packed.set(bytes.subarray(from, from + count), line * count);
        else for (let i = 0; i < count; i += 1) packed[line * count + i] = bytes[from + step * i]!;
      }
      return packed;
    };
    const y = plane(luma!, 1, width, height);
    const [first, second] = chroma;
    if (format === 'I420') {
      return { width, height, y, u: plane(first!, 1, columns, rows), v: plane(second!, 1, columns, rows) };
    }
    const v = plane({ ...first!, offset: first!.offset + 1 }, 2, columns, rows);
    return { width, height, y, u: plane(first!, 2, columns, rows), v };
  } finally {
    frame.close();
  }
}
