import type { ChildLimits } from './child-limits.ts';
import { heldBytes } from './held-bytes.ts';
import { processLoad } from './process-load.ts';

/** Which limit was passed. */
export type WatchdogVerdict = 'out_of_memory' | 'over_disk' | 'too_many_threads' | 'stalled' | 'over_budget';

const LOOK_EVERY_MS = process.platform === 'linux' ? 100 : 1_000;
/** A disk fills more slowly than memory does, and takes more looking. */
const LOOK_AT_DISK_EVERY_MS = 1_000;

/** What is watched: a process and the folder it writes to. */
interface Watched {
  readonly pid: number | undefined;
  readonly folder: string;
}

/**
 * Watches one child against its limits and barks once. Time counts only between `begin` and `end`; the rest always.
 *
 * Release with `using` or when the child is gone, or the timer goes on.
 */
export class Watchdog implements Disposable {
  readonly #watched: Watched;
  readonly #limits: ChildLimits;
  readonly #bark: (verdict: WatchdogVerdict) => void;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #stopped = false;
  #peakRssBytes = 0;
  #nextDiskLookMs = 0;
  #working = 0;
  #workedMs = 0;
  #lastLookMs = performance.now();
  #lastProgressMs = performance.now();

  constructor(watched: Watched, limits: ChildLimits, bark: (verdict: WatchdogVerdict) => void) {
    this.#watched = watched;
    this.#limits = limits;
    this.#bark = bark;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  /** The most memory the child was seen to hold. */
  get peakRssBytes(): number {
    return this.#peakRssBytes;
  }

  /** A request is under way. */
  begin(): void {
    if (this.#working++ > 0) return;
    this.#lastLookMs = performance.now();
    this.#lastProgressMs = performance.now();
  }

  /** A request got further. */
  progressed(): void {
    this.#lastProgressMs = performance.now();
  }

  /** A request is over. */
  end(): void {
    this.#countTime();
    this.#working--;
    this.progressed();
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.#countTime();
    if (this.#working > 0 && this.#workedMs > this.#limits.budgetMs) return this.#judge('over_budget');
    if (this.#working > 0 && performance.now() - this.#lastProgressMs > this.#limits.stallMs) {
      return this.#judge('stalled');
    }
    if (this.#looking) return;
    this.#looking = true;
    await this.#lookAtProcess();
    await this.#lookAtDisk();
    this.#looking = false;
  }

  async #lookAtProcess(): Promise<void> {
    const { pid } = this.#watched;
    const load = pid === undefined ? null : await processLoad(pid);
    if (load === null) return;
    this.#peakRssBytes = Math.max(this.#peakRssBytes, load.peakRssBytes);
    if (load.rssBytes > this.#limits.rssBytes) this.#judge('out_of_memory');
    if (load.threads > this.#limits.threads) this.#judge('too_many_threads');
  }

  async #lookAtDisk(): Promise<void> {
    if (performance.now() < this.#nextDiskLookMs) return;
    this.#nextDiskLookMs = performance.now() + LOOK_AT_DISK_EVERY_MS;
    const { folder, pid } = this.#watched;
    if ((await heldBytes(folder, pid)) > this.#limits.workBytes) this.#judge('over_disk');
  }

  #judge(verdict: WatchdogVerdict): void {
    if (this.#stopped) return;
    this[Symbol.dispose]();
    this.#bark(verdict);
  }

  #countTime(): void {
    const now = performance.now();
    if (this.#working > 0) this.#workedMs += now - this.#lastLookMs;
    this.#lastLookMs = now;
  }
}
