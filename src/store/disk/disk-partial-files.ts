import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { PartialFile, PartialFiles } from '../partial-files.ts';
import { diskError } from '../store-error.ts';
import { hasCode, onDisk } from './disk-call.ts';
import { makeFolder, syncFolder } from './durable-file.ts';

/** Growing files in a folder beside the blobs: a complete one becomes a blob by a rename. */
export class DiskPartialFiles implements PartialFiles {
  readonly #folder: string;

  /** Creates the folder if needed. */
  static async open(root: string): Promise<DiskPartialFiles> {
    const files = new DiskPartialFiles(join(resolve(root), 'unfinished'));
    await onDisk(() => makeFolder(files.#folder));
    return files;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  create(name: string): Promise<PartialFile> {
    const path = this.#pathOf(name);
    return onDisk(async () => {
      const file = await open(path, 'wx+', 0o600);
      try {
        await syncFolder(this.#folder);
        return new DiskPartialFile(path, file, 0);
      } catch (cause) {
        await file.close();
        throw cause;
      }
    });
  }

  async resume(name: string, bytes: number): Promise<PartialFile | null> {
    const path = this.#pathOf(name);
    const file = await open(path, 'r+').catch((cause: unknown) => {
      if (hasCode(cause, ['ENOENT'])) return null;
      throw diskError(cause);
    });
    if (file === null) return null;
    return onDisk(async () => {
      try {
        if ((await file.stat()).size >= bytes) {
          await file.truncate(bytes);
          return new DiskPartialFile(path, file, bytes);
        }
      } catch (cause) {
        await file.close();
        throw cause;
      }
      await file.close();
      return null;
    });
  }

  delete(name: string): Promise<void> {
    return onDisk(() => rm(this.#pathOf(name), { force: true }));
  }

  list(): Promise<string[]> {
    return onDisk(() => readdir(this.#folder));
  }

  #pathOf(name: string): string {
    if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of a partial file`);
    return join(this.#folder, name);
  }
}

class DiskPartialFile implements PartialFile {
  readonly path: string;
  readonly #file: FileHandle;
  #bytes: number;

  constructor(path: string, file: FileHandle, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await onDisk(async () => {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#bytes);
        at += bytesWritten;
        this.#bytes += bytesWritten;
      }
    });
  }

  sync(): Promise<void> {
    return onDisk(() => this.#file.datasync());
  }

  read(): Readable {
    if (this.#bytes === 0) return Readable.from([]);
    return createReadStream(this.path, { end: this.#bytes - 1, highWaterMark: 2 ** 18 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return onDisk(() => this.#file.close());
  }
}
