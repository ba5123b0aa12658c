import { sha256 } from '../../platform/sha256.ts';
import type { Transaction } from '../database.ts';
import type { CachedFile, ChunkCache } from './chunk-cache.ts';

const SCOPE_DIGITS = 16;

/**
 * The cache of one tenant. Equal chunks have equal keys for all tenants, but each tenant has its own copies: neither
 * the output of a compromised render nor the time of a cache hit reaches another tenant. If all tenants trust each
 * other, they share.
 */
export class TenantChunks {
  readonly #cache: ChunkCache;
  readonly #shared: boolean;

  constructor(cache: ChunkCache, { shared }: { readonly shared: boolean }) {
    this.#cache = cache;
    this.#shared = shared;
  }

  /** The total size for all tenants, in bytes. */
  get sizeBytes(): number {
    return this.#cache.sizeBytes;
  }

  /** As `ChunkCache.has`. */
  has(tenant: string, key: string): Promise<boolean> {
    return this.#cache.has(this.#address(tenant, key));
  }

  /** Returns a function that says which of these chunks are cached, by the records alone. */
  async present(tenant: string, keys: readonly string[]): Promise<(key: string) => boolean> {
    const present = await this.#cache.present(keys.map((key) => this.#address(tenant, key)));
    return (key) => present.has(this.#address(tenant, key));
  }

  /** Returns a function that says which of the chunks pinned by `owner` are cached. */
  async known(tenant: string, owner: string, tx?: Transaction): Promise<(key: string) => boolean> {
    const known = await this.#cache.known(owner, tx);
    return (key) => known.has(this.#address(tenant, key));
  }

  /** As `ChunkCache.get`. */
  get(tenant: string, key: string, options?: { readonly unchecked: boolean }): Promise<CachedFile | null> {
    return this.#cache.get(this.#address(tenant, key), options);
  }

  /** As `ChunkCache.put`. */
  put(tenant: string, key: string, path: string, options?: { readonly spare: boolean }): Promise<void> {
    return this.#cache.put(this.#address(tenant, key), path, options);
  }

  /** As `ChunkCache.pin`. */
  pin(tenant: string, owner: string, keys: Iterable<string>, tx: Transaction): Promise<void> {
    const addresses = Iterator.from(keys).map((key) => this.#address(tenant, key));
    return this.#cache.pin(owner, addresses, tx);
  }

  /** As `ChunkCache.unpin`. */
  unpin(owner: string): Promise<void> {
    return this.#cache.unpin(owner);
  }

  /** As `ChunkCache.trim`. */
  trim(): Promise<void> {
    return this.#cache.trim();
  }

  /** Operators name tenants in any script, which a file name cannot have. */
  #address(tenant: string, key: string): string {
    return this.#shared ? key : `${sha256(tenant).slice(0, SCOPE_DIGITS)}/${key}`;
  }
}
