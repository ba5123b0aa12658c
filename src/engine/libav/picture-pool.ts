import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { FramePool } from './frame-pool.ts';
import { mustSucceed } from './libav-call.ts';

/**
 * Pictures of one size in yuv420p whose memory is reused. Large ones are mapped separately (`CHILD_MEMORY`), and having
 * the system clear a new one took as long as filling it. Owns the memory.
 */
export class PicturePool implements Disposable {
  readonly #frames: FramePool;
  readonly #width: number;
  readonly #height: number;
  readonly #pictures: Frame[] = [];

  constructor(frames: FramePool, width: number, height: number) {
    this.#frames = frames;
    this.#width = width;
    this.#height = height;
  }

  /**
   * A frame with undefined pixels, to be written to before it is shared. It belongs to the caller, which gives it back
   * to the frame pool; its memory is reused once no reference is left.
   */
  take(): Frame {
    const idle = this.#pictures.find((picture) => picture.isWritable);
    if (idle !== undefined) return this.#frames.share(idle);
    const picture = this.#frames.take();
    picture.width = this.#width;
    picture.height = this.#height;
    picture.format = AV_PIX_FMT_YUV420P;
    mustSucceed(picture.getBuffer(), 'av_frame_get_buffer');
    this.#pictures.push(picture);
    return this.#frames.share(picture);
  }

  [Symbol.dispose](): void {
    for (const picture of this.#pictures.splice(0)) this.#frames.give(picture);
  }
}
