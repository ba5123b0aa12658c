import { ExportError } from '../errors.ts';

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** The disk has no space for a render. It may be temporary, so a retry makes sense. */
export function renderDiskFull(cause: unknown): ExportError {
  const message = 'The disk has no space to render this. Try again later.';
  return new ExportError('unavailable', 'render.disk_full', message, { cause });
}

/** Whether the file system reported a full disk. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
