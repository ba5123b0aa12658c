import { diskError } from '../store-error.ts';

/** Runs calls to the file system and converts their errors to ExportErrors. */
export async function onDisk<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw diskError(cause);
  }
}

/** False if a call fails with one of the expected codes (`ENOENT` …). */
export async function succeeds(expected: readonly string[], call: () => Promise<void>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (cause) {
    if (hasCode(cause, expected)) return false;
    throw cause;
  }
}

/** Whether the error has one of these codes. */
export function hasCode(cause: unknown, codes: readonly string[]): boolean {
  return cause instanceof Error && 'code' in cause && codes.includes(String(cause.code));
}
