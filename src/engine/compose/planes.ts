import type { Frame } from 'node-av/lib';

/** A plane of a frame. */
export interface FramePlane {
  readonly bytes: Uint8Array;
  readonly stride: number;
}

/** Called once a frame: each call makes objects that look as large as the picture to the garbage collector. */
export function planesOf(frame: Frame, count = 3): FramePlane[] {
  return frame.data!.slice(0, count).map(({ buffer, byteOffset, byteLength }, plane) => ({
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    stride: frame.linesize[plane]!,
  }));
}

/** Rows of bytes somewhere in memory, and where the first begins. */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly stride: number;
}

/** Copies the first `width` bytes of each row; in one call if rows have no padding. */
export function copyRows(from: Rows, to: Rows, width: number, rows: number): void {
  if (from.stride === width && to.stride === width) {
    to.bytes.set(from.bytes.subarray(from.at, from.at + rows * width), to.at);
    return;
  }
  for (let row = 0; row < rows; row += 1) {
    const at = from.at + row * from.stride;
    to.bytes.set(from.bytes.subarray(at, at + width), to.at + row * to.stride);
  }
}
