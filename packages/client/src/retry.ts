import type { TiercutError } from './tiercut-error.ts';

/**
 * Decides about a request that failed. Waits as long as it needs to, then resolves to true to send the request again,
 * or to false to report the failure. Rejects with the signal's reason once that is aborted.
 *
 * @param attempt how many attempts in a row have failed before this one.
 */
export type Retry = (failure: TiercutError, attempt: number, signal: AbortSignal | undefined) => Promise<boolean>;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Retries temporary failures, this many times in a row; after the time that the service sets, else longer each time.
 */
export function retryTimes(times: number): Retry {
  return async (failure, attempt, signal) => {
    if (!failure.isPassing || attempt >= times) return false;
    await pause(pauseMs(attempt, failure.retryAfterSeconds), signal);
    return true;
  };
}

/** How long to wait after a failure that passes: at least as long as the service asks for. */
export function pauseMs(attempt: number, retryAfterSeconds: number | null): number {
  // Not all clients at once.
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
  return Math.max(usual, (retryAfterSeconds ?? 0) * 1000);
}

/** Resolves after this time. Rejects with the reason of the signal once that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
