import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/time-left.ts';

/** The progress of some work at a time, from 0 to 1. */
export interface Sample {
  readonly ms: number;
  readonly share: number;
}

/** The rate is that of the last minute: earlier progress does not predict the rest. */
const WINDOW_MS = 60_000;
/** A shorter time is too little to estimate a rate. */
const MIN_MS = 8000;
const MIN_SHARE = 0.03;
/** The first steps include the start of the work: before this share, a rate needs this many steps. */
const [EARLY_SHARE, EARLY_STEPS] = [0.1, 4];

/** Adds a sample. An unchanged share adds none; a lower one restarts the list. */
export function withShare(samples: readonly Sample[], share: number, ms: number): readonly Sample[] {
  const last = samples.at(-1);
  if (last?.share === share) return samples;
  const known = last !== undefined && share < last.share ? [] : samples;
  return [...known, { ms, share }].slice(-500);
}

/** The time left at the rate of the last minute; null if unknown. */
export function secondsLeft(samples: readonly Sample[], nowMs: number): number | null {
  const last = samples.at(-1);
  const recent = samples.filter(({ ms }) => nowMs - ms <= WINDOW_MS);
  const [first] = recent;
  if (first === undefined || last === undefined) return null;
  const [gained, elapsedMs] = [last.share - first.share, nowMs - first.ms];
  if (gained < MIN_SHARE || elapsedMs < MIN_MS) return null;
  if (gained < EARLY_SHARE && recent.length <= EARLY_STEPS) return null;
  return Math.ceil((((1 - last.share) / gained) * elapsedMs) / 1000);
}

/** How long some work takes as a whole, as it did before, and when it began. */
export interface UsualTime {
  readonly seconds: number;
  readonly beganMs: number;
}

/** "About 40 s left.": as long as the work takes usually, and as measured once it takes longer; null if unknown. */
export function timeLeftWords(samples: readonly Sample[], nowMs: number, usual: UsualTime | null): string | null {
  const usualLeft = usual === null ? 0 : usual.seconds - (nowMs - usual.beganMs) / 1000;
  const left = usualLeft > 0 ? usualLeft : secondsLeft(samples, nowMs);
  return left === null ? null : leftWords(left);
}

/** `40 s`, `3 min` */
export function spanWords(seconds: number): string {
  return seconds < 90 ? page.seconds(Math.max(1, Math.ceil(seconds / 5)) * 5) : texts.minutes(Math.round(seconds / 60));
}

/** "About 40 s left." */
export function leftWords(seconds: number): string {
  return texts.timeLeft(spanWords(seconds));
}
