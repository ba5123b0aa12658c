import type { Client, Tenant } from './client.ts';

/** What the client of an export knows of it. */
export interface Entry {
  readonly id: string;
  /** Its owner. */
  readonly client: Client;
  /** Whether a client has requested its removal. */
  deleted: boolean;
}

/** What clients were promised, and the failures they saw. The service has no access to it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #idsByKey = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #waits: Record<Tenant, number[]> = { greedy: [], modest: [] };
  /** Violations, in words. */
  readonly faults: string[] = [];

  /** A create was answered with 201 or 202: from now on this export must exist. */
  accepted(id: string, key: string, client: Client): void {
    const known = this.#idsByKey.get(key);
    if (known !== undefined && known !== id) this.fault(`duplicated: ${known} and ${id} were made for one key`);
    this.#idsByKey.set(key, id);
    if (this.#entries.has(id)) return;
    this.#entries.set(id, { id, client, deleted: false });
    this.count('accepted');
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** An export that was not deleted; undefined if there is none. */
  pick(random: () => number): Entry | undefined {
    const kept = this.entries.filter(({ deleted }) => !deleted);
    return kept[Math.floor(random() * kept.length)];
  }

  /** Records how long a tenant waited from requesting an export to having it. */
  waited(tenant: Tenant, seconds: number): void {
    this.#waits[tenant].push(seconds);
  }

  /** How long a tenant had to wait: median, 95th percentile, maximum and count. */
  waitsOf(tenant: Tenant): string {
    const sorted = this.#waits[tenant].toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
    return sorted.length === 0 ? 'none' : `${at(0.5)} / ${at(0.95)} / ${at(1)} of ${sorted.length}`;
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
