import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Dirent } from 'node:fs';
import { copyFile, link, mkdtemp, open, readdir, rm, rmdir, stat, statfs, unlink, utimes } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobInfo, BlobKey, BlobStore, ByteRange, LocalBlob } from '../blob-store.ts';
import { blobMissing } from '../store-error.ts';
import { hasCode, onDisk, succeeds } from './disk-call.ts';
import { diskError } from './disk-error.ts';
import { placeFile, syncFile, writeFile } from './durable-file.ts';
import { makeFolder } from './durable-folder.ts';

/**
 * Blobs as files in a folder, by their keys. A blob is written under a name of its own in the work folder, synced, then
 * moved to its place and the move synced: at any moment it is there as a whole or not at all.
 */
export class DiskBlobStore implements BlobStore {
  readonly #blobs: string;
  readonly #work: string;
  readonly #now: () => number;

  /** Makes the folder where there is none. `now` is the clock that `touch` goes by. */
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
    const unfinished = this.#newWorkPath();
    try {
      await writeFile(unfinished, body, signal);
      await onDisk(() => placeFile(unfinished, path));
    } catch (cause) {
      await onDisk(() => rm(unfinished, { force: true }));
      throw cause;
    }
  }

  async adopt(key: BlobKey, path: string): Promise<void> {
    const target = this.#pathOf(key);
    await onDisk(async () => {
      await syncFile(path);
      if (await succeeds(['EXDEV'], () => withoutFreeing(target, () => placeFile(path, target)))) return;
      await this.put(key, createReadStream(path), new AbortController().signal);
      await unlink(path);
    });
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    const file = await this.#found(key, (path) => open(path, 'r'));
    try {
      const { size } = await onDisk(() => file.stat());
      const { start, end } = range ?? { start: 0, end: size };
      if (!(0 <= start && start <= end && end <= size)) {
        throw new RangeError(`a blob of ${size} bytes has no bytes ${start} … ${end}`);
      }
      if (start < end) return file.createReadStream({ start, end: end - 1 });
    } catch (cause) {
      await file.close();
      throw cause;
    }
    await file.close();
    return Readable.from([]);
  }

  async local(key: BlobKey): Promise<LocalBlob> {
    // A second name for the same bytes: they outlive the blob for as long as they are held.
    const path = this.#newWorkPath();
    await this.#found(key, (blob) => linkFile(blob, path));
    return { path, [Symbol.asyncDispose]: () => onDisk(() => rm(path, { force: true })) };
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
    // Folders named after exports would pile up without end.
    const inUse = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
    for (let folder = dirname(path); folder !== this.#blobs; folder = dirname(folder)) {
      if (!(await onDisk(() => succeeds(inUse, () => rmdir(folder))))) return;
    }
  }

  async touch(key: BlobKey): Promise<void> {
    const path = this.#pathOf(key);
    const seconds = this.#now() / 1000;
    await onDisk(() => succeeds(['ENOENT'], () => utimes(path, seconds, seconds)));
  }

  async workFolder(): Promise<LocalBlob> {
    const path = await onDisk(() => mkdtemp(join(this.#work, 'folder-')));
    return { path, [Symbol.asyncDispose]: () => onDisk(() => rm(path, { recursive: true, force: true })) };
  }

  /**
   * Removes what a process that died left of its work. For the start alone, once the data folder is ours. What cannot be
   * removed is handed back: it harms nobody but the disk.
   */
  async sweepWork(): Promise<{ readonly name: string; readonly error: unknown }[]> {
    const stuck: { name: string; error: unknown }[] = [];
    for (const name of await onDisk(() => readdir(this.#work))) {
      await rm(join(this.#work, name), { recursive: true, force: true }).catch((error: unknown) => {
        stuck.push({ name, error });
      });
    }
    return stuck;
  }

  async space(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
    const { bavail, blocks, bsize } = await onDisk(() => statfs(this.#blobs));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
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

  async #found<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    try {
      return await use(this.#pathOf(key));
    } catch (cause) {
      throw hasCode(cause, ['ENOENT']) ? blobMissing(cause) : diskError(cause);
    }
  }

  #newWorkPath(): string {
    return join(this.#work, randomUUID());
  }

  /** Keys are clean by their making; the check is for one that was made otherwise. */
  #pathOf(key: BlobKey): string {
    const path = resolve(this.#blobs, key);
    if (!path.startsWith(this.#blobs + sep)) throw new Error(`${JSON.stringify(key)} leads out of the store`);
    return path;
  }
}

/**
 * Takes a file's name away without waiting until its bytes are given back, which takes the longer the larger it is (64 MB:
 * a tenth of a second): whoever deletes, or sends what is there already, cannot tell whether others have the same. (C38)
 */
async function withoutFreeing(path: string, work: () => Promise<void>): Promise<void> {
  const held = await open(path, 'r').catch(() => null);
  try {
    await work();
  } finally {
    held?.close().catch(() => {});
  }
}

/** null where it is not there, or went while we looked. */
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

/** Not every file system has links. */
async function linkFile(from: string, to: string): Promise<void> {
  if (await succeeds(['EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'], () => link(from, to))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
