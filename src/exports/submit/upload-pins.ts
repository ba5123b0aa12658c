import { Gate } from './gate.ts';

/**
 * Uploads that are about to be used by an export whose record is not written yet. Whoever removes uploads that no record
 * mentions leaves pinned ones alone.
 */
export class UploadPins {
  readonly #gate = new Gate(1);
  readonly #counts = new Map<string, number>();

  /** Holds the uploads until disposed. */
  pin(hashes: Iterable<string>): Disposable {
    const held = [...new Set(hashes)];
    for (const hash of held) this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        for (const hash of held) {
          const left = (this.#counts.get(hash) ?? 1) - 1;
          if (left === 0) this.#counts.delete(hash);
          else this.#counts.set(hash, left);
        }
      },
    };
  }

  /** Keeping and removing uploads take turns, so that nobody finds a file that is just about to go. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.run('', new AbortController().signal, work);
  }

  has(hash: string): boolean {
    return this.#counts.has(hash);
  }
}
