/** Chooses the next tenant: of those with waiting jobs, the one served longest ago. Kept in memory only. */
export class TenantTurns {
  readonly #servedAt = new Map<string, number>();
  #turn = 0;

  /**
   * Gives the turn to one of them; among those never served, to the one that has waited longest. null if none waits.
   */
  next<Waiting extends { readonly tenant: string; readonly seq: number }>(waiting: readonly Waiting[]): Waiting | null {
    let first: Waiting | null = null;
    for (const candidate of waiting) if (first === null || this.#isBefore(candidate, first)) first = candidate;
    if (first !== null) {
      this.#turn += 1;
      this.#servedAt.set(first.tenant, this.#turn);
    }
    return first;
  }

  #isBefore(one: { tenant: string; seq: number }, other: { tenant: string; seq: number }): boolean {
    const [at, otherAt] = [this.#servedAt.get(one.tenant) ?? 0, this.#servedAt.get(other.tenant) ?? 0];
    return at === otherAt ? one.seq < other.seq : at < otherAt;
  }
}
