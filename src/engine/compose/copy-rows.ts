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
