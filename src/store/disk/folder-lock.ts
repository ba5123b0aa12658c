import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExportError } from '../../errors.ts';
import { unusableFolder } from './require-folder.ts';

/** SQLite's result code for a file that another process holds; extended codes have more bits above it. */
const SQLITE_BUSY = 5;

/**
 * Lets one process at a time use a folder. Node has no file locks, so this uses SQLite's lock on an empty file: the
 * operating system releases it however the process ends, and a child does not inherit it.
 */
export class FolderLock implements Disposable {
  readonly #file: DatabaseSync;

  /** @throws `store.locked` if another process has it; `store.unusable_folder`. */
  static take(folder: string): FolderLock {
    let file: DatabaseSync | null = null;
    try {
      file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
      // With the journal in memory nothing is written, so the lock works on a full disk and leaves no file behind.
      file.exec('pragma journal_mode = memory; begin exclusive');
      return new FolderLock(file);
    } catch (cause) {
      file?.close();
      if (!isBusy(cause)) throw unusableFolder(folder, 'its file "lock" cannot be opened', undefined, cause);
      const message = 'Another service is using this data folder. Stop it first, or give this one a folder of its own.';
      throw new ExportError('unavailable', 'store.locked', message, { cause });
    }
  }

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function isBusy(cause: unknown): boolean {
  const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) : 0;
  return (code & 0xff) === SQLITE_BUSY;
}
