import { firstIndex } from '../../../collections/first-index.ts';
import { type FrameRate, type Frames, frameAt, type Range, type Seconds } from '../../../time.ts';
import type { SpokenWord } from '../../../timeline/request/text-entries.ts';

/** A part of a subtitle's text that is shown separately, by its characters, and its time. */
interface CaptionPage {
  readonly from: number;
  readonly to: number;
  readonly shows: Range<Frames>;
}

/** A word, or a part of one; a page may begin with it. */
interface Unit {
  readonly from: number;
  readonly to: number;
  /** In quarters of a word. */
  readonly quarters: number;
}

const SPACELESS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/**
 * A letter with its marks, and with the vowel that is written before it. Closing marks stay with the text they close.
 */
const CLUSTER =
  /[\u0e40-\u0e44\u0ec0-\u0ec4]?\P{M}[\p{M}\u0e30\u0e32\u0e33\u0eb0\u0eb2\u0eb3]*[\p{Pe}\p{Pf}\p{Po}\u30fc]*/gu;

/**
 * Cuts a text into pages of at most `max` words, with about as many on each. A page starts when its first word is spoken;
 * without the time of a word, by the length of the text before it. (C62)
 */
export function captionPages(
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  max: number,
  time: Range<Seconds>,
  rate: FrameRate,
  shows: Range<Frames>,
): CaptionPage[] {
  const cuts = evenly(unitsOf(text, words), max * 4);
  const starts = startsOf(cuts, { text, words }, time);
  const pages: CaptionPage[] = [];
  for (const [index, { from, to }] of cuts.entries()) {
    const earliest = index === 0 ? shows.start : pages.at(-1)!.shows.start + 1;
    const start = index === 0 ? shows.start : Math.max(earliest, frameAt(starts[index]!, rate));
    // More pages than frames would be unreadable.
    if (start >= shows.end) break;
    const last = pages.at(-1);
    if (last !== undefined) pages[pages.length - 1] = { ...last, shows: { ...last.shows, end: start as Frames } };
    pages.push({ from, to, shows: { start: start as Frames, end: shows.end } });
  }
  return pages;
}

function unitsOf(text: string, words: readonly SpokenWord[]): Unit[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: token, index }): Unit[] => {
    const end = index + token.length;
    if (!SPACELESS.test(token)) return [{ from: index, to: end, quarters: 4 }];
    // Marks before the first letter go with it, and a token of marks alone is one cluster.
    const clusters = [index, ...[...token.matchAll(CLUSTER)].slice(1).map((match) => index + match.index)];
    const spoken = beginning(words, index + 1, end).map(({ from }) => from);
    const begins = spoken.length === 0 ? clusters : [index, ...spoken];
    const clustersBefore = (at: number) => firstIndex(clusters.length, (i) => clusters[i]! >= at);
    return begins.map((from, i) => {
      const to = begins[i + 1] ?? end;
      return { from, to, quarters: clustersBefore(to) - clustersBefore(from) };
    });
  });
}

/** The words that begin in a part of the text. */
export function beginning(words: readonly SpokenWord[], from: number, to: number): readonly SpokenWord[] {
  const before = (at: number) => firstIndex(words.length, (i) => words[i]!.from >= at);
  return words.slice(before(from), before(to));
}

/** As few pages as possible, of about the same length. */
function evenly(units: readonly Unit[], max: number): Unit[] {
  const fewest = filled(units, max).length;
  const min = Math.min(max, Math.ceil(units.reduce((sum, { quarters }) => sum + quarters, 0) / fewest));
  const more = firstIndex(max - min, (added) => filled(units, min + added).length <= fewest);
  return filled(units, min + more);
}

function filled(units: readonly Unit[], max: number): Unit[] {
  const pages: Unit[] = [];
  for (const unit of units) {
    const last = pages.at(-1);
    if (last === undefined || last.quarters + unit.quarters > max) pages.push(unit);
    else pages[pages.length - 1] = { from: last.from, to: unit.to, quarters: last.quarters + unit.quarters };
  }
  return pages;
}

/** When each page begins: at its first spoken word, or interpolated by the length of the text. */
function startsOf(
  pages: readonly Unit[],
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  time: Range<Seconds>,
): Seconds[] {
  // Of each page and of the end: how many letters come before.
  const letters = [0];
  for (const { from, to } of pages) letters.push(letters.at(-1)! + text.slice(from, to).replace(/\s/gu, '').length);
  const known = pages.flatMap(({ from, to }, page) => {
    const start = page === 0 ? time.start : beginning(words, from, to)[0]?.start;
    return start === undefined ? [] : [{ page, start }];
  });
  return known.flatMap(({ page, start }, index) => {
    const next = known[index + 1] ?? { page: pages.length, start: time.end };
    const passed = (at: number) =>
      ((next.start - start) * (letters[at]! - letters[page]!)) / (letters[next.page]! - letters[page]!);
    return Array.from({ length: next.page - page }, (_, i) => start + passed(page + i));
  });
}
