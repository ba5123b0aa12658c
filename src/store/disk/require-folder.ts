import { access, constants } from 'node:fs/promises';
import { ExportError } from '../../errors.ts';
import { diskError } from './disk-error.ts';
import { makeFolder } from './durable-folder.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  EROFS: 'the disk can only be read',
};

/**
 * Makes the folder if need be. What an operator can mend is told to them with the folder's name: nobody else gets to see
 * how a service starts.
 *
 * @throws `store.unusable_folder`, and what a disk may be short of.
 */
export async function requireFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? REASONS[String(cause.code)] : undefined;
    if (reason === undefined) throw diskError(cause);
    const message = `The data folder ${folder} cannot be used: ${reason}. TIERCUT_DATA_DIR names it.`;
    throw new ExportError('invalid', 'store.unusable_folder', message, { cause });
  }
}
