import type { SampleTable } from '../../iso/mp4/sample-table.ts';

/** Of all that is kept together: some 50 MB at the most, and hundreds of videos of the usual length. */
const MOST_SAMPLES = 3_000_000;

/** The indexes of long files, read once for the many segments that are cut by them; the last used are at hand. */
export class SampleTables {
  readonly #atHand = new Map<string, SampleTable>();
  #samples = 0;

  /** @param name of the bytes that the index is of: it never stands for others. */
  async get(name: string, read: () => Promise<SampleTable>): Promise<SampleTable> {
    const known = this.#atHand.get(name);
    const table = known ?? (await read());
    this.#drop(name);
    this.#atHand.set(name, table);
    this.#samples += table.sizes.length;
    for (const [oldest] of this.#atHand) {
      if (this.#samples <= MOST_SAMPLES || this.#atHand.size === 1) break;
      this.#drop(oldest);
    }
    return table;
  }

  #drop(name: string): void {
    this.#samples -= this.#atHand.get(name)?.sizes.length ?? 0;
    this.#atHand.delete(name);
  }
}
