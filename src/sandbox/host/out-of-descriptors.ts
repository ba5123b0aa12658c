import { ExportError } from '../../errors.ts';
import { SystemCallError } from '../jail/libc.ts';

const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
const ERRNOS: ReadonlySet<number> = new Set([23, 24]);

/** This process, or the machine, has as many files open as it may. That passes, unlike most reasons not to start. */
export function outOfDescriptors(cause?: unknown): ExportError {
  const message = 'Too many files are open to start a render. Try again later.';
  return new ExportError('unavailable', 'render.busy', message, { cause });
}

/** Whether a failed call has that reason. */
export function isOutOfDescriptors(error: unknown): boolean {
  if (error instanceof SystemCallError) return ERRNOS.has(error.errno);
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
