import { constants } from 'node:fs';
import { copyFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolders } from '../../platform/make-folders.ts';
import { unwritable } from '../output-file.ts';

/**
 * Rendered chunks in a folder, by the hash of all that decides their bytes, from one run to the next. Remembers nothing that
 * is not on disk, so that several runs may share a folder: a chunk another one has dropped is rendered again.
 */
export class LocalChunkCache {
  readonly #folder: string;
  readonly #limitBytes: number;

  /** Makes the folder where there is none. @throws `cli.unwritable` */
  static async open(folder: string, limitBytes: number): Promise<LocalChunkCache> {
    const path = resolve(folder);
    try {
      await makeFolders(path);
      // Nobody wants it under version control.
      await writeFile(join(path, '.gitignore'), '*\n');
    } catch (cause) {
      throw unwritable(path, cause);
    }
    return new LocalChunkCache(path, limitBytes);
  }

  private constructor(folder: string, limitBytes: number) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
  }

  /** Puts a copy of a chunk at a path, which counts as use; false where there is none (any more). */
  async copyTo(key: string, path: string): Promise<boolean> {
    try {
      await copyFile(this.#pathOf(key), path, constants.COPYFILE_FICLONE);
      const now = new Date();
      await utimes(this.#pathOf(key), now, now);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Takes a finished file in; it is gone from where it was. */
  async put(key: string, path: string): Promise<void> {
    const target = this.#pathOf(key);
    await rename(path, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      // Another disk: a copy under a name nobody asks for, then the step that makes it whole.
      await copyFile(path, `${target}.part`);
      await rename(`${target}.part`, target);
      await rm(path, { force: true });
    });
  }

  /** Drops the chunks that nobody has needed for longest, until the rest keep to the limit. */
  async trim(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => !name.startsWith('.'));
    const chunks = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(this.#folder, name)).catch(() => null);
        return { name, bytes: stats?.size ?? 0, usedAtMs: stats?.mtimeMs ?? 0 };
      }),
    );
    let bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
    for (const chunk of chunks.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (bytes <= this.#limitBytes) return;
      await rm(join(this.#folder, chunk.name), { force: true });
      bytes -= chunk.bytes;
    }
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}.mp4`);
  }
}
