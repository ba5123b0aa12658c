import { ExportError } from '../../errors.ts';
import { busy, failed, storeDiskFull } from '../store-error.ts';

/** Result codes of SQLite, by their low byte. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOT_A_DATABASE = 26;
/**
 * Memory, files and permissions: faults of the machine. Any other code is a bug in a statement and is not converted.
 */
const SQLITE_MACHINE = new Set([3, 7, 8, 10, 14, 15, 22, 23]);

/** PERM, READONLY, CANTOPEN. */
const SQLITE_UNOPENABLE = new Set([3, 8, 14]);

/** Converts a failed call to SQLite; returns other errors unchanged. */
export function sqliteError(cause: unknown): unknown {
  const code = sqliteCode(cause);
  if (code === null) return cause;
  if (code === SQLITE_FULL) return storeDiskFull(cause);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE) return databaseCorrupt(cause);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return busy(cause);
  return SQLITE_MACHINE.has(code) ? failed(cause) : cause;
}

/** Whether SQLite may not open or write a file, or the path is not a file. */
export function isSqliteUnopenable(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code !== null && SQLITE_UNOPENABLE.has(code);
}

/** The structure of the database is damaged. */
export function databaseCorrupt(cause: unknown): ExportError {
  const message =
    'The database of this service is damaged and cannot be used. Restore it, or start with an empty folder.';
  return new ExportError('internal', 'store.corrupt', message, { cause });
}

function sqliteCode(cause: unknown): number | null {
  const known = cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number';
  return known ? (cause.errcode as number) & 0xff : null;
}
