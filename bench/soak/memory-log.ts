import { openHandles, residentBytes } from '../../test/service/process-tree.ts';

const MEGABYTE = 2 ** 20;

/** A process's memory and descriptors over time. */
export class MemoryLog {
  readonly #samples: { readonly minutes: number; readonly megabytes: number }[] = [];
  readonly #begunMs = performance.now();
  #maxHandles = 0;

  sample(pid: number): void {
    this.#maxHandles = Math.max(this.#maxHandles, openHandles(pid));
    const minutes = (performance.now() - this.#begunMs) / 60_000;
    this.#samples.push({ minutes, megabytes: residentBytes(pid) / MEGABYTE });
  }

  get maxHandles(): number {
    return this.#maxHandles;
  }

  /** Median of the first and of the last fifth, so that a single garbage collection does not matter. */
  get ends(): { readonly first: number; readonly last: number; readonly most: number } {
    const megabytes = this.#samples.map((sample) => sample.megabytes);
    const fifth = Math.max(1, Math.floor(megabytes.length / 5));
    const first = median(megabytes.slice(0, fifth));
    return { first, last: median(megabytes.slice(-fifth)), most: Math.max(...megabytes) };
  }

  /** Megabytes an hour over the second half, when everything has been used once: the slope of the line that fits best. */
  get driftAnHour(): number {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const mean = (of: (sample: (typeof half)[number]) => number) =>
      half.reduce((sum, s) => sum + of(s), 0) / half.length;
    const [minutes, megabytes] = [mean((s) => s.minutes), mean((s) => s.megabytes)];
    const rise = mean((s) => (s.minutes - minutes) * (s.megabytes - megabytes));
    return (rise / mean((s) => (s.minutes - minutes) ** 2)) * 60;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
