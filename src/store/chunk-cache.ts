import { ExportError } from '../errors.ts';
import { type BlobKey, type BlobStore, blobKey } from './blob-store.ts';
import type { LocalFile, LocalFiles } from './local-files.ts';

const FOLDER = 'chunks';

interface Entry {
  bytes: number;
  /** By how many readers. */
  held: number;
}

/**
 * Rendered pieces by the hash of all that decides their bytes, so that none is rendered twice. Over its limit it drops the
 * piece that nobody has needed for longest; what is held or pinned is needed, and stays even over the limit.
 */
export class ChunkCache {
  readonly #store: BlobStore;
  readonly #local: Pick<LocalFiles, 'hold'>;
  readonly #limitBytes: number;
  readonly #entries = new Map<string, Entry>();
  /** What may go, the longest unneeded first: a trim never has to look at what may not. */
  readonly #idle = new Map<string, Entry>();
  readonly #pins = new Map<string, ReadonlySet<string>>();
  /** By how many owners a key is pinned. */
  readonly #pinCounts = new Map<string, number>();
  #sizeBytes = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** Finds what earlier runs have left. Nothing is dropped before the first `put` or `unpin`, so pin what is needed. */
  static async open(store: BlobStore, local: Pick<LocalFiles, 'hold'>, limitBytes: number): Promise<ChunkCache> {
    const cache = new ChunkCache(store, local, limitBytes);
    const found = await Array.fromAsync(store.list(`${FOLDER}/`));
    found.sort((a, b) => a.modifiedAtMs - b.modifiedAtMs);
    for (const { key, bytes } of found) cache.#add(key.slice(FOLDER.length + 1), bytes);
    return cache;
  }

  private constructor(store: BlobStore, local: Pick<LocalFiles, 'hold'>, limitBytes: number) {
    this.#store = store;
    this.#local = local;
    this.#limitBytes = limitBytes;
  }

  /** Of everything kept, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether a piece is there now; only a pin makes it stay. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The piece as a local file, or null. Counts as use; it is not dropped while it is held. */
  async get(key: string): Promise<LocalFile | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    entry.held += 1;
    this.#idle.delete(key);
    try {
      const blob = await this.#local.hold(keyOf(key));
      await this.#store.touch(keyOf(key));
      let released: Promise<void> | null = null;
      const release = () => (released ??= this.#release(key, entry, blob));
      return { path: blob.path, [Symbol.asyncDispose]: release };
    } catch (cause) {
      entry.held -= 1;
      this.#rest(key, entry);
      if (!(cause instanceof ExportError && cause.code === 'store.blob_missing')) throw cause;
      // Somebody cleared the folder by hand.
      this.#remove(key, entry);
      return null;
    }
  }

  /** Takes a finished file in; it is gone from where it was. The same key again holds the same bytes. */
  put(key: string, path: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#store.putFile(keyOf(key), path);
      const info = await this.#store.info(keyOf(key));
      if (info !== null) this.#add(key, info.bytes);
      await this.#trim();
    });
  }

  /** Keeps these pieces, there already or still to come, until `owner` (an export, say) is done. Replaces its earlier pins. */
  pin(owner: string, keys: Iterable<string>): void {
    const pinned = new Set(keys);
    for (const key of pinned) {
      this.#pinCounts.set(key, (this.#pinCounts.get(key) ?? 0) + 1);
      this.#idle.delete(key);
    }
    // After the new ones are counted: what is in both does not come free in between.
    this.#letGo(owner);
    this.#pins.set(owner, pinned);
  }

  /** Lets go of what `owner` has pinned. */
  async unpin(owner: string): Promise<void> {
    if (this.#letGo(owner)) await this.#inTurn(() => this.#trim());
  }

  #letGo(owner: string): boolean {
    for (const key of this.#pins.get(owner) ?? []) {
      const left = this.#pinCounts.get(key)! - 1;
      if (left > 0) this.#pinCounts.set(key, left);
      else this.#pinCounts.delete(key);
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#rest(key, entry);
    }
    return this.#pins.delete(owner);
  }

  #add(key: string, bytes: number): void {
    const entry = this.#entries.get(key) ?? { bytes: 0, held: 0 };
    this.#sizeBytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.#entries.set(key, entry);
    this.#rest(key, entry);
  }

  /** From now on nobody needs it, unless someone still does. */
  #rest(key: string, entry: Entry): void {
    this.#idle.delete(key);
    if (entry.held === 0 && !this.#pinCounts.has(key) && this.#entries.get(key) === entry) this.#idle.set(key, entry);
  }

  #remove(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#idle.delete(key);
    this.#sizeBytes -= entry.bytes;
  }

  async #release(key: string, entry: Entry, blob: LocalFile): Promise<void> {
    entry.held -= 1;
    if (entry.held === 0) this.#rest(key, entry);
    await blob[Symbol.asyncDispose]();
    if (this.#sizeBytes > this.#limitBytes) await this.#inTurn(() => this.#trim());
  }

  async #trim(): Promise<void> {
    for (const [key, entry] of this.#idle) {
      if (this.#sizeBytes <= this.#limitBytes) return;
      // Out of the list first: whoever asks while the file goes must not be given it.
      this.#remove(key, entry);
      await this.#store.delete(keyOf(key));
    }
  }

  /** A piece that is being dropped and put again at once must not lose the new file to the old one's end. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => {});
    return result;
  }
}

function keyOf(key: string): BlobKey {
  return blobKey(FOLDER, key);
}
