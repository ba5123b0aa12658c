import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/model/render-plan.ts';

/** A chunk of a plan, and the path that the child writes it to. */
export interface ChunkTarget {
  readonly range: RenderPlan['chunks'][number];
  readonly out: string;
}

/** Publishes chunks as they appear, in the order of each preset. */
export class ChunkPublishing<Target extends Pick<ChunkTarget, 'out'>> {
  readonly #waiting: Target[][];
  readonly #publish: (target: Target) => Promise<void>;
  #under: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(targets: readonly (readonly Target[])[], publish: (target: Target) => Promise<void>) {
    this.#waiting = targets.map((ofOne) => [...ofOne]);
    this.#publish = publish;
  }

  /** Runs one at a time, because progress arrives faster than files are published. */
  look(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#under = this.#publishFinished().finally(() => {
      this.#busy = false;
    });
    this.#under.catch(() => {}); // thrown by `finish`
  }

  /** Publishes the rest; call it when all chunks exist. */
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
