import type { Range, Seconds } from '../../time.ts';
import { type Entry, toMicros, withLane } from './entries.ts';
import type { EntryOf, TimelineData } from './project.ts';

/** A spoken word of a caption, at its second of the timeline. */
export type LineWord = NonNullable<EntryOf<'subtitles'>['words']>[number];

/** A subtitle whose words have times. */
export type CaptionLine = EntryOf<'subtitles'> & { readonly words: LineWord[] };

/** A word by its line and its index there. */
export interface WordRef {
  readonly line: string;
  readonly index: number;
}

export function wordKey({ line, index }: WordRef): string {
  return `${line} ${index}`;
}

/** A segment from the speech recogniser. */
interface HeardSegment extends Range<Seconds> {
  readonly words: readonly LineWord[];
}

/** Below this, the recogniser is not sure of a word. */
const UNSURE = 0.6;
const MIN_SECONDS: Seconds = 0.05;
/** The assumed length of a word without an end. */
const DEFAULT_WORD: Seconds = 0.3;

/** Subtitles with timed words, in time order. */
export function captionLines({ subtitles }: Pick<TimelineData, 'subtitles'>): CaptionLine[] {
  return subtitles.filter(isLine).toSorted((a, b) => a.start - b.start);
}

export function isUnsure({ confidence = 1 }: LineWord): boolean {
  return confidence < UNSURE;
}

/** The next or previous unsure word; null if there is none. */
export function nextUnsure(lines: readonly CaptionLine[], from: WordRef | null, by: 1 | -1): WordRef | null {
  const all = lines.flatMap(({ id, words }) => words.map((word, index) => ({ line: id, index, word })));
  const at = from === null ? -1 : all.findIndex(({ line, index }) => line === from.line && index === from.index);
  const found = by === 1 ? all.slice(at + 1) : all.slice(0, Math.max(0, at)).reverse();
  const next = found.find(({ word }) => isUnsure(word));
  return next === undefined ? null : { line: next.line, index: next.index };
}

/** Replaces the captions that start within a range; other subtitles stay. */
export function putCaptions(
  timeline: TimelineData,
  segments: readonly HeardSegment[],
  range: Range<Seconds>,
): TimelineData {
  const stays = timeline.subtitles.filter(
    (each) => !isLine(each) || each.start < range.start || each.start >= range.end,
  );
  const spoken = segments.filter(({ words }) => words.length > 0);
  const fresh = spoken.map(({ start, end, words }, index) => {
    const next = spoken[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const duration = lengthOf(start, Math.min(end, next));
    return { text: textOf(words), start: toMicros(start), duration, words: [...words] };
  });
  return withLane(timeline, 'subtitles', [...(stays as readonly Entry[]), ...fresh]);
}

/**
 * Changes the text of a word. Several words share its time. An empty text removes the word, and the line with its last word. A
 * corrected word is sure.
 *
 * @param isTyped the text may go on: it stays one word, and an empty text removes nothing yet.
 */
export function setWord(timeline: TimelineData, { line, index }: WordRef, text: string, isTyped = false): TimelineData {
  return changeLine(timeline, line, (found) => {
    const word = found.words[index];
    const parts = text.split(/\s+/).filter((part) => part !== '');
    if (isTyped && parts.length > 0) parts.splice(0, parts.length, parts.join(' '));
    if (word === undefined || (isTyped && parts.length === 0)) return [found];
    if (parts.length === 1 && parts[0] === word.text) return [found];
    const end = endOf(found, index);
    const step = (end - word.start) / Math.max(1, parts.length);
    const written = parts.map(
      (part, nth): LineWord => ({
        text: part,
        start: nth === 0 ? word.start : toMicros(word.start + nth * step),
        end: nth === parts.length - 1 ? end : toMicros(word.start + (nth + 1) * step),
      }),
    );
    const words = found.words.toSpliced(index, 1, ...written);
    return words.length === 0 ? [] : [{ ...found, words, text: textOf(words) }];
  });
}

/** Marks a word as correct. */
export function acceptWord(timeline: TimelineData, { line, index }: WordRef): TimelineData {
  return changeLine(timeline, line, (found) => {
    const { confidence, ...word } = found.words[index]!;
    return confidence === undefined ? [found] : [{ ...found, words: found.words.with(index, word) }];
  });
}

/** Splits a line before a word. */
export function splitLine(timeline: TimelineData, { line, index }: WordRef): TimelineData {
  return changeLine(timeline, line, (found) => {
    const [first, second] = [found.words.slice(0, index), found.words.slice(index)];
    if (first.length === 0 || second.length === 0) return [found];
    const start = second[0]!.start;
    const { id: _, ...unnamed } = found;
    return [
      {
        ...found,
        text: textOf(first),
        words: first,
        duration: lengthOf(found.start, Math.min(endOf(found, index - 1), start)),
      },
      {
        ...unnamed,
        text: textOf(second),
        words: second,
        start,
        duration: lengthOf(start, found.start + found.duration),
      },
    ];
  });
}

/** Joins a line with the one before it. */
export function joinLine(timeline: TimelineData, line: string): TimelineData {
  const lines = captionLines(timeline);
  const at = lines.findIndex(({ id }) => id === line);
  const [before, joined] = [lines[at - 1], lines[at]];
  if (before === undefined || joined === undefined) return timeline;
  const words = [...before.words, ...joined.words];
  const end = Math.max(before.start + before.duration, joined.start + joined.duration);
  const one = { ...before, words, text: textOf(words), duration: lengthOf(before.start, end) };
  return changeLine(removeLine(timeline, line), before.id, () => [one]);
}

/** Joins a word with the one before it in its line. */
export function joinWords(timeline: TimelineData, { line, index }: WordRef): TimelineData {
  return changeLine(timeline, line, (found) => {
    const [before, word] = [found.words[index - 1], found.words[index]];
    if (before === undefined || word === undefined) return [found];
    const one: LineWord = { text: before.text + word.text, start: before.start, end: endOf(found, index) };
    const words = found.words.toSpliced(index - 1, 2, one);
    return [{ ...found, words, text: textOf(words) }];
  });
}

export function removeLine(timeline: TimelineData, line: string): TimelineData {
  return changeLine(timeline, line, () => []);
}

function isLine(entry: EntryOf<'subtitles'>): entry is CaptionLine {
  return entry.words !== undefined && entry.words.length > 0;
}

function changeLine(timeline: TimelineData, id: string, change: (line: CaptionLine) => readonly Entry[]): TimelineData {
  const at = timeline.subtitles.findIndex((each) => each.id === id);
  const found = timeline.subtitles[at];
  if (found === undefined || !isLine(found)) return timeline;
  const next = change(found);
  if (next[0] === found) return timeline;
  return withLane(timeline, 'subtitles', (timeline.subtitles as readonly Entry[]).toSpliced(at, 1, ...next));
}

function textOf(words: readonly LineWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** The end of a word: its own end, the start of the next word, or the end of the line. */
function endOf({ words, start, duration }: CaptionLine, index: number): Seconds {
  const word = words[index]!;
  const next = words[index + 1]?.start;
  return word.end ?? next ?? Math.max(word.start + DEFAULT_WORD, start + duration);
}

function lengthOf(start: Seconds, end: Seconds): Seconds {
  return toMicros(Math.max(MIN_SECONDS, end - start));
}

/** Where a searched text begins, and how many words it reaches into. */
interface FoundWords extends WordRef {
  readonly count: number;
}

/**
 * All places of a text in captions, in time order. It may span words of one line. Case, accents and the kind of white space do not
 * matter.
 */
export function findCaptions(lines: readonly CaptionLine[], text: string): FoundWords[] {
  const wanted = plain(text).trim().replace(/\s+/g, ' ');
  if (wanted === '') return [];
  return lines.flatMap(({ id, words }) => {
    const texts = words.map((word) => plain(word.text));
    const whole = texts.join(' ');
    const wordAt = (at: number) => {
      let index = 0;
      for (let end = texts[0]!.length; end < at; end += 1 + texts[index]!.length) index += 1;
      return index;
    };
    const found: FoundWords[] = [];
    for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
      const index = wordAt(at);
      found.push({ line: id, index, count: wordAt(at + wanted.length) - index + 1 });
    }
    return found;
  });
}

/** The index of the first match whose start is ahead; the first of all if there is none. */
export function firstAhead(
  matches: readonly FoundWords[],
  lines: readonly CaptionLine[],
  isAhead: (start: Seconds) => boolean,
): number {
  const starts = new Map(lines.map(({ id, words }) => [id, words.map(({ start }) => start)]));
  return Math.max(
    0,
    matches.findIndex(({ line, index }) => isAhead(starts.get(line)![index]!)),
  );
}

/** The words in matches, by their keys; those of one match are shown. Two matches can share a word. */
export function markedWords(matches: readonly FoundWords[], shown: number): ReadonlyMap<string, 'found' | 'shown'> {
  const keysOf = ({ line, index, count }: FoundWords) =>
    Array.from({ length: count }, (_, nth) => wordKey({ line, index: index + nth }));
  return new Map([
    ...matches.flatMap(keysOf).map((key) => [key, 'found'] as const),
    ...matches
      .slice(shown, shown + 1)
      .flatMap(keysOf)
      .map((key) => [key, 'shown'] as const),
  ]);
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
