import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ExportError } from '../errors.ts';

/** Editors write a file in several steps; changes within this time count as one. */
const SETTLE_MS = 80;

/**
 * Reports when files change, appear or disappear. It watches their folders, because an editor often saves by replacing
 * the file, and ignores other files there.
 */
export class FileWatch implements Disposable {
  readonly #onChange: () => void;
  readonly #folders = new Map<string, FSWatcher>();
  #marks = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches exactly these files from now on. Files that were watched before keep their state, so no change is lost. */
  async set(files: Iterable<string>): Promise<void> {
    const paths = [...new Set([...files].map((file) => resolve(file)))];
    const marks = new Map<string, string>();
    for (const path of paths) marks.set(path, this.#marks.get(path) ?? (await markOf(path)));
    this.#marks = marks;
    const folders = new Set<string>();
    for (const path of paths) folders.add(await nearestFolder(dirname(path)));
    for (const [folder, watcher] of this.#folders) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) if (!this.#folders.has(folder)) this.#folders.set(folder, this.#open(folder));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #open(folder: string): FSWatcher {
    try {
      const watcher = watch(folder, () => this.#lookSoon());
      // The folder was removed, so its files have changed.
      watcher.on('error', () => this.#lookSoon());
      return watcher;
    } catch (cause) {
      const message = 'The limit of the system on watched files (fs.inotify) is reached.';
      throw new ExportError('unavailable', 'cli.unwatchable', message, { cause });
    }
  }

  #lookSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), SETTLE_MS);
  }

  async #look(): Promise<void> {
    let changed = false;
    for (const [path, before] of this.#marks) {
      const now = await markOf(path);
      if (now === before) continue;
      this.#marks.set(path, now);
      changed = true;
    }
    if (changed) this.#onChange();
  }
}

/** Identifies a version of a file: its inode, its size and its modification time. */
export async function markOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? 'none' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

async function nearestFolder(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => null);
  return stats?.isDirectory() || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
