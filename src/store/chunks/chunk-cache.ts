import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import { hashFile } from '../../platform/sha256.ts';
import { type BlobKey, type BlobStore, blobKey, deleteAll } from '../blob-store.ts';
import type { Database, Transaction } from '../database.ts';
import type { LocalFile, LocalFiles } from '../local-files.ts';
import { diskError } from '../store-error.ts';
import type { ChunkRecord, ChunkRecords } from './chunk-records.ts';

/** Chunks that are dropped in one transaction. */
const AT_A_TIME = 50;
/**
 * A spare chunk counts as used this long ago: it can replace older chunks, and is dropped before all that were used
 * since.
 */
const SPARE_AGE_MS = 3_600_000;

interface ChunkCachePorts {
  readonly database: Database;
  readonly records: ChunkRecords;
  readonly blobs: Pick<BlobStore, 'putFile' | 'info' | 'delete' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'hold'>;
  readonly limitBytes: number;
  readonly now: () => number;
}

/** A cached chunk, while it is held. */
export interface CachedFile extends LocalFile {
  /** Whether the bytes of this file are those that were cached. The cache forgets a damaged chunk. */
  isWhole(): Promise<boolean>;
}

/**
 * Rendered chunks by the hash of everything that decides their bytes, so that no node renders one twice. Over its limit
 * it drops the least recently used chunk. A pinned chunk, or one that this process holds, stays even over the limit.
 */
export class ChunkCache {
  readonly #ports: ChunkCachePorts;
  /** The number of readers in this process. */
  readonly #held = new Map<string, number>();
  /** Uses that are not written yet. They are written before a drop, and periodically. */
  readonly #used = new Map<string, number>();
  /** As far as this process knows; other processes add to it. */
  #sizeBytes = 0;
  #lastMs = 0;
  /**
   * No unpinned chunk was used before this time. A chunk that is unpinned later is used at that moment, so a trim never
   * scans the pinned ones.
   */
  #idleSinceMs = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** Drops nothing before the first `put` or `unpin`. */
  static async open(ports: ChunkCachePorts): Promise<ChunkCache> {
    const cache = new ChunkCache(ports);
    cache.#sizeBytes = await ports.records.sumBytes(ports.database);
    return cache;
  }

  private constructor(ports: ChunkCachePorts) {
    this.#ports = ports;
  }

  /** The total size, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether a chunk is cached now; only a pin keeps it. */
  async has(key: string): Promise<boolean> {
    const { database, records, blobs } = this.#ports;
    const chunk = await records.find(key, database.committed);
    if (chunk === null) return false;
    if ((await blobs.info(chunk.blob))?.bytes === chunk.bytes) return true;
    await this.#forget(chunk);
    return (await records.find(key, database)) !== null;
  }

  /** Which of these chunks are cached, by the records alone. */
  present(keys: readonly string[]): Promise<Set<string>> {
    return this.#ports.records.present(keys, this.#ports.database.committed);
  }

  /** The cached chunks among those that `owner` has pinned. */
  known(owner: string, tx: Transaction = this.#ports.database.committed): Promise<Set<string>> {
    return this.#ports.records.known(owner, tx);
  }

  /**
   * The chunk as a local file, or null. Counts as a use; this process does not drop it while it is held. The bytes are
   * verified unless `unchecked`, because that takes as long as reading them all.
   */
  async get(key: string, { unchecked = false } = {}): Promise<CachedFile | null> {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    try {
      const found = await this.#find(key, unchecked);
      if (found === null) {
        this.#letGo(key);
        return null;
      }
      const { file, chunk } = found;
      this.#used.set(key, this.#tick());
      let released: Promise<void> | null = null;
      const release = () => (released ??= this.#release(key, file));
      return { path: file.path, isWhole: () => this.#isWhole(file, chunk), [Symbol.asyncDispose]: release };
    } catch (cause) {
      this.#letGo(key);
      throw cause;
    }
  }

  /**
   * Moves a finished file in. A known key has the same bytes. A `spare` chunk counts as used an hour ago: it is dropped
   * before all that were used since, unless it is used.
   */
  async put(key: string, path: string, { spare = false } = {}): Promise<void> {
    const { database, records, blobs } = this.#ports;
    const { bytes, sha256 } = await onDisk(() => hashFile(path));
    const blob = blobKey('parts', key, randomUUID());
    await blobs.putFile(blob, path);
    const usedAtMs = spare ? Math.max(0, this.#tick() - SPARE_AGE_MS) : this.#tick();
    const isNew = await records.publish({ key, blob, bytes, sha256, usedAtMs }, database);
    if (spare) this.#idleSinceMs = Math.min(this.#idleSinceMs, usedAtMs);
    if (isNew) this.#sizeBytes += bytes;
    else {
      if (!spare) this.#used.set(key, this.#tick());
      await blobs.delete(blob);
    }
    await this.#trimIfOver();
  }

  /** Keeps these chunks, cached or future, until `owner` (such as an output) is done. Replaces its earlier pins. */
  async pin(owner: string, keys: Iterable<string>, tx: Transaction): Promise<void> {
    await this.#ports.records.pin(owner, keys, this.#tick(), tx);
  }

  /** Removes the pins of `owner`. */
  async unpin(owner: string): Promise<void> {
    const { database, records } = this.#ports;
    if (await database.transaction((tx) => records.unpin(owner, this.#tick(), tx))) await this.#trimIfOver();
  }

  /**
   * Call it periodically, on any node: writes the uses, updates the total size, removes pins of ended owners, and drops
   * chunks over the limit.
   */
  async trim(): Promise<void> {
    const { database, records } = this.#ports;
    await database.transaction(async (tx) => {
      await this.#writeUses(tx);
      await records.unpinEnded(tx);
    });
    this.#idleSinceMs = 0;
    this.#sizeBytes = await records.sumBytes(database);
    await this.#trimIfOver();
  }

  async #find(key: string, unchecked: boolean): Promise<{ file: LocalFile; chunk: ChunkRecord } | null> {
    const { database, records, local } = this.#ports;
    for (let lost: BlobKey | null = null; ; ) {
      const chunk = await records.find(key, database.committed);
      if (chunk === null) return null;
      // The blob that is missing is still the recorded one. Another blob would mean that the chunk was rendered again
      // meanwhile.
      if (chunk.blob === lost) {
        await this.#forget(chunk);
        return null;
      }
      lost = chunk.blob;
      const file = await local.hold(chunk.blob).catch(missing);
      if (file === null) continue;
      await using unused = new AsyncDisposableStack();
      unused.use(file);
      if (!unchecked && !(await this.#isWhole(file, chunk))) return null;
      unused.move();
      return { file, chunk };
    }
  }

  async #isWhole(file: LocalFile, chunk: ChunkRecord): Promise<boolean> {
    if (await isWhole(file, chunk)) return true;
    await this.#forget(chunk);
    return false;
  }

  /** Its blob is damaged or was removed by hand, so it is rendered again. */
  async #forget(chunk: ChunkRecord): Promise<void> {
    const { database, records, blobs } = this.#ports;
    if (await records.forget(chunk.key, chunk.blob, database)) this.#sizeBytes -= chunk.bytes;
    await blobs.delete(chunk.blob);
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

  /** One at a time, because two would drop too much. */
  #trimIfOver(): Promise<void> {
    const trimmed = this.#tail.then(async () => {
      while (this.#sizeBytes > this.#ports.limitBytes && (await this.#dropSome()));
    });
    this.#tail = trimmed.catch(() => {});
    return trimmed;
  }

  /** False if no more can be dropped. The record is deleted first: a crash leaves only an orphan. */
  async #dropSome(): Promise<boolean> {
    const { database, records, blobs, limitBytes } = this.#ports;
    const over = this.#sizeBytes - limitBytes;
    const { dropped, idleSinceMs, isEnd } = await database.transaction(async (tx) => {
      await this.#writeUses(tx);
      const idle = await records.listIdle(this.#idleSinceMs, AT_A_TIME + this.#held.size, tx);
      const free = idle.filter(({ key }) => !this.#held.has(key));
      const gone: ChunkRecord[] = [];
      let bytes = 0;
      for (const chunk of free) {
        if (bytes >= over) break;
        if (!(await records.drop(chunk, tx))) continue;
        gone.push(chunk);
        bytes += chunk.bytes;
      }
      const firstLeft = idle.find((chunk) => !gone.includes(chunk));
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
    for (const [key, atMs] of used) await this.#ports.records.touch(key, atMs, tx);
    tx.afterCommit(() => {
      for (const [key, atMs] of used) if (this.#used.get(key) === atMs) this.#used.delete(key);
    });
  }

  /** The time, which advances with every use, so that the order within a millisecond is kept. */
  #tick(): number {
    const nowMs = this.#ports.now();
    // The clock was set back, so the time of the oldest use is unknown.
    if (nowMs < this.#lastMs - 1_000) this.#idleSinceMs = 0;
    this.#lastMs = nowMs > this.#lastMs || nowMs < this.#lastMs - 1_000 ? nowMs : this.#lastMs + 1;
    return this.#lastMs;
  }
}

/** A chunk with a wrong byte would break every video that it is part of. */
async function isWhole(file: LocalFile, { bytes, sha256 }: ChunkRecord): Promise<boolean> {
  try {
    const found = await onDisk(() => hashFile(file.path));
    return found.bytes === bytes && found.sha256 === sha256;
  } catch (error) {
    // An unreadable sector.
    if (error instanceof ExportError && hasCode(error.cause, 'EIO')) return false;
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
