import type { Seconds } from '../../time.ts';
import type { StartedChild } from './started-child.ts';

/** Starts a child for videos of up to this many seconds. `signal` ends it permanently. */
export type StartChild = (duration: Seconds, signal: AbortSignal) => Promise<StartedChild>;

/** Limits for videos of this many seconds are low enough for any video. */
export const SPARE_SECONDS = 120;
/** Higher limits may be this many times what a video needs. (H7) */
const MAX_EXCESS = 4;

/** A render child that is started in advance and has loaded its code. It has no data of an export. */
export class SpareChild {
  readonly #startChild: StartChild;
  #started: Promise<StartedChild | null> | null = null;
  /** The longest video that its limits allow. */
  #duration: Seconds = 0;
  #ending: NodeJS.Timeout | undefined;

  constructor(startChild: StartChild) {
    this.#startChild = startChild;
  }

  /** Starts a child, unless there is one for videos of this length. It ends after `keptMs`. */
  keep(duration: Seconds, signal: AbortSignal, keptMs?: number): void {
    if (this.#started === null || this.#duration < duration) {
      void this.close();
      this.#duration = duration;
      this.#started = this.#start(duration, signal);
    }
    clearTimeout(this.#ending);
    if (keptMs !== undefined) this.#ending = setTimeout(() => void this.close(), keptMs).unref();
  }

  /** Returns the child if its limits suit a video of this length. Otherwise it stays for another video. */
  async take(duration: Seconds): Promise<StartedChild | null> {
    const max = Math.max(SPARE_SECONDS, MAX_EXCESS * duration);
    if (this.#duration < duration || this.#duration > max) return null;
    const started = await this.#remove();
    if (started === null || started.child.lives) return started;
    await end(started);
    return null;
  }

  async close(): Promise<void> {
    const started = await this.#remove();
    if (started !== null) await end(started);
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
      if (started !== null) await end(started);
      return null;
    }
  }
}

/** A folder that cannot be removed is removed at the next start of the service. */
async function end(started: StartedChild): Promise<void> {
  await started[Symbol.asyncDispose]().catch(() => {});
}
