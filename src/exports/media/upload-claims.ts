/** The exclusive right of a connection to send a content. */
export class UploadClaim {
  readonly #superseded = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #onRelease: () => void;
  /** Received bytes, synced or not. */
  received = 0;

  constructor(onRelease: () => void) {
    this.#onRelease = onRelease;
  }

  get superseded(): AbortSignal {
    return this.#superseded.signal;
  }

  /** Ends it. Resolves when the received bytes are synced. */
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
 * Which connection sends which content: one for each content of a tenant. A broken connection stays listed until
 * another one resumes.
 */
export class UploadClaims {
  readonly #claims = new Map<string, UploadClaim>();

  /** null if another connection has it. */
  take(tenant: string, sha256: string): UploadClaim | null {
    const key = keyOf(tenant, sha256);
    if (this.#claims.has(key)) return null;
    const claim = new UploadClaim(() => this.#claims.delete(key));
    this.#claims.set(key, claim);
    return claim;
  }

  /** Takes the claim from its current holder. */
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
