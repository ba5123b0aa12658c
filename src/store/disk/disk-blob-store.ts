import { randomUUID } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { open, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { type BlobInfo, type BlobKey, type BlobStore, type ByteRange, requireRange } from '../blob-store.ts';
import { blobMissing, corruptBlob, diskError } from '../store-error.ts';
import { ContentCheck } from './content-check.ts';
import { hasCode, onDisk, succeeds } from './disk-call.ts';
import { makeFolder, placeFile, syncFile, writeFile } from './durable-file.ts';

/** The prefix of unfinished blobs in the work folder, which others use as well. */
const UNFINISHED = 'put-';
const NEVER = new AbortController().signal;

/**
 * Blobs as files in a folder, by key. A blob is written under a temporary name in the work folder, synced, then moved
 * to its place and the move synced. It is always there completely or not at all.
 */
export class DiskBlobStore implements BlobStore {
  readonly #blobs: string;
  readonly #work: string;
  readonly #now: () => number;

  /** Creates the folder if needed. `now` is the clock for the age of files. */
  static async open(root: string, now: () => number = Date.now): Promise<DiskBlobStore> {
    const store = new DiskBlobStore(resolve(root), now);
    await onDisk(() => makeFolder(store.#blobs));
    await onDisk(() => makeFolder(store.#work));
    return store;
  }

  private constructor(root: string, now: () => number) {
    this.#blobs = join(root, 'blobs');
    this.#work = join(root, 'work');
    this.#now = now;
  }

  async put(key: BlobKey, body: Readable, signal: AbortSignal): Promise<void> {
    const path = this.#pathOf(key);
    const unfinished = join(this.#work, UNFINISHED + randomUUID());
    try {
      await writeFile(unfinished, body, signal);
      await onDisk(() => placeFile(unfinished, path));
    } catch (cause) {
      await onDisk(() => rm(unfinished, { force: true }));
      throw cause;
    }
  }

  async putFile(key: BlobKey, path: string, signal: AbortSignal = NEVER): Promise<void> {
    const target = this.#pathOf(key);
    await onDisk(async () => {
      await syncFile(path);
      if (await succeeds(['EXDEV'], () => withoutFreeing(target, () => placeFile(path, target)))) return;
      await this.put(key, createReadStream(path), signal);
      await unlink(path);
    });
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    if (range !== undefined) requireRange(range);
    const file = await this.found(key, (path) => open(path, 'r'));
    try {
      const { size } = await onDisk(() => file.stat());
      const { start, end } = range ?? { start: 0, end: size };
      if (end > size) throw corruptBlob(new Error(`${size} bytes, at least ${end} were stored`));
      if (start < end) {
        const bytes = file.createReadStream({ start, end: end - 1 });
        // The file may be truncated while it is read. The reader gets the error.
        return pipeline(bytes, new ContentCheck(end - start), () => {});
      }
    } catch (cause) {
      await file.close();
      throw cause;
    }
    await file.close();
    return Readable.from([]);
  }

  info(key: BlobKey): Promise<BlobInfo | null> {
    return infoOf(key, this.#pathOf(key));
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    yield* this.#listFolder(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
  }

  async delete(key: BlobKey): Promise<void> {
    const path = this.#pathOf(key);
    await onDisk(() => withoutFreeing(path, () => rm(path, { force: true })));
    // Removes empty folders, because those named after exports would accumulate.
    const inUse = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
    for (let folder = dirname(path); folder !== this.#blobs; folder = dirname(folder)) {
      if (!(await onDisk(() => succeeds(inUse, () => rmdir(folder))))) return;
    }
  }

  async deleteMany(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, unknown>> {
    const faults = new Map<BlobKey, unknown>();
    for (const key of keys) await this.delete(key).catch((cause: unknown) => faults.set(key, cause));
    return faults;
  }

  async sweep(minAgeMs: number): Promise<number> {
    let removed = 0;
    for (const { name } of await entriesOf(this.#work)) {
      if (!name.startsWith(UNFINISHED)) continue;
      const path = join(this.#work, name);
      const info = await infoOf(name as BlobKey, path);
      if (info === null || this.#now() - info.modifiedAtMs < minAgeMs) continue;
      await onDisk(() => rm(path, { force: true }));
      removed += 1;
    }
    return removed;
  }

  /** Runs `use` with the file of a blob. @throws `store.blob_missing` */
  async found<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    try {
      return await use(this.#pathOf(key));
    } catch (cause) {
      throw hasCode(cause, ['ENOENT']) ? blobMissing(cause) : diskError(cause);
    }
  }

  async *#listFolder(folder: string, prefix: string): AsyncIterable<BlobInfo> {
    for (const entry of await entriesOf(join(this.#blobs, folder))) {
      const name = folder + entry.name;
      if (!name.startsWith(prefix)) continue;
      if (entry.isDirectory()) yield* this.#listFolder(`${name}/`, prefix);
      else {
        const info = await infoOf(name as BlobKey, join(this.#blobs, name));
        if (info !== null) yield info;
      }
    }
  }

  /** Keys are valid by construction; this check is a second barrier. */
  #pathOf(key: BlobKey): string {
    const path = resolve(this.#blobs, key);
    if (!path.startsWith(this.#blobs + sep)) throw new Error(`${JSON.stringify(key)} leads out of the store`);
    return path;
  }
}

/**
 * Removes a file's name without waiting until its bytes are freed, which takes longer the larger it is (64 MB: a tenth
 * of a second). Otherwise a client that deletes content, or sends existing content, could measure whether others have
 * it. (C38)
 */
async function withoutFreeing(path: string, work: () => Promise<void>): Promise<void> {
  const held = await open(path, 'r').catch(() => null);
  try {
    await work();
  } finally {
    held?.close().catch(() => {});
  }
}

/** null if it does not exist or was removed meanwhile. */
async function infoOf(key: BlobKey, path: string): Promise<BlobInfo | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { key, bytes: size, modifiedAtMs: mtimeMs };
  } catch (cause) {
    if (hasCode(cause, ['ENOENT', 'ENOTDIR'])) return null;
    throw diskError(cause);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (hasCode(cause, ['ENOENT', 'ENOTDIR'])) return [];
    throw diskError(cause);
  }
}
