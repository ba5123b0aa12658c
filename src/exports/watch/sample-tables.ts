import type { SampleTable } from '../../iso/mp4/sample-table.ts';

/** For all tables together: some 50 MB at most, and hundreds of videos of the usual length. */
const MAX_SAMPLES = 3_000_000;

/** The sample tables of long files, read once for many segments; the last used ones are cached. */
export class SampleTables {
  readonly #cached = new Map<string, SampleTable>();
  #samples = 0;

  /** @param name identifies the bytes that the table is of; it is never reused for others. */
  async get(name: string, read: () => Promise<SampleTable>): Promise<SampleTable> {
    const known = this.#cached.get(name);
    const table = known ?? (await read());
    this.#drop(name);
    this.#cached.set(name, table);
    this.#samples += table.sizes.length;
    for (const [oldest] of this.#cached) {
      if (this.#samples <= MAX_SAMPLES || this.#cached.size === 1) break;
      this.#drop(oldest);
    }
    return table;
  }

  #drop(name: string): void {
    this.#samples -= this.#cached.get(name)?.sizes.length ?? 0;
    this.#cached.delete(name);
  }
}
