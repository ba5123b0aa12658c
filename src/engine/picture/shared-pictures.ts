import type { Frame } from 'node-av/lib';
import type { FramePool } from '../libav/frame-pool.ts';

/**
 * Pictures that several presets make of one decoded frame in the same way, made once: portrait and square scale a wide
 * clip to the same width. Lives until no preset needs it.
 */
export class SharedPicture {
  readonly #pool: FramePool;
  readonly #made = new Map<string, Promise<Frame>>();
  #users = 0;

  constructor(pool: FramePool) {
    this.#pool = pool;
  }

  /** Registers one more user, until it leaves. */
  enter(): this {
    this.#users += 1;
    return this;
  }

  /** The picture under this name; `make` makes it on the first call. The frame is the caller's own reference. */
  async get(way: string, make: () => Promise<Frame>): Promise<Frame> {
    let made = this.#made.get(way);
    if (made === undefined) {
      made = make();
      this.#made.set(way, made);
    }
    return this.#pool.share(await made);
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const made of this.#made.values()) {
      made.then(
        (frame) => this.#pool.give(frame),
        () => {},
      );
    }
    this.#made.clear();
  }
}

/** How many shared frames are remembered at once: the clips of a frame, rarely more. */
const MAX_REMEMBERED = 8;

/** Detects when presets that are read in step see the same frame of a reader. */
export class SharedPictures implements Disposable {
  readonly #pool: FramePool;
  /** By reader, the one asked for least recently first. */
  readonly #latest = new Map<unknown, { readonly frame: string; readonly shared: SharedPicture }>();

  constructor(pool: FramePool) {
    this.#pool = pool;
  }

  /** @param frame identifies the reader's current frame. The caller has entered, and leaves. */
  of(reader: unknown, frame: string): SharedPicture {
    const known = this.#latest.get(reader);
    this.#latest.delete(reader);
    const shared = known?.frame === frame ? known.shared : new SharedPicture(this.#pool).enter();
    if (known !== undefined && known.shared !== shared) known.shared.leave();
    this.#latest.set(reader, { frame, shared });
    if (this.#latest.size > MAX_REMEMBERED) {
      const [oldest, forgotten] = this.#latest.entries().next().value!;
      this.#latest.delete(oldest);
      forgotten.shared.leave();
    }
    return shared.enter();
  }

  [Symbol.dispose](): void {
    for (const { shared } of this.#latest.values()) shared.leave();
    this.#latest.clear();
  }
}
