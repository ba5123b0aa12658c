import { busy, diskFull, failed } from '../store-error.ts';

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY']);

/** What a failed call to the file system means to a caller; anything else is handed back as it is. */
export function diskError(cause: unknown): unknown {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null;
  if (code === null) return cause;
  if (DISK_FULL.has(code)) return diskFull(cause);
  if (PASSING.has(code)) return busy(cause);
  return failed(cause);
}
