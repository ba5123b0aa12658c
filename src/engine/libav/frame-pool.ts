import { Frame } from 'node-av/lib';
import { mustSucceed } from './libav-call.ts';

/**
 * Frames to use again: making the native object for every picture of a video costs more than filling it.
 *
 * A frame is only a reference to its pixels; giving it back drops the reference.
 */
export class FramePool implements Disposable {
  readonly #idle: Frame[] = [];

  /** An empty frame, which belongs to the caller until it is given back. */
  take(): Frame {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const frame = new Frame();
    frame.alloc();
    return frame;
  }

  /** A second reference to the pixels of `frame`, with its own properties. */
  share(frame: Frame): Frame {
    return this.filled(this.take(), (shared) => mustSucceed(shared.ref(frame), 'av_frame_ref'));
  }

  /** Fills a taken frame and returns it. Takes it back if that fails. */
  filled(frame: Frame, fill: (frame: Frame) => void): Frame {
    try {
      fill(frame);
      return frame;
    } catch (error) {
      this.give(frame);
      throw error;
    }
  }

  /** Takes a frame back. */
  give(frame: Frame): void {
    frame.unref();
    this.#idle.push(frame);
  }

  [Symbol.dispose](): void {
    for (const frame of this.#idle.splice(0)) frame.free();
  }
}
