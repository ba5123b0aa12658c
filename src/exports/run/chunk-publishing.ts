import { access } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/render-plan.ts';

/** A chunk of a plan, and where the child is to put it. */
export interface ChunkTarget {
  readonly range: RenderPlan['chunks'][number];
  readonly out: string;
}

/** Publishes pieces as they appear, those of each preset in their order. */
export class ChunkPublishing {
  readonly #waiting: ChunkTarget[][];
  readonly #publish: (piece: ChunkTarget) => Promise<void>;
  #under: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(pieces: readonly (readonly ChunkTarget[])[], publish: (piece: ChunkTarget) => Promise<void>) {
    this.#waiting = pieces.map((ofOne) => [...ofOne]);
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
    for (const piece of this.#waiting.flat()) await this.#publish(piece);
  }

  async #publishFinished(): Promise<void> {
    for (const pieces of this.#waiting) {
      while (pieces.length > 0 && (await exists(pieces[0]!.out))) await this.#publish(pieces.shift()!);
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
