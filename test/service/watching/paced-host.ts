import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../../src/sandbox/host/child-limits.ts';
import type { RenderChild } from '../../../src/sandbox/render-child.ts';
import { type ChildTask, RenderHost } from '../../../src/sandbox/render-host.ts';

/** A request for chunks. */
interface Chunks {
  readonly presets: readonly { readonly jobs: readonly unknown[] }[];
}

/** Real render children that start a chunk on request, so that a test can check a render in between. */
export class PacedHost extends RenderHost {
  #begun = 0;
  #allowed = 0;
  #failure: Error | null = null;
  readonly #held: (() => void)[] = [];

  constructor() {
    super({ mode: 'auto', allowance: DEFAULT_CHILD_ALLOWANCE, mediaLimits: DEFAULT_MEDIA_LIMITS });
  }

  /** So many more chunks may begin. */
  allow(more: number): void {
    this.#allowed += more;
    for (const go of this.#held.splice(0)) go();
  }

  /** From here on chunks fail for this reason. */
  failWith(failure: Error): void {
    this.#failure = failure;
    this.allow(1000);
  }

  override async open(task: ChildTask): Promise<RenderChild> {
    const child = await super.open(task);
    const request = child.request.bind(child);
    child.request = async (op, params, options) => {
      const [preset, ...others] = op === 'render_chunks' ? (params as Chunks).presets : [];
      if (preset === undefined || others.length > 0) return request(op, params, options);
      const { jobs } = preset;
      const results: unknown[] = [];
      for (const job of jobs) {
        await this.#turn(options?.signal);
        results.push(
          ...((await request(op, { ...params, presets: [{ ...preset, jobs: [job] }] } as never, options)) as unknown[]),
        );
        options?.onProgress?.({ done: results.length, total: jobs.length });
      }
      return results as never;
    };
    return child;
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    while (this.#begun >= this.#allowed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => resolve(), { once: true });
      this.#held.push(resolve);
      await promise;
      signal?.throwIfAborted();
    }
    // Not before: a job that is interrupted while it waits, and runs again, begins one chunk.
    this.#begun += 1;
    if (this.#failure !== null) throw this.#failure;
  }
}
