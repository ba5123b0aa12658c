import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type ChannelLayout, type Frame, SoftwareResampleContext } from 'node-av/lib';
import { type Stereo, stereoView } from '../../sound/dsp/stereo.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { planarFrame } from './planar-frame.ts';

/**
 * Copies planar float frames of one layout and rate into its own memory. A view of each frame's memory would be an
 * object for the garbage collector per channel and frame, and costs four times as much as the copy.
 */
export class PlainCopy implements Disposable {
  readonly #context = new SoftwareResampleContext();
  readonly #copy: Frame;
  readonly #room: Stereo;

  /** For mono, which is heard on both sides, and stereo; `length` is that of the longest frame it takes. */
  constructor(layout: ChannelLayout, rate: number, length: number) {
    const same = [layout, AV_SAMPLE_FMT_FLTP, rate] as const;
    mustSucceed(this.#context.allocSetOpts2(...same, ...same), 'swr_alloc_set_opts2');
    mustSucceed(this.#context.init(), 'swr_init');
    ({ frame: this.#copy, room: this.#room } = planarFrame(layout, rate, length));
  }

  /** The frame's samples, until the next call; null if the frame is of another kind, or too long. */
  take(frame: Frame): Stereo | null {
    const count = frame.nbSamples;
    if (count > this.#room.left.length) return null;
    this.#copy.nbSamples = count;
    // Refuses, and copies nothing, if layout, format or rate differ from those it was made for.
    return this.#context.convertFrame(this.#copy, frame) < 0 ? null : stereoView(this.#room, 0, count);
  }

  [Symbol.dispose](): void {
    this.#context.free();
    this.#copy.free();
  }
}
