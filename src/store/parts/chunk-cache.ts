import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import { hashFile } from '../../platform/hash-file.ts';
import { type BlobKey, type BlobStore, blobKey, deleteAll } from '../blob-store.ts';
import type { Database, Transaction } from '../database.ts';
import type { LocalFile, LocalFiles } from '../local-files.ts';
import { diskError } from '../store-error.ts';
import type { PartRecord, PartRecords } from './part-records.ts';

/** Chunks that are given up in one transaction. */
const AT_A_TIME = 50;
/** A spare chunk counts as used so long ago: it may take the place of older ones, and goes before all that were used since. */
const SPARE_AGE_MS = 3_600_000;

interface ChunkCachePorts {
  readonly database: Database;
  readonly parts: PartRecords;
  readonly blobs: Pick<BlobStore, 'putFile' | 'info' | 'delete' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'hold'>;
  readonly limitBytes: number;
  readonly now: () => number;
}

/**
 * Rendered chunks by the hash of all that decides their bytes, so that none is rendered twice, whichever node did. Over its
 * limit it drops the chunk that nobody has needed for longest; what is pinned, or held by this process, is needed, and stays
 * even over the limit.
 */
export class ChunkCache {
  readonly #ports: ChunkCachePorts;
  /** By how many readers of this process. */
  readonly #held = new Map<string, number>();
  /** Uses that are not written down yet: that is done before something is dropped, and now and then. */
  readonly #used = new Map<string, number>();
  /** As far as this process knows; others add to it. */
  #sizeBytes = 0;
  #lastMs = 0;
  /**
   * No chunk that may go was used before. Whatever comes free later is used at that moment: a trim never has to look at all
   * that may not go.
   */
  #idleSinceMs = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** Nothing is dropped before the first `put` or `unpin`. */
  static async open(ports: ChunkCachePorts): Promise<ChunkCache> {
    const cache = new ChunkCache(ports);
    cache.#sizeBytes = await ports.parts.sumBytes(ports.database);
    return cache;
  }

  private constructor(ports: ChunkCachePorts) {
    this.#ports = ports;
  }

  /** Of everything kept, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether a chunk is there now; only a pin makes it stay. */
  async has(key: string): Promise<boolean> {
    const { database, parts, blobs } = this.#ports;
    const part = await parts.find(key, database.committed);
    if (part === null) return false;
    if ((await blobs.info(part.blob))?.bytes === part.bytes) return true;
    await this.#forget(part);
    return (await parts.find(key, database)) !== null;
  }

  /** Which of these chunks are there now, by the records alone. */
  present(keys: readonly string[]): Promise<Set<string>> {
    return this.#ports.parts.present(keys, this.#ports.database.committed);
  }

  /** Of what `owner` has pinned, the chunks that are there. */
  known(owner: string, tx: Transaction = this.#ports.database.committed): Promise<Set<string>> {
    return this.#ports.parts.known(owner, tx);
  }

  /**
   * The chunk as a local file, or null. Counts as use; this process does not drop it while it is held. Its bytes are those
   * that were put in, unless the caller says that it does not matter: looking takes as long as reading all of it.
   */
  async get(key: string, { unchecked = false } = {}): Promise<LocalFile | null> {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    try {
      const file = await this.#find(key, unchecked);
      if (file === null) this.#letGo(key);
      else this.#used.set(key, this.#tick());
      let released: Promise<void> | null = null;
      const release = () => (released ??= this.#release(key, file!));
      return file && { path: file.path, [Symbol.asyncDispose]: release };
    } catch (cause) {
      this.#letGo(key);
      throw cause;
    }
  }

  /**
   * Takes a finished file in; it is gone from where it was. The same key again holds the same bytes. A `spare` chunk counts as
   * used an hour ago: it goes before all that was used since, unless somebody uses it.
   */
  async put(key: string, path: string, { spare = false } = {}): Promise<void> {
    const { database, parts, blobs } = this.#ports;
    const { bytes, sha256 } = await onDisk(() => hashFile(path));
    const blob = blobKey('parts', key, randomUUID());
    await blobs.putFile(blob, path);
    const usedAtMs = spare ? Math.max(0, this.#tick() - SPARE_AGE_MS) : this.#tick();
    const isNew = await parts.publish({ key, blob, bytes, sha256, usedAtMs }, database);
    if (spare) this.#idleSinceMs = Math.min(this.#idleSinceMs, usedAtMs);
    if (isNew) this.#sizeBytes += bytes;
    else {
      if (!spare) this.#used.set(key, this.#tick());
      await blobs.delete(blob);
    }
    await this.#trimIfOver();
  }

  /** Keeps these chunks, there already or still to come, until `owner` (an output, say) is done. Replaces its earlier pins. */
  async pin(owner: string, keys: Iterable<string>, tx: Transaction): Promise<void> {
    await this.#ports.parts.pin(owner, keys, this.#tick(), tx);
  }

  /** Lets go of what `owner` has pinned. */
  async unpin(owner: string): Promise<void> {
    const { database, parts } = this.#ports;
    if (await database.transaction((tx) => parts.unpin(owner, this.#tick(), tx))) await this.#trimIfOver();
  }

  /**
   * To be called now and then, by any node: writes down what was used, counts anew what there is, lets go of what is pinned
   * for nobody, and drops what is too much.
   */
  async trim(): Promise<void> {
    const { database, parts } = this.#ports;
    await database.transaction(async (tx) => {
      await this.#writeUses(tx);
      await parts.unpinEnded(tx);
    });
    this.#idleSinceMs = 0;
    this.#sizeBytes = await parts.sumBytes(database);
    await this.#trimIfOver();
  }

  async #find(key: string, unchecked: boolean): Promise<LocalFile | null> {
    const { database, parts, local } = this.#ports;
    for (let lost: BlobKey | null = null; ; ) {
      const part = await parts.find(key, database.committed);
      if (part === null) return null;
      // Another blob than before: it was dropped and made again between our look and our grip.
      if (part.blob === lost) {
        await this.#forget(part);
        return null;
      }
      lost = part.blob;
      const file = await local.hold(part.blob).catch(missing);
      if (file === null) continue;
      if (unchecked || (await isWhole(file, part))) return file;
      await file[Symbol.asyncDispose]();
      await this.#forget(part);
      return null;
    }
  }

  /** Its blob is damaged, or somebody cleared the folder by hand: it is rendered again. */
  async #forget(part: PartRecord): Promise<void> {
    const { database, parts, blobs } = this.#ports;
    if (await parts.forget(part.key, part.blob, database)) this.#sizeBytes -= part.bytes;
    await blobs.delete(part.blob);
  }

  #letGo(key: string): void {
    const left = this.#held.get(key)! - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }

  async #release(key: string, file: LocalFile): Promise<void> {
    this.#used.set(key, this.#tick());
    this.#letGo(key);
    await file[Symbol.asyncDispose]();
    await this.#trimIfOver();
  }

  /** One at a time: two would drop more than is too much. */
  #trimIfOver(): Promise<void> {
    const trimmed = this.#tail.then(async () => {
      while (this.#sizeBytes > this.#ports.limitBytes && (await this.#dropSome()));
    });
    this.#tail = trimmed.catch(() => {});
    return trimmed;
  }

  /** False where nothing more may go. The record goes first: what a crash leaves is a blob that nobody names. */
  async #dropSome(): Promise<boolean> {
    const { database, parts, blobs, limitBytes } = this.#ports;
    const over = this.#sizeBytes - limitBytes;
    const { dropped, idleSinceMs, isEnd } = await database.transaction(async (tx) => {
      await this.#writeUses(tx);
      const idle = await parts.listIdle(this.#idleSinceMs, AT_A_TIME + this.#held.size, tx);
      const free = idle.filter(({ key }) => !this.#held.has(key));
      const gone: PartRecord[] = [];
      let bytes = 0;
      for (const part of free) {
        if (bytes >= over) break;
        if (!(await parts.drop(part, tx))) continue;
        gone.push(part);
        bytes += part.bytes;
      }
      const firstLeft = idle.find((part) => !gone.includes(part));
      const next = firstLeft?.usedAtMs ?? (idle.length === 0 ? this.#lastMs : idle.at(-1)!.usedAtMs);
      return { dropped: gone, idleSinceMs: next, isEnd: free.length === 0 };
    });
    this.#idleSinceMs = idleSinceMs;
    for (const { bytes } of dropped) this.#sizeBytes -= bytes;
    await deleteAll(
      blobs,
      dropped.map(({ blob }) => blob),
    );
    return !isEnd;
  }

  async #writeUses(tx: Transaction): Promise<void> {
    const used = [...this.#used];
    for (const [key, atMs] of used) await this.#ports.parts.touch(key, atMs, tx);
    tx.afterCommit(() => {
      for (const [key, atMs] of used) if (this.#used.get(key) === atMs) this.#used.delete(key);
    });
  }

  /** The time, which moves on with every use: who came first within a millisecond counts, too. */
  #tick(): number {
    const nowMs = this.#ports.now();
    // The clock was set back: nothing is known of what comes before.
    if (nowMs < this.#lastMs - 1_000) this.#idleSinceMs = 0;
    this.#lastMs = nowMs > this.#lastMs || nowMs < this.#lastMs - 1_000 ? nowMs : this.#lastMs + 1;
    return this.#lastMs;
  }
}

/** A chunk with a wrong byte would be in every video that is made of it, and none of them could be played. */
async function isWhole(file: LocalFile, { bytes, sha256 }: PartRecord): Promise<boolean> {
  try {
    const found = await onDisk(() => hashFile(file.path));
    return found.bytes === bytes && found.sha256 === sha256;
  } catch (error) {
    // A sector that cannot be read.
    if (error instanceof ExportError && hasCode(error.cause, 'EIO')) return false;
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw diskError(cause);
  });
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}

function missing(error: unknown): null {
  if (error instanceof ExportError && error.code === 'store.blob_missing') return null;
  throw error;
}
