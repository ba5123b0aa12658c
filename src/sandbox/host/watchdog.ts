import type { ChildLimits } from './child-limits.ts';
import { processMemory } from './process-memory.ts';

/** Which limit was passed. */
export type WatchdogVerdict = 'out_of_memory' | 'stalled' | 'over_budget';

const LOOK_EVERY_MS = process.platform === 'linux' ? 100 : 1_000;

/**
 * Watches one child against its limits and barks once. Time counts only between `begin` and `end`; memory always.
 *
 * Release with `using` or when the child is gone, or the timer goes on.
 */
export class Watchdog implements Disposable {
  readonly #pid: number | undefined;
  readonly #limits: ChildLimits;
  readonly #bark: (verdict: WatchdogVerdict) => void;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #stopped = false;
  #peakRssBytes = 0;
  #working = 0;
  #workedMs = 0;
  #lastLookMs = performance.now();
  #lastProgressMs = performance.now();

  constructor(pid: number | undefined, limits: ChildLimits, bark: (verdict: WatchdogVerdict) => void) {
    this.#pid = pid;
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
    if (this.#looking || this.#pid === undefined) return;
    this.#looking = true;
    const memory = await processMemory(this.#pid);
    this.#looking = false;
    if (memory === null) return;
    this.#peakRssBytes = Math.max(this.#peakRssBytes, memory.peakRssBytes);
    if (memory.rssBytes > this.#limits.rssBytes) this.#judge('out_of_memory');
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
