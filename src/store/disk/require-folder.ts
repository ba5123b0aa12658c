import { existsSync } from 'node:fs';
import { access, constants, mkdtemp, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ExportError } from '../../errors.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { diskError } from '../store-error.ts';
import { makeFolder } from './durable-file.ts';

/** SQLite accepts paths of up to 511 bytes, including the files beside a database. */
const LONGEST_PATH_BYTES = 480;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
  ENOENT: 'nothing can be made there',
  EROFS: 'the disk can only be read',
  ELOOP: 'links lead in a circle',
  ENAMETOOLONG: `its path is too long (more than ${LONGEST_PATH_BYTES} bytes, or a name of more than 255)`,
};

/** The folder, and the setting that names it. */
interface FolderNames {
  readonly what: string;
  readonly variable: string;
}

const DATA_FOLDER: FolderNames = { what: 'The data folder', variable: 'TIERCUT_DATA_DIR' };

/**
 * Creates the folder if needed, and tests whether a file can be created in it, because permissions alone do not show
 * that. The message names the folder, so that the operator can fix it; only the operator sees startup errors.
 *
 * @throws `store.unusable_folder`, and the errors of a full disk.
 */
export async function requireFolder(folder: string, names: FolderNames = DATA_FOLDER): Promise<void> {
  if (Buffer.byteLength(resolve(folder)) > LONGEST_PATH_BYTES)
    throw unusableFolder(folder, REASONS.ENAMETOOLONG!, names);
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await rmdir(await mkdtemp(join(folder, '.tried-')));
  } catch (cause) {
    // A full disk is not a fault of the folder, and a service can start on one.
    if (isDiskFull(cause) && existsSync(folder)) return;
    const reason = cause instanceof Error && 'code' in cause ? REASONS[String(cause.code)] : undefined;
    if (reason === undefined) throw diskError(cause);
    throw unusableFolder(folder, reason, names, cause);
  }
}

/** The error that a service cannot start on a folder, with the reason. */
export function unusableFolder(
  folder: string,
  reason: string,
  { what, variable }: FolderNames = DATA_FOLDER,
  cause?: unknown,
): ExportError {
  const message = `${what} ${folder} cannot be used: ${reason}. ${variable} names it.`;
  return new ExportError('invalid', 'store.unusable_folder', message, { cause });
}
