import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LocalFile } from '../local-files.ts';
import { onDisk } from './disk-call.ts';
import { makeFolder } from './durable-folder.ts';

/** Old work that could not be removed. */
export interface StuckWork {
  readonly name: string;
  readonly error: unknown;
}

/** Work in progress of one process, in a folder that is its own. */
export class ScratchFolder {
  readonly #path: string;
  /** Folders that should be gone: to remove one takes a descriptor, of which there may be none at the time. */
  readonly #left = new Set<string>();

  /** Makes the folder where there is none. */
  static async open(path: string): Promise<ScratchFolder> {
    const folder = new ScratchFolder(resolve(path));
    await onDisk(() => makeFolder(folder.#path));
    return folder;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  /** A name for a file that nobody else has. */
  newPath(): string {
    return join(this.#path, randomUUID());
  }

  /** A new folder, removed on dispose; where that fails, when the next is made. */
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
   * Removes what a process that died left of its work. For the start alone, once the folder is ours. What cannot be removed
   * is handed back: it harms nobody but the disk.
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
