import type { Seconds } from '../../../time.ts';
import { type CaptionLine, type WordRef, wordKey } from './caption-lines.ts';

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
