import { Gate } from '../gate.ts';

/** How many files are fetched at once. */
export interface FetchPlacesPolicy {
  readonly maxFetches: number;
  readonly maxTenantFetches: number;
}

/** Limits concurrent fetches, in all and for one tenant: slow servers of one tenant do not block others. */
export class FetchPlaces {
  readonly #policy: FetchPlacesPolicy;
  readonly #all: Gate;
  readonly #own = new Map<string, { readonly gate: Gate; users: number }>();

  constructor(policy: FetchPlacesPolicy) {
    this.#policy = policy;
    this.#all = new Gate(policy.maxFetches);
  }

  async run<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#own.get(tenant) ?? { gate: new Gate(this.#policy.maxTenantFetches), users: 0 };
    this.#own.set(tenant, own);
    own.users += 1;
    try {
      return await own.gate.run(tenant, signal, () => this.#all.run(tenant, signal, work));
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#own.delete(tenant);
    }
  }
}
