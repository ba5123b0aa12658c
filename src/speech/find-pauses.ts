import type { Range, Seconds } from '../time.ts';
import type { PauseRules } from '../timeline/wanted-fields.ts';

/** The likelihood at which a span of speech begins, and ends. */
const BEGINS = 0.5;
const ENDS = 0.35;
/** Shorter speech is a click or a breath. */
const MIN_SPEECH: Seconds = 0.1;
/** Shorter silence is part of a word. */
const MIN_SILENCE: Seconds = 0.1;

/** The voice in a recording: one value of each for a step. */
export interface Voice {
  /** From 0 to 1. */
  readonly likely: readonly number[];
  /** In decibels. */
  readonly levels: readonly number[];
}

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
/** Of the levels between the quietest sound and speech: what is lower is no speech. */
const NO_SPEECH_SHARE = 0.3;
/** The quietest sound counts as at most this much quieter than speech. */
const MAX_RANGE_DB = 40;
/** A breath is this much quieter than speech, and its likelihood is lower than that of speech. */
const BREATH_BELOW_DB = 15;
const BREATH_LIKELY = 0.95;

/**
 * The spans that are certainly without speech, down to the gaps between words. The likelihood falls a tenth of a second after a
 * word has ended, so the level decides where a gap begins; it decides about breaths, too.
 */
export function quietSpans(voice: Voice, step: Seconds): Range<Seconds>[] {
  const spans: Range<Seconds>[] = [];
  let from = 0;
  for (const [index, isQuiet] of [...quietSteps(voice), false].entries()) {
    if (isQuiet) continue;
    if ((index - from) * step >= MIN_QUIET) spans.push({ start: from * step, end: index * step });
    from = index + 1;
  }
  return spans;
}

/** Whether each step is quiet: unlikely to be speech, or faint and beside such a step. */
function quietSteps({ likely, levels }: Voice): boolean[] {
  const spoken = levels.filter((_, index) => likely[index]! >= BEGINS).sort((a, b) => a - b);
  const speech = spoken[spoken.length >> 1] ?? 0;
  const quietest = Math.max(speech - MAX_RANGE_DB, levels.toSorted((a, b) => a - b)[levels.length >> 4] ?? speech);
  const noSpeech = quietest + NO_SPEECH_SHARE * (speech - quietest);
  const isFaint = (index: number) =>
    levels[index]! < noSpeech || (levels[index]! < speech - BREATH_BELOW_DB && likely[index]! < BREATH_LIKELY);
  const quiet = likely.map((share) => share < QUIET);
  for (let index = 1; index < quiet.length; index++) quiet[index] ||= quiet[index - 1]! && isFaint(index);
  for (let index = quiet.length - 2; index >= 0; index--) quiet[index] ||= quiet[index + 1]! && isFaint(index);
  return quiet;
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
