import { Frame } from 'node-av/lib';
import { mustSucceed } from '../libav/libav-call.ts';
import type { FrameSource } from './frame-source.ts';
import type { PictureDecoder } from './picture-decoder.ts';
import { TileCanvas } from './tile-canvas.ts';

/**
 * Frames whose alpha is a track of its own, as in an animated AVIF. The two are decoded side by side, from the start: their key frames
 * need not be the same. Owns both decoders.
 */
export class MaskedFrames implements FrameSource {
  readonly seekable = false;
  readonly #colors: PictureDecoder;
  readonly #alphas: PictureDecoder;
  readonly #color = allocate();
  readonly #alpha = allocate();
  /** The last alpha there was: a track of masks that ends early goes on with it. */
  readonly #mask = allocate();
  #masked = false;

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
    if ((await this.#alphas.next(this.#alpha)) !== null) {
      this.#mask.unref();
      mustSucceed(this.#mask.ref(this.#alpha), 'av_frame_ref');
      this.#masked = true;
    }
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
}

function allocate(): Frame {
  const frame = new Frame();
  frame.alloc();
  return frame;
}
