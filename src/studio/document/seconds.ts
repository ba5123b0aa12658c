/** Rounds to milliseconds: finer than any frame, and readable. */
export function tidySeconds(seconds: number): number {
  return Math.max(0.001, Math.round(seconds * 1000) / 1000);
}

interface Slot {
  readonly start?: number | undefined;
  readonly duration?: number | undefined;
}

/** The end of the last entry; 0 if there is none. */
export function lastEnd(entries: readonly Slot[]): number {
  return entries.reduce((end, { start = 0, duration = 0 }) => Math.max(end, tidySeconds(start + duration)), 0);
}
