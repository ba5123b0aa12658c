/** What an export is known to be by those who asked for it. */
export interface Entry {
  readonly id: string;
  /** Whether a client has asked for it to be removed. */
  deleted: boolean;
}

/** What clients were promised, and what they saw go wrong. The service knows nothing of it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #idsByKey = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** What must never happen, in words. */
  readonly faults: string[] = [];

  /** A create was answered with 201 or 202: from now on this export must exist. */
  accepted(id: string, key: string): void {
    const known = this.#idsByKey.get(key);
    if (known !== undefined && known !== id) this.fault(`duplicated: ${known} and ${id} were made for one key`);
    this.#idsByKey.set(key, id);
    if (this.#entries.has(id)) return;
    this.#entries.set(id, { id, deleted: false });
    this.count('accepted');
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** One of those that nobody has deleted; undefined where there is none. */
  pick(random: () => number): Entry | undefined {
    const kept = this.entries.filter(({ deleted }) => !deleted);
    return kept[Math.floor(random() * kept.length)];
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, this.countOf(what) + by);
  }

  countOf(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  fault(what: string): void {
    this.faults.push(what);
  }
}
