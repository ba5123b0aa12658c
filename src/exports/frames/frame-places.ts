import { ExportError } from '../../errors.ts';

/** How many requests for frames are accepted, including the waiting ones. */
export interface FramePlacesPolicy {
  readonly maxFrames: number;
  readonly maxTenantFrames: number;
}

/** Counts the requests for frames, starting at their headers. */
export class FramePlaces {
  readonly #policy: FramePlacesPolicy;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(policy: FramePlacesPolicy) {
    this.#policy = policy;
  }

  /** Takes a place until disposed. @throws `frame.too_many` */
  take(tenant: string): Disposable {
    const { maxFrames, maxTenantFrames } = this.#policy;
    const own = this.#taken.get(tenant) ?? 0;
    if (own >= maxTenantFrames || this.#all >= maxFrames) {
      const which = own >= maxTenantFrames ? `${own} of your frames` : `${this.#all} frames`;
      throw new ExportError(
        'unavailable',
        'frame.too_many',
        `${which} are already in progress. Try again in a moment.`,
      );
    }
    this.#count(tenant, 1);
    return { [Symbol.dispose]: () => this.#count(tenant, -1) };
  }

  #count(tenant: string, change: number): void {
    const own = (this.#taken.get(tenant) ?? 0) + change;
    if (own > 0) this.#taken.set(tenant, own);
    else this.#taken.delete(tenant);
    this.#all += change;
  }
}
