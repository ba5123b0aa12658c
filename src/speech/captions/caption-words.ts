import type { Range, Seconds } from '../../time.ts';
import { cueTime } from '../../timeline/subtitle-file/cue-time.ts';

/** A spoken word with its times. */
export interface CaptionWord extends Range<Seconds> {
  readonly text: string;
  /** From 0 to 1: the probability of its least likely token. */
  readonly confidence: number;
}

/** Words that are shown together. */
export interface CaptionSegment extends Range<Seconds> {
  readonly text: string;
  readonly words: readonly CaptionWord[];
}

/** A pause this long ends a segment. */
const SEGMENT_PAUSE: Seconds = 0.6;
/** Characters in a row of a subtitle, which has two rows at most; and its longest duration. */
const MAX_CHARACTERS = 42;
const MAX_SECONDS: Seconds = 6;
/** Of one word: a model that repeats itself returns more. */
const LONGEST_WORD = 200;

/** A word of a model, without its repetitions. */
export function cleanWord(text: string): string {
  return text.replace(/,{2,}/g, ',').slice(0, LONGEST_WORD);
}

/** A part of a sentence may begin this many words away from where it would be even, to begin after a comma. */
const NEAR_WORDS = 3;

const ENDS_SENTENCE = /[.!?…]["'”’)]*$/;
const ENDS_CLAUSE = /[,;:–—.!?…]["'”’)]*$/;

/** Cuts words into segments: at the end of a sentence, at a pause, and a sentence that is too long to read into even parts. */
export function captionSegments(words: readonly CaptionWord[]): CaptionSegment[] {
  const sentences: CaptionWord[][] = [];
  for (const word of words) {
    const last = sentences.at(-1)?.at(-1);
    const continues = last !== undefined && !ENDS_SENTENCE.test(last.text) && word.start - last.end < SEGMENT_PAUSE;
    if (continues) sentences.at(-1)!.push(word);
    else sentences.push([word]);
  }
  return sentences.flatMap(readableParts).map((held) => ({
    start: held[0]!.start,
    end: held.at(-1)!.end,
    text: textOf(held),
    words: held,
  }));
}

/** As few parts as can be read. */
function readableParts(words: readonly CaptionWord[]): CaptionWord[][] {
  for (let count = 1; ; count++) {
    const parts = atClauses(evenParts(words, count));
    if (count >= words.length || parts.every(isReadable)) return parts;
  }
}

function isReadable(words: readonly CaptionWord[]): boolean {
  const rows = captionRows(textOf(words));
  return rows.every((row) => row.length <= MAX_CHARACTERS) && words.at(-1)!.end - words[0]!.start <= MAX_SECONDS;
}

/** A text in one row, or in two of about the same length: after a comma if there is one near the middle. */
export function captionRows(text: string): string[] {
  if (text.length <= MAX_CHARACTERS) return [text];
  let best = { cost: Number.POSITIVE_INFINITY, at: text.length };
  let start = 0;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', start)) {
    const [first, second] = [at, text.length - at - 1];
    const clause = ENDS_CLAUSE.test(text.slice(start, at)) ? MAX_CHARACTERS / 4 : 0;
    const tooLong = Math.max(first, second) > MAX_CHARACTERS ? text.length : 0;
    const cost = Math.abs(first - second) - clause + tooLong;
    if (cost < best.cost) best = { cost, at };
    start = at + 1;
  }
  return best.at === text.length ? [text] : [text.slice(0, best.at), text.slice(best.at + 1)];
}

/** The same parts, each from the nearest comma on where that leaves both readable. */
function atClauses(parts: CaptionWord[][]): CaptionWord[][] {
  for (let n = 1; n < parts.length; n++) {
    const both = [...parts[n - 1]!, ...parts[n]!];
    const even = parts[n - 1]!.length;
    const cuts = Array.from(both.keys())
      .filter((at) => at > 0 && Math.abs(at - even) <= NEAR_WORDS && ENDS_CLAUSE.test(both[at - 1]!.text))
      .sort((a, b) => Math.abs(a - even) - Math.abs(b - even));
    const cut = cuts.find((at) => isReadable(both.slice(0, at)) && isReadable(both.slice(at)));
    if (cut !== undefined) parts.splice(n - 1, 2, both.slice(0, cut), both.slice(cut));
  }
  return parts;
}

/** Parts of about the same length in characters. */
function evenParts(words: readonly CaptionWord[], count: number): CaptionWord[][] {
  const share = (textOf(words).length + 1) / count;
  const parts: CaptionWord[][] = Array.from({ length: count }, () => []);
  let characters = 0;
  for (const word of words) {
    const middle = characters + word.text.length / 2;
    parts[Math.min(Math.floor(middle / share), count - 1)]!.push(word);
    characters += word.text.length + 1;
  }
  return parts.filter(({ length }) => length > 0);
}

function textOf(words: readonly CaptionWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Captions as WebVTT. */
export function captionsAsVtt(segments: readonly CaptionSegment[]): string {
  const cues = segments.map(({ start, end, text }) => {
    const escaped = rowsOf(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${escaped}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Captions as SubRip. */
export function captionsAsSrt(segments: readonly CaptionSegment[]): string {
  return segments
    .map(
      ({ start, end, text }, nth) => `${nth + 1}\n${cueTime(start, ',')} --> ${cueTime(end, ',')}\n${rowsOf(text)}\n`,
    )
    .join('\n');
}

function rowsOf(text: string): string {
  return captionRows(text).join('\n');
}
