import type { Frame } from 'node-av/lib';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';

/** A pool that counts its frames in use. */
export class CountedPool extends FramePool {
  out = 0;

  override take(): Frame {
    this.out += 1;
    return super.take();
  }

  override give(frame: Frame): void {
    this.out -= 1;
    super.give(frame);
  }
}
