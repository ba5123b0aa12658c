import { constants } from 'node:fs';
import { copyFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolders } from '../../platform/make-folders.ts';
import { unwritable } from '../project/output-file.ts';

/**
 * Rendered chunks in a folder, by the hash of everything that decides their bytes, kept between runs. It has no state
 * besides the disk, so several runs can share a folder: a chunk that another run has dropped is rendered again.
 */
export class LocalChunkCache {
  readonly #folder: string;
  readonly #limitBytes: number;

  /** Creates the folder if needed. @throws `cli.unwritable` */
  static async open(folder: string, limitBytes: number): Promise<LocalChunkCache> {
    const path = resolve(folder);
    try {
      await makeFolders(path);
      // Excludes the folder from version control.
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

  /** Copies a chunk to a path, which counts as a use; false if there is none. */
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

  /** Moves a finished file in. */
  async put(key: string, path: string): Promise<void> {
    const target = this.#pathOf(key);
    await rename(path, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      // On another disk: copies under a temporary name, then renames.
      await copyFile(path, `${target}.part`);
      await rename(`${target}.part`, target);
      await rm(path, { force: true });
    });
  }

  /** Drops the least recently used chunks until the rest is within the limit. */
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
