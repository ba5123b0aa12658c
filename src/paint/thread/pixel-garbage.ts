/** Node has it where it was started with `--expose-gc`, as renders are. */
const collectGarbage = (globalThis as { gc?: (how: { readonly type: 'minor' | 'major' }) => void }).gc;

/**
 * Has V8 collect pixels that are no longer used. By itself it would not for a long time: it counts memory that is not its own for the whole
 * process (`CHILD_FLAGS`), and to a thread a picture is a small object.
 */
export class PixelGarbage {
  readonly #most: { readonly passingBytes: number; readonly lastingBytes: number };
  #passingBytes = 0;
  #lastingBytes = 0;

  /** @param most how much there may be before what is no longer used of it is collected. */
  constructor(most: { readonly passingBytes: number; readonly lastingBytes: number }) {
    this.#most = most;
  }

  /** Pixels that are used for a frame or two. */
  countPassing(bytes: number): void {
    this.#passingBytes += bytes;
  }

  /** Pixels that are used for some time. */
  countLasting(bytes: number): void {
    this.#lastingBytes += bytes;
  }

  /** To be called when nothing is being painted. */
  collect(): void {
    const lasting = this.#lastingBytes > this.#most.lastingBytes;
    if (!lasting && this.#passingBytes <= this.#most.passingBytes) return;
    collectGarbage?.({ type: lasting ? 'major' : 'minor' });
    this.#passingBytes = 0;
    if (lasting) this.#lastingBytes = 0;
  }
}
