import { ExportError } from '../errors.ts';
import { isDiskFull } from '../platform/disk-full.ts';

// What any adapter may have to say; each knows the codes of its own technology.

/** There is no such blob. */
export function blobMissing(cause: unknown): ExportError {
  return new ExportError('missing', 'store.blob_missing', 'The file no longer exists.', { cause });
}

/** What came back is not what was put there. */
export function corruptBlob(cause: unknown): ExportError {
  return new ExportError('internal', 'store.corrupt_blob', 'A stored file is damaged.', { cause });
}

/** What an error of ours was made of, for an operator; any other error as it is. */
export function causeOf(error: unknown): Error {
  if (error instanceof ExportError && error.cause instanceof Error) return error.cause;
  return error instanceof Error ? error : new Error(String(error));
}

/** No room. */
export function storeDiskFull(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.disk_full', 'The disk has no space to store this. Try again later.', {
    cause,
  });
}

/** Short of something that passes. */
export function busy(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.busy', 'Too many writes are in progress. Try again later.', { cause });
}

/** The tables are those of another release. */
export function otherSchema(where: string, found: number, needed: number, remedy: string): ExportError {
  const message = `${where} has schema ${found}, this release needs schema ${needed}. ${remedy}`;
  return new ExportError('unavailable', 'store.schema_mismatch', message);
}

/** The machine's doing, and not passing. */
export function failed(cause: unknown): ExportError {
  return new ExportError('internal', 'store.failed', 'Something could not be stored or read back.', { cause });
}

const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY']);

/** What a failed call to the file system means to a caller; anything else is handed back as it is. Several adapters use files. */
export function diskError(cause: unknown): unknown {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null;
  if (code === null) return cause;
  if (isDiskFull(cause)) return storeDiskFull(cause);
  return PASSING.has(code) ? busy(cause) : failed(cause);
}
