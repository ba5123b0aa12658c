import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LocalFile } from '../local-files.ts';
import { onDisk } from './disk-call.ts';
import { makeFolder } from './durable-file.ts';

/** Old work that could not be removed. */
export interface StuckWork {
  readonly name: string;
  readonly error: unknown;
}

/** Temporary files of one process, in a folder of its own. */
export class ScratchFolder {
  readonly #path: string;
  /** Folders that could not be removed yet: a removal needs a file descriptor, and there may be none left. */
  readonly #left = new Set<string>();

  /** Creates the folder if needed. */
  static async open(path: string): Promise<ScratchFolder> {
    const folder = new ScratchFolder(resolve(path));
    await onDisk(() => makeFolder(folder.#path));
    return folder;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  /** A unique path for a file. */
  newPath(): string {
    return join(this.#path, randomUUID());
  }

  /** A new folder, removed on dispose. If that fails, it is removed when the next one is created. */
  async newFolder(): Promise<LocalFile> {
    for (const path of [...this.#left]) await this.#remove(path).catch(() => {});
    const path = await onDisk(() => mkdtemp(join(this.#path, 'folder-')));
    return { path, [Symbol.asyncDispose]: () => onDisk(() => this.#remove(path)) };
  }

  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { recursive: true, force: true });
      this.#left.delete(path);
    } catch (cause) {
      this.#left.add(path);
      throw cause;
    }
  }

  /**
   * Removes the files of a dead process. Call it only at the start, once this process owns the folder. Returns what
   * could not be removed; it only takes disk space.
   */
  async sweep(): Promise<StuckWork[]> {
    const stuck: StuckWork[] = [];
    for (const name of await onDisk(() => readdir(this.#path))) {
      await rm(join(this.#path, name), { recursive: true, force: true }).catch((error: unknown) => {
        stuck.push({ name, error });
      });
    }
    return stuck;
  }

  async room(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
    const { bavail, blocks, bsize } = await onDisk(() => statfs(this.#path));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }
}
