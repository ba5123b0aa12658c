import { ExportError } from '../errors.ts';

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY']);

/** Result codes of SQLite, by their low byte. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOT_A_DATABASE = 26;
/** Memory, files and rights: the machine's doing. Whatever is not named here is a bug in a statement, and stays one. */
const SQLITE_MACHINE = new Set([3, 7, 8, 10, 14, 15, 22, 23]);

/** What a failed call to the file system means to a caller; anything else is handed back as it is. */
export function diskError(cause: unknown): unknown {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null;
  if (code === null) return cause;
  if (DISK_FULL.has(code)) return diskFull(cause);
  if (PASSING.has(code)) return busy(cause);
  return failed(cause);
}

/** What a failed call to SQLite means to a caller; anything else is handed back as it is. */
export function sqliteError(cause: unknown): unknown {
  const code = sqliteCode(cause);
  if (code === null) return cause;
  if (code === SQLITE_FULL) return diskFull(cause);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE) return databaseCorrupt(cause);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return busy(cause);
  return SQLITE_MACHINE.has(code) ? failed(cause) : cause;
}

/** True where SQLite gave up because another process holds the file. */
export function isSqliteBusy(cause: unknown): boolean {
  return sqliteCode(cause) === SQLITE_BUSY;
}

/** The database's own structure is broken. */
export function databaseCorrupt(cause: unknown): ExportError {
  const message =
    'The database of this service is damaged and cannot be used. Restore it, or start with an empty folder.';
  return new ExportError('internal', 'store.corrupt', message, { cause });
}

/** There is no such blob. */
export function blobMissing(cause: unknown): ExportError {
  return new ExportError('missing', 'store.blob_missing', 'The file is not there any more.', { cause });
}

function sqliteCode(cause: unknown): number | null {
  const known = cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number';
  return known ? (cause.errcode as number) & 0xff : null;
}

function diskFull(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.disk_full', 'There is no room left to store this. Try again later.', {
    cause,
  });
}

function busy(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.busy', 'Too much is being stored at once. Try again later.', { cause });
}

function failed(cause: unknown): ExportError {
  return new ExportError('internal', 'store.failed', 'Something could not be stored or read back.', { cause });
}
