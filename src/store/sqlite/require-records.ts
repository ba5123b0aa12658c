import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';

/**
 * Creates a new database only in a folder without files. Beside the files of an old database, every one of them would
 * count as an orphan and be removed, although only a mount or a step of a restore may be missing.
 *
 * @throws `store.records_missing`
 */
export async function requireRecords(folder: string, database: string): Promise<void> {
  // The last writes may still be in the log beside it.
  for (const name of [database, `${database}-wal`]) if ((await sizeOf(join(folder, name))) > 0) return;
  const files = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  if (!files.some((entry) => entry.isFile())) return;
  const message =
    'The data folder holds files, but the database that knows what they are is missing or empty. Restore it, or start with an empty folder.';
  throw new ExportError('internal', 'store.records_missing', message);
}

async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file).catch(() => null);
  return stats?.size ?? 0;
}
