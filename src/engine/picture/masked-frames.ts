import { Frame } from 'node-av/lib';
import type { Micros } from '../../time.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { FrameSource } from './frame-source.ts';
import type { PictureDecoder } from './picture-decoder.ts';
import { TileCanvas } from './tile-canvas.ts';

/**
 * Frames whose alpha is a separate track, as in an animated AVIF. Each frame uses the last mask that is due, or the
 * first one before that. Both tracks are decoded side by side, from the start: their key frames may differ. Owns both
 * decoders.
 */
export class MaskedFrames implements FrameSource {
  readonly seekable = false;
  readonly #colors: PictureDecoder;
  readonly #alphas: PictureDecoder;
  readonly #color = allocate();
  readonly #alpha = allocate();
  /** The last alpha that is due: if the track of masks ends early, its last one stays. */
  readonly #mask = allocate();
  #masked = false;
  /** When the frame in `#alpha` is due; null if there is none. */
  #upcoming: number | null = null;

  constructor(colors: PictureDecoder, alphas: PictureDecoder) {
    this.#colors = colors;
    this.#alphas = alphas;
  }

  get clock() {
    return this.#colors.clock;
  }

  get stream() {
    return this.#colors.stream;
  }

  get brokenPackets(): number {
    return this.#colors.brokenPackets + this.#alphas.brokenPackets;
  }

  get lastKey(): number {
    return this.#colors.lastKey;
  }

  async next(frame: Frame): Promise<number | null> {
    frame.unref();
    const time = await this.#colors.next(this.#color);
    if (time === null) return null;
    await this.#advanceMask(time);
    const { width, height } = this.#color;
    using canvas = this.#masked ? TileCanvas.create(this.#color, { x: 0, y: 0, width, height }, true) : null;
    if (canvas?.put(this.#color, 0, 0) && canvas.putAlpha(this.#mask, 0, 0)) {
      canvas.frame.pts = this.#color.pts;
      mustSucceed(frame.ref(canvas.frame), 'av_frame_ref');
    } else {
      mustSucceed(frame.ref(this.#color), 'av_frame_ref');
    }
    return time;
  }

  async rewind(): Promise<void> {
    await this.#colors.rewind();
    await this.#alphas.rewind();
    this.#masked = false;
    this.#upcoming = null;
  }

  skipTo(): boolean {
    return false;
  }

  async seek(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#color.free();
    this.#alpha.free();
    this.#mask.free();
    await this.#colors[Symbol.asyncDispose]();
    await this.#alphas[Symbol.asyncDispose]();
  }

  async #advanceMask(time: number): Promise<void> {
    for (;;) {
      this.#upcoming ??= await this.#alphas.next(this.#alpha);
      if (this.#upcoming === null) return;
      if (this.#masked && !this.clock.isDue(this.#upcoming, time as Micros)) return;
      this.#mask.unref();
      mustSucceed(this.#mask.ref(this.#alpha), 'av_frame_ref');
      this.#masked = true;
      this.#upcoming = null;
    }
  }
}

function allocate(): Frame {
  const frame = new Frame();
  frame.alloc();
  return frame;
}
