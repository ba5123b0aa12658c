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
