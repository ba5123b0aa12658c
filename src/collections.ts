/**
 * The first index below `count` at which `holds` is true, or `count` where it never is. By bisection: `holds` is false up to
 * some index, and true from there on.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A limit on values of different sizes. */
interface TotalLimit<V> {
  readonly sizeOf: (value: V) => number;
  readonly max: number;
}

/** Entries that are kept regardless of their size: a caller may alternate between two. */
const MIN_KEPT = 2;

/** A map that keeps the most recently used entries. */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #inAll: TotalLimit<V> | null;
  readonly #entries = new Map<K, V>();
  /** The size of all values together. */
  #total = 0;

  /** @param inAll a limit on the size of all values together; the two most recently used are kept in any case. */
  constructor(capacity: number, inAll: TotalLimit<V> | null = null) {
    this.#capacity = capacity;
    this.#inAll = inAll;
  }

  /** Returns the value for `key`; makes and keeps one if there is none. */
  getOrMake(key: K, make: () => V): V {
    const isKnown = this.#entries.has(key);
    const value = isKnown ? this.#entries.get(key)! : make();
    this.delete(key);
    this.#entries.set(key, value);
    this.#total += this.#sizeOf(value);
    while (!isKnown && this.#isOver()) this.delete(this.#entries.keys().next().value!);
    return value;
  }

  delete(key: K): void {
    if (this.#entries.has(key)) this.#total -= this.#sizeOf(this.#entries.get(key)!);
    this.#entries.delete(key);
  }

  /** Deletes the entries of all other keys. */
  keep(isKept: (key: K) => boolean): void {
    for (const key of this.#entries.keys()) if (!isKept(key)) this.delete(key);
  }

  #sizeOf(value: V): number {
    return this.#inAll?.sizeOf(value) ?? 0;
  }

  #isOver(): boolean {
    const { size } = this.#entries;
    if (size > this.#capacity) return true;
    if (this.#inAll === null || size <= MIN_KEPT) return false;
    return this.#total > this.#inAll.max;
  }
}
