import { sha256 } from '../../platform/sha256.ts';
import type { Transaction } from '../database.ts';
import type { LocalFile } from '../local-files.ts';
import type { ChunkCache } from './chunk-cache.ts';

const SCOPE_DIGITS = 16;

/**
 * The cache of rendered parts as one tenant sees it. Equal parts have equal keys for all tenants, but each tenant
 * is given its own: what a render that was broken into has put there, or how long a chunk takes to come, reaches nobody
 * else. Where all tenants trust each other, they share.
 */
export class TenantChunks {
  readonly #cache: ChunkCache;
  readonly #shared: boolean;

  constructor(cache: ChunkCache, { shared }: { readonly shared: boolean }) {
    this.#cache = cache;
    this.#shared = shared;
  }

  /** Of everything kept for anybody, in bytes. */
  get sizeBytes(): number {
    return this.#cache.sizeBytes;
  }

  /** As `ChunkCache.has`. */
  has(tenant: string, key: string): Promise<boolean> {
    return this.#cache.has(this.#address(tenant, key));
  }

  /** Tells which of these chunks are there, by the records alone. */
  async present(tenant: string, keys: readonly string[]): Promise<(key: string) => boolean> {
    const present = await this.#cache.present(keys.map((key) => this.#address(tenant, key)));
    return (key) => present.has(this.#address(tenant, key));
  }

  /** Tells which chunks are there of those that `owner` has pinned. */
  async known(tenant: string, owner: string, tx?: Transaction): Promise<(key: string) => boolean> {
    const known = await this.#cache.known(owner, tx);
    return (key) => known.has(this.#address(tenant, key));
  }

  /** As `ChunkCache.get`. */
  get(tenant: string, key: string, options?: { readonly unchecked: boolean }): Promise<LocalFile | null> {
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

  /** Tenants are named by operators, in any letters; a file's name is not. */
  #address(tenant: string, key: string): string {
    return this.#shared ? key : `${sha256(tenant).slice(0, SCOPE_DIGITS)}/${key}`;
  }
}
