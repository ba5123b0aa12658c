import type { Seconds } from '../../time.ts';
import type { StartedChild } from './started-child.ts';

/** Starts a child for videos of up to this many seconds. `signal` ends it permanently. */
export type StartChild = (duration: Seconds, signal: AbortSignal) => Promise<StartedChild>;

/** A render child that is started in advance and has loaded its code. It has no data of an export. */
export class SpareChild {
  readonly #startChild: StartChild;
  #started: Promise<StartedChild | null> | null = null;
  #ending: NodeJS.Timeout | undefined;

  constructor(startChild: StartChild) {
    this.#startChild = startChild;
  }

  /** Starts a child, unless there is one. It ends after `keptMs`. */
  keep(duration: Seconds, signal: AbortSignal, keptMs?: number): void {
    this.#started ??= this.#start(duration, signal);
    clearTimeout(this.#ending);
    if (keptMs !== undefined) this.#ending = setTimeout(() => void this.close(), keptMs).unref();
  }

  /** Returns the child if its limits allow a video of this length. It ends if they do not. */
  async take(duration: Seconds): Promise<StartedChild | null> {
    const started = await this.#remove();
    if (started?.child.lives && started.duration >= duration) return started;
    await started?.[Symbol.asyncDispose]();
    return null;
  }

  async close(): Promise<void> {
    const started = await this.#remove();
    await started?.[Symbol.asyncDispose]();
  }

  async #remove(): Promise<StartedChild | null> {
    const started = this.#started;
    this.#started = null;
    clearTimeout(this.#ending);
    return started;
  }

  /** null if the start failed; the next export then starts its own. */
  async #start(duration: Seconds, signal: AbortSignal): Promise<StartedChild | null> {
    let started: StartedChild | null = null;
    try {
      started = await this.#startChild(duration, signal);
      await started.child.request('warm_up', { for: 'render' }, { signal });
      return started;
    } catch {
      await started?.[Symbol.asyncDispose]();
      return null;
    }
  }
}
