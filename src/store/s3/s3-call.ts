import { isUnreadable, s3Error } from './s3-error.ts';

/** A call, tried again where its answer broke off: the SDK does so for all else that may pass. What it fails for is one of ours. */
export async function called<T>(call: () => Promise<T>, signal?: AbortSignal, triesLeft = 3): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await call();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (triesLeft === 0 || !isUnreadable(cause)) throw s3Error(cause);
  }
  return called(call, signal, triesLeft - 1);
}
