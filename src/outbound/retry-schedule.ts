/** Pauses before the second, third … try, in seconds: the schedule that Standard Webhooks suggests, within a day. */
const PAUSES_S: readonly number[] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600];

/** The longest of them, in milliseconds. */
export const LONGEST_PAUSE_MS = Math.max(...PAUSES_S) * 1000;

/** When to try again after `tries` failed ones, in milliseconds from now; null: give up. */
export function nextTryInMs(tries: number): number | null {
  const pause = PAUSES_S[tries - 1];
  return pause === undefined ? null : pause * 1000;
}
