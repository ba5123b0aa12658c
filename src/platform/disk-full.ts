import { ExportError } from '../errors.ts';

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** No room for what is being rendered. It may pass, so it is worth another try. */
export function renderDiskFull(cause: unknown): ExportError {
  const message = 'The disk has no space to render this. Try again later.';
  return new ExportError('unavailable', 'render.disk_full', message, { cause });
}

/** Whether that is what the file system said. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
