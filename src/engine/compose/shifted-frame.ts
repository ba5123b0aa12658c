import type { Frame } from 'node-av/lib';
import type { Shift } from '../../plan/overlay-painter.ts';

/** Copies a picture in yuv420p into another of its size, shifted by even pixels; the uncovered edge repeats. (R30) */
export function shiftInto(from: Frame, { x, y }: Shift, to: Frame): void {
  const { width, height } = from;
  for (const [plane, source] of from.data!.slice(0, 3).entries()) {
    const shift = plane === 0 ? 0 : 1;
    const [columns, rows] = [width >> shift, height >> shift];
    const [right, down] = [x >> shift, y >> shift];
    const [fromStride, toStride] = [from.linesize[plane]!, to.linesize[plane]!];
    const target = to.data![plane]!;
    const moved = columns - Math.abs(right);
    for (let row = 0; row < rows; row += 1) {
      const line = Math.min(rows - 1, Math.max(0, row - down)) * fromStride;
      const at = row * toStride;
      target.set(
        source.subarray(line + Math.max(0, -right), line + Math.max(0, -right) + moved),
        at + Math.max(0, right),
      );
      if (right > 0) target.fill(source[line]!, at, at + right);
      if (right < 0) target.fill(source[line + columns - 1]!, at + moved, at + columns);
    }
  }
}
