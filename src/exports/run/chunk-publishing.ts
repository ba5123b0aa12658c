import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/render-plan.ts';

/** A chunk of a plan, and where the child is to put it. */
export interface ChunkTarget {
  readonly range: RenderPlan['chunks'][number];
  readonly out: string;
}

/** Publishes chunks as they appear, those of each preset in their order. */
export class ChunkPublishing {
  readonly #waiting: ChunkTarget[][];
  readonly #publish: (target: ChunkTarget) => Promise<void>;
  #under: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(targets: readonly (readonly ChunkTarget[])[], publish: (target: ChunkTarget) => Promise<void>) {
    this.#waiting = targets.map((ofOne) => [...ofOne]);
    this.#publish = publish;
  }

  /** One look at a time: progress comes faster than files are taken in. */
  look(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#under = this.#publishFinished().finally(() => {
      this.#busy = false;
    });
    this.#under.catch(() => {}); // thrown by `finish`
  }

  /** Everything is there. */
  async finish(): Promise<void> {
    await this.#under;
    for (const target of this.#waiting.flat()) await this.#publish(target);
  }

  async #publishFinished(): Promise<void> {
    for (const targets of this.#waiting) {
      while (targets.length > 0 && (await exists(targets[0]!.out))) await this.#publish(targets.shift()!);
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
