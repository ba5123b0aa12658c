/** Someone's right to be the only one who sends a content. */
export class UploadClaim {
  readonly #superseded = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #onRelease: () => void;
  /** What has come so far, safe or not. */
  received = 0;

  constructor(onRelease: () => void) {
    this.#onRelease = onRelease;
  }

  get superseded(): AbortSignal {
    return this.#superseded.signal;
  }

  /** Ends it; resolves when what has come is put away. */
  async supersede(): Promise<void> {
    this.#superseded.abort();
    await this.#ended.promise;
  }

  release(): void {
    this.#onRelease();
    this.#ended.resolve();
  }
}

/**
 * Who is sending which content right now: one connection for each content of a tenant. A connection that broke without a
 * word is still among them, until someone goes on in its place.
 */
export class UploadClaims {
  readonly #claims = new Map<string, UploadClaim>();

  /** null where somebody else has it. */
  take(tenant: string, sha256: string): UploadClaim | null {
    const key = keyOf(tenant, sha256);
    if (this.#claims.has(key)) return null;
    const claim = new UploadClaim(() => this.#claims.delete(key));
    this.#claims.set(key, claim);
    return claim;
  }

  /** The same, from its current holder. */
  async takeOver(tenant: string, sha256: string): Promise<UploadClaim> {
    for (;;) {
      const claim = this.take(tenant, sha256);
      if (claim !== null) return claim;
      await this.find(tenant, sha256)?.supersede();
    }
  }

  find(tenant: string, sha256: string): UploadClaim | null {
    return this.#claims.get(keyOf(tenant, sha256)) ?? null;
  }
}

function keyOf(tenant: string, sha256: string): string {
  return `${sha256} ${tenant}`;
}
