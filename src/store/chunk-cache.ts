import { ExportError } from '../errors.ts';
import { type BlobKey, type BlobStore, blobKey, type LocalBlob } from './blob-store.ts';

const FOLDER = 'chunks';

interface Entry {
  bytes: number;
  /** By how many readers. */
  held: number;
}

/**
 * Rendered pieces by the hash of all that decides their bytes, so that none is rendered twice. Over its limit it drops the
 * piece that was used longest ago; what is held or pinned stays, even over the limit.
 */
export class ChunkCache {
  readonly #store: BlobStore;
  readonly #limitBytes: number;
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>();
  readonly #pins = new Map<string, ReadonlySet<string>>();
  #sizeBytes = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** Finds what earlier runs have left. Nothing is dropped before the first `put` or `unpin`, so pin what is needed. */
  static async open(store: BlobStore, limitBytes: number): Promise<ChunkCache> {
    const cache = new ChunkCache(store, limitBytes);
    const found = await Array.fromAsync(store.list(`${FOLDER}/`));
    found.sort((a, b) => a.modifiedAtMs - b.modifiedAtMs);
    for (const { key, bytes } of found) cache.#add(key.slice(FOLDER.length + 1), bytes);
    return cache;
  }

  private constructor(store: BlobStore, limitBytes: number) {
    this.#store = store;
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
  async get(key: string): Promise<LocalBlob | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#moveToEnd(key, entry);
    entry.held += 1;
    try {
      const blob = await this.#store.local(keyOf(key));
      await this.#store.touch(keyOf(key));
      let released: Promise<void> | null = null;
      const release = () => (released ??= this.#release(entry, blob));
      return { path: blob.path, [Symbol.asyncDispose]: release };
    } catch (cause) {
      entry.held -= 1;
      if (!(cause instanceof ExportError && cause.code === 'store.blob_missing')) throw cause;
      // Somebody cleared the folder by hand.
      this.#remove(key, entry);
      return null;
    }
  }

  /** Takes a finished file in; it is gone from where it was. The same key again holds the same bytes. */
  put(key: string, path: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#store.adopt(keyOf(key), path);
      const info = await this.#store.info(keyOf(key));
      if (info !== null) this.#add(key, info.bytes);
      await this.#trim();
    });
  }

  /** Keeps these pieces, there already or still to come, until `owner` (an export, say) is done. Replaces its earlier pins. */
  pin(owner: string, keys: Iterable<string>): void {
    this.#pins.set(owner, new Set(keys));
  }

  /** Lets go of what `owner` has pinned. */
  async unpin(owner: string): Promise<void> {
    if (this.#pins.delete(owner)) await this.#inTurn(() => this.#trim());
  }

  #add(key: string, bytes: number): void {
    const entry = this.#entries.get(key) ?? { bytes: 0, held: 0 };
    this.#sizeBytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.#moveToEnd(key, entry);
  }

  #moveToEnd(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #remove(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#sizeBytes -= entry.bytes;
  }

  async #release(entry: Entry, blob: LocalBlob): Promise<void> {
    entry.held -= 1;
    await blob[Symbol.asyncDispose]();
    if (this.#sizeBytes > this.#limitBytes) await this.#inTurn(() => this.#trim());
  }

  async #trim(): Promise<void> {
    for (const [key, entry] of this.#entries) {
      if (this.#sizeBytes <= this.#limitBytes) return;
      if (entry.held > 0 || this.#isPinned(key)) continue;
      // Out of the list first: whoever asks while the file goes must not be given it.
      this.#remove(key, entry);
      await this.#store.delete(keyOf(key));
    }
  }

  #isPinned(key: string): boolean {
    return this.#pins.values().some((keys) => keys.has(key));
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
