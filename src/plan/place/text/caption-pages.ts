import { type FrameRate, type Frames, frameAt, type Range, type Seconds } from '../../../time.ts';
import type { SpokenWord } from '../../../timeline/export-request.ts';

/** A part of a subtitle's text that is shown by itself, by its characters, and when. */
interface CaptionPage {
  readonly from: number;
  readonly to: number;
  readonly shows: Range<Frames>;
}

/** What counts as a word, or as a part of one; a page may begin with it. */
interface Unit {
  readonly from: number;
  readonly to: number;
  /** In quarters of a word. */
  readonly quarters: number;
}

const SPACELESS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** A letter with its marks, and with the vowel that is written before it. What closes a phrase goes with what it closes. */
const CLUSTER =
  /[\u0e40-\u0e44\u0ec0-\u0ec4]?\P{M}[\p{M}\u0e30\u0e32\u0e33\u0eb0\u0eb2\u0eb3]*[\p{Pe}\p{Pf}\p{Po}\u30fc]*/gu;

/**
 * Cuts a text into pages of at most `most` words, about as many on each. A page turns when its first word is spoken; where no word says
 * when that is, by the length of what comes before. (C62)
 */
export function captionPages(
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  most: number,
  time: Range<Seconds>,
  rate: FrameRate,
  shows: Range<Frames>,
): CaptionPage[] {
  const cuts = evenly(unitsOf(text, words), most * 4);
  const starts = startsOf(cuts, { text, words }, time);
  const pages: CaptionPage[] = [];
  for (const [index, { from, to }] of cuts.entries()) {
    const earliest = index === 0 ? shows.start : pages.at(-1)!.shows.start + 1;
    const start = index === 0 ? shows.start : Math.max(earliest, frameAt(starts[index]!, rate));
    // More pages than frames: nobody could read them.
    if (start >= shows.end) break;
    const last = pages.at(-1);
    if (last !== undefined) pages[pages.length - 1] = { ...last, shows: { ...last.shows, end: start as Frames } };
    pages.push({ from, to, shows: { start: start as Frames, end: shows.end } });
  }
  return pages;
}

function unitsOf(text: string, words: readonly SpokenWord[]): Unit[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: token, index }): Unit[] => {
    if (!SPACELESS.test(token)) return [{ from: index, to: index + token.length, quarters: 4 }];
    const clusters = [...token.matchAll(CLUSTER)].map((match) => index + match.index);
    const spoken = words.map(({ from }) => from).filter((from) => from > index && from < index + token.length);
    const begins = spoken.length === 0 ? clusters : [index, ...spoken];
    return begins.map((from, i) => {
      const to = begins[i + 1] ?? index + token.length;
      return { from, to, quarters: clusters.filter((at) => at >= from && at < to).length };
    });
  });
}

/** As few pages as can be, and none of them much fuller than the others. */
function evenly(units: readonly Unit[], most: number): Unit[] {
  const fewest = filled(units, most).length;
  let room = Math.min(most, Math.ceil(units.reduce((sum, { quarters }) => sum + quarters, 0) / fewest));
  while (filled(units, room).length > fewest) room += 1;
  return filled(units, room);
}

function filled(units: readonly Unit[], most: number): Unit[] {
  const pages: Unit[] = [];
  for (const unit of units) {
    const last = pages.at(-1);
    if (last === undefined || last.quarters + unit.quarters > most) pages.push(unit);
    else pages[pages.length - 1] = { from: last.from, to: unit.to, quarters: last.quarters + unit.quarters };
  }
  return pages;
}

/** When each page begins: as its first spoken word says, or between those that say so, by the length of the text. */
function startsOf(
  pages: readonly Unit[],
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  time: Range<Seconds>,
): Seconds[] {
  const lettersBefore = (at: number) => text.slice(0, at).replace(/\s/gu, '').length;
  const said = pages.map(({ from, to }, index) =>
    index === 0 ? time.start : words.find((word) => word.from >= from && word.from < to)?.start,
  );
  return pages.map(({ from }, index) => {
    const own = said[index];
    if (own !== undefined) return own;
    const before = said.findLastIndex((start, at) => at < index && start !== undefined);
    const after = said.findIndex((start, at) => at > index && start !== undefined);
    const [begin, end] = [said[before]!, after < 0 ? time.end : said[after]!];
    const first = lettersBefore(pages[before]!.from);
    const last = lettersBefore(after < 0 ? text.length : pages[after]!.from);
    return begin + ((end - begin) * (lettersBefore(from) - first)) / (last - first);
  });
}
