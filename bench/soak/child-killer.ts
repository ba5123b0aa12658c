import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf } from '../../test/service/process-tree.ts';

const LOOK_EVERY_MS = 40;
const LONGEST_LIFE_MS = 2_500;

/** Kills a share of a service's children, each at a random moment of its life. */
export class ChildKiller {
  readonly #seen = new Set<number>();
  #killed = 0;
  #condemned = 0;

  /** How many children there were, and how many of them were killed. */
  get tally(): { readonly seen: number; readonly killed: number } {
    return { seen: this.#seen.size, killed: this.#killed };
  }

  /** Goes on until `signal` aborts. */
  async run(pid: number, share: number, random: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const child of descendantsOf(pid)) {
        if (this.#seen.has(child)) continue;
        this.#seen.add(child);
        // Some escape by ending first; others take their place, so that the share is kept.
        const tooFew = this.#killed + this.#condemned + 1 < share * this.#seen.size;
        if (tooFew || random() < share) void this.#killLater(child, random);
      }
      await delay(LOOK_EVERY_MS);
    }
  }

  async #killLater(child: number, random: () => number): Promise<void> {
    const how = random() < 0.5 ? 'SIGKILL' : 'SIGSEGV';
    this.#condemned += 1;
    await delay(random() * LONGEST_LIFE_MS);
    this.#condemned -= 1;
    try {
      process.kill(child, how);
      this.#killed += 1;
    } catch {
      // It was faster.
    }
  }
}
