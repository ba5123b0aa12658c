import { isDiskFull } from '../../platform/disk-full.ts';
import { busy, diskFull, failed } from '../store-error.ts';

const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY']);

/** What a failed call to the file system means to a caller; anything else is handed back as it is. */
export function diskError(cause: unknown): unknown {
  const code = cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null;
  if (code === null) return cause;
  if (isDiskFull(cause)) return diskFull(cause);
  if (PASSING.has(code)) return busy(cause);
  return failed(cause);
}
