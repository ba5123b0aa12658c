import type { Frame } from 'node-av/lib';
import type { Veil } from '../../plan/overlay-painter.ts';
import { yuvOf } from '../color/painted-color.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/** A copy of a picture in yuv420p or yuva420p, seen through a veil. It belongs to the caller. */
export function dimmedFrame(frame: Frame, { color, alpha }: Veil, pool: FramePool): Frame {
  return pool.filled(pool.share(frame), (copy) => {
    mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
    const through = Math.round((1 - alpha) * 256);
    for (const [plane, veiled] of yuvOf(color).entries()) {
      const added = Math.round(veiled * (256 - through)) + 128;
      const seen = Uint8Array.from({ length: 256 }, (_, value) => (value * through + added) >> 8);
      const { buffer, byteOffset, byteLength } = copy.data![plane]!;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = seen[bytes[i]!]!;
    }
  });
}
