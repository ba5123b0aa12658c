/** A map that keeps the most recently used entries. */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #entries = new Map<K, V>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the value for `key`; makes and keeps one if there is none. */
  getOrMake(key: K, make: () => V): V {
    const value = this.#entries.has(key) ? this.#entries.get(key)! : make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value!);
    return value;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
