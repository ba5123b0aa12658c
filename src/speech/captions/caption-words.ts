import type { Range, Seconds } from '../../time.ts';

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
/** Two lines of a subtitle, and as long as one reads them. */
const MOST_CHARACTERS = 84;
const MOST_SECONDS: Seconds = 6;

const ENDS_SENTENCE = /[.!?…]["'”’)]*$/;

/** Cuts words into segments: at the end of a sentence, at a pause, and a sentence that is too long to read into even parts. */
export function captionSegments(words: readonly CaptionWord[]): CaptionSegment[] {
  const sentences: CaptionWord[][] = [];
  for (const word of words) {
    const last = sentences.at(-1)?.at(-1);
    const goesOn = last !== undefined && !ENDS_SENTENCE.test(last.text) && word.start - last.end < SEGMENT_PAUSE;
    if (goesOn) sentences.at(-1)!.push(word);
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
    const parts = evenParts(words, count);
    if (count >= words.length || parts.every(isReadable)) return parts;
  }
}

function isReadable(words: readonly CaptionWord[]): boolean {
  return textOf(words).length <= MOST_CHARACTERS && words.at(-1)!.end - words[0]!.start <= MOST_SECONDS;
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
