import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExportError } from '../../errors.ts';
import { unusableFolder } from '../disk/require-folder.ts';
import { isSqliteBusy, isSqliteUnopenable, sqliteError } from './sqlite-error.ts';

/**
 * A data folder is one process's at a time. The lock is the operating system's on an otherwise empty SQLite file: it goes
 * with the process however that ends, and a child does not inherit it.
 */
export class FolderLock implements Disposable {
  readonly #file: DatabaseSync;

  /** @throws `store.locked` where another holds it; `store.unusable_folder`. */
  static take(folder: string): FolderLock {
    let file: DatabaseSync | null = null;
    try {
      file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
      // With its journal in memory there is nothing to write, so it can be had on a full disk, and nothing is left over.
      file.exec('pragma journal_mode = memory; begin exclusive');
      return new FolderLock(file);
    } catch (cause) {
      file?.close();
      if (isSqliteUnopenable(cause)) throw unusableFolder(folder, 'its file "lock" cannot be opened', undefined, cause);
      if (!isSqliteBusy(cause)) throw sqliteError(cause);
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
