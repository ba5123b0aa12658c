import type { Range, Seconds } from '../time.ts';
import type { PauseRules } from '../timeline/wanted-fields.ts';

/** The likelihood at which a span of speech begins, and ends. */
const BEGINS = 0.5;
const ENDS = 0.35;
/** Shorter speech is a click or a breath. */
const MIN_SPEECH: Seconds = 0.1;
/** Shorter silence is part of a word. */
const MIN_SILENCE: Seconds = 0.1;

/** The speech in a file. */
export interface FoundSpeech {
  readonly duration: Seconds;
  readonly speech: readonly Range<Seconds>[];
}

/**
 * The spans of speech, in seconds.
 * @param likely one value a step of `step` seconds, from 0 to 1.
 */
export function speechSpans(likely: readonly number[], step: Seconds): Range<Seconds>[] {
  const spans: Range<Seconds>[] = [];
  let start: number | null = null;
  let quiet: number | null = null;
  const close = (end: number): void => {
    if (end - start! >= MIN_SPEECH) spans.push({ start: start!, end });
    start = null;
    quiet = null;
  };
  for (const [index, share] of likely.entries()) {
    const at = index * step;
    if (start === null) {
      if (share >= BEGINS) start = at;
    } else if (share >= ENDS) quiet = null;
    else {
      quiet ??= at;
      if (at + step - quiet >= MIN_SILENCE) close(quiet);
    }
  }
  if (start !== null) close(quiet ?? likely.length * step);
  return spans;
}

/** Below this there is no speech; and a shorter span is a closed consonant. */
const QUIET = 0.3;
const MIN_QUIET: Seconds = 0.09;

/**
 * The spans that are certainly without speech, down to the gaps between words.
 * @param likely as in `speechSpans`.
 */
export function quietSpans(likely: readonly number[], step: Seconds): Range<Seconds>[] {
  const spans: Range<Seconds>[] = [];
  let from = 0;
  for (let index = 0; index <= likely.length; index++) {
    if (index < likely.length && likely[index]! < QUIET) continue;
    if ((index - from) * step >= MIN_QUIET) spans.push({ start: from * step, end: index * step });
    from = index + 1;
  }
  return spans;
}

/** The pauses that can be cut out between the spans, before the first and after the last. (C78) */
export function pausesBetween(
  spans: readonly Range<Seconds>[],
  duration: Seconds,
  { minPause, padding }: PauseRules,
): Range<Seconds>[] {
  const pauses: Range<Seconds>[] = [];
  let from = 0;
  for (const [index, { start, end }] of [...spans, { start: duration, end: duration }].entries()) {
    const [before, after] = [index === 0 ? 0 : padding, start >= duration ? 0 : padding];
    if (start - from >= minPause && start - after > from + before) {
      pauses.push({ start: from + before, end: start - after });
    }
    from = end;
  }
  return pauses;
}
