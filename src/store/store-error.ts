import { ExportError } from '../errors.ts';
import { isDiskFull } from '../platform/disk-full.ts';

// Errors of all adapters; each adapter maps the codes of its own technology.

/** The blob does not exist. */
export function blobMissing(cause: unknown): ExportError {
  return new ExportError('missing', 'store.blob_missing', 'The file no longer exists.', { cause });
}

/** The read bytes differ from the stored ones. */
export function corruptBlob(cause: unknown): ExportError {
  return new ExportError('internal', 'store.corrupt_blob', 'A stored file is damaged.', { cause });
}

/** The cause of an ExportError, for an operator; any other error unchanged. */
export function causeOf(error: unknown): Error {
  if (error instanceof ExportError && error.cause instanceof Error) return error.cause;
  return error instanceof Error ? error : new Error(String(error));
}

/** The disk is full. */
export function storeDiskFull(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.disk_full', 'The disk has no space to store this. Try again later.', {
    cause,
  });
}

/** A temporary shortage. */
export function busy(cause: unknown): ExportError {
  return new ExportError('unavailable', 'store.busy', 'Too many writes are in progress. Try again later.', { cause });
}

/** A permanent fault of the machine. */
export function failed(cause: unknown): ExportError {
  return new ExportError('internal', 'store.failed', 'The service could not store or read its data.', { cause });
}

const TRANSIENT_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY']);

/** Converts a failed call to the file system; returns other errors unchanged. Several adapters use files. */
export function diskError(cause: unknown): unknown {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null;
  if (code === null) return cause;
  if (isDiskFull(cause)) return storeDiskFull(cause);
  return TRANSIENT_CODES.has(code) ? busy(cause) : failed(cause);
}
