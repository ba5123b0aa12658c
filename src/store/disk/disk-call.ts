import { diskError } from '../store-error.ts';

/** Makes calls to the file system; what goes wrong becomes an ExportError. */
export async function onDisk<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw diskError(cause);
  }
}

/** False where a call fails in one of the ways that are to be expected (`ENOENT` …). */
export async function succeeds(expected: readonly string[], call: () => Promise<void>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (cause) {
    if (hasCode(cause, expected)) return false;
    throw cause;
  }
}

/** True where the file system gave one of these reasons. */
export function hasCode(cause: unknown, codes: readonly string[]): boolean {
  return cause instanceof Error && 'code' in cause && codes.includes(String(cause.code));
}
