import { isUnreadable, s3Error } from './s3-error.ts';

/**
 * Runs a call and retries it if its response broke off; the SDK retries other transient errors. Converts the final
 * error.
 */
export async function s3Call<T>(call: () => Promise<T>, signal?: AbortSignal, triesLeft = 3): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await call();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (triesLeft === 0 || !isUnreadable(cause)) throw s3Error(cause);
  }
  return s3Call(call, signal, triesLeft - 1);
}
