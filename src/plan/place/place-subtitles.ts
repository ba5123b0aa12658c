import { firstIndex } from '../../collections.ts';
import { type FrameRate, type Frames, frameAt, frameRange, frames, type Range, type Seconds } from '../../time.ts';
import type { CanvasShape, CaptionDefaults } from '../../timeline/default-looks.ts';
import type { CaptionStyle, FontChoice, SpokenWord, SubtitleEntry } from '../../timeline/export-request.ts';
import { canvasRect, intersect, type Rect, referenceScale, shapeOf } from '../model/canvas.ts';
import { capitalsOf } from '../model/capitals.ts';
import { planFont, roleAt } from '../model/fonts.ts';
import type { CaptionLook, SubtitleLayer } from '../model/painted-layers.ts';
import { captionDefaultsIn } from '../theme/caption-defaults.ts';
import { SUBTITLE_LINE_EM } from './entry-places.ts';
import { NO_ENTER_EXIT, placeEnterExit } from './place-envelope.ts';
import type { PlanContext } from './plan-context.ts';

/** The background of a subtitle over a board or a light ground, if it has none of its own. (R32, R44) */
const OVER_BOARD = { color: '#000000', alpha: 0.6 };

/** Places the subtitles that are not empty; leaves out one whose box is outside the canvas, with a warning. */
export function placeSubtitles(context: PlanContext): SubtitleLayer[] {
  const { request, places, canvas, issues } = context;
  const scale = referenceScale(canvas);
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const layers: SubtitleLayer[] = [];
  const language = capitalsOf(request.timeline.subtitles.map(({ text }) => text));
  for (const entry of request.timeline.subtitles) {
    const { path, text, raisedLines } = entry;
    const { box, size, hidden, isOverBoard } = places.subtitle(entry);
    if (hidden) continue;
    if (text.trim() === '') {
      issues.warn(path, 'subtitle.blank', 'The subtitle has no text; nothing is drawn for it.');
      continue;
    }
    const sizePx = Math.round(size * scale * 100) / 100;
    const rect = raised(canvasRect(box, canvas), Math.round(raisedLines * SUBTITLE_LINE_EM * sizePx));
    if (intersect(rect, whole) === null) {
      issues.warn(path, 'subtitle.off_canvas', 'The subtitle lies outside the canvas; it is never visible.');
      continue;
    }
    layers.push(...pagesOf(entry, { rect, sizePx, isOverBoard, language }, context));
  }
  return layers;
}

/** A subtitle's layers: one, or one for each page. (C62) */
function pagesOf(
  entry: SubtitleEntry,
  place: { readonly rect: Rect; readonly sizePx: number; readonly isOverBoard: boolean; readonly language: string },
  { request, canvas, rate, media }: PlanContext,
): SubtitleLayer[] {
  const { path, id, start, duration, letterSpacing, align, textColor: color, style } = entry;
  const { rect, sizePx } = place;
  const time = { start, end: start + duration };
  const shows = frameRange(time.start, time.end, rate);
  const { theme } = request.settings;
  const row = captionDefaultsIn(theme.base, style?.base ?? 'plain');
  const isUppercase = style?.uppercase ?? row.uppercase;
  const { text, words } = isUppercase ? upperCased(entry, place.language) : entry;
  const max = style && wordsOnPage(style, row, shapeOf(canvas));
  const pages =
    max === null ? [{ from: 0, to: text.length, shows }] : captionPages({ text, words }, max, time, rate, shows);
  const letters = style && captionLetters(style, row, theme.font);
  const isPlain = (style?.base ?? 'plain') === 'plain';
  const isPlated = (style === null && place.isOverBoard) || (isPlain && !isDark(color) && isOnLightGround(canvas));
  const look = {
    rect,
    sizePx,
    letterSpacing,
    align,
    color,
    background: plateOf(entry) ?? (isPlated ? OVER_BOARD : style && row.background),
    letters: letters && { font: planFont(letters.font, media, letters.weight), role: roleAt(letters.weight) },
    look: style && captionLook(style, row, isDark(color) ? '#ffffff' : '#000000', rate),
  };
  const { enter, exit } = placeEnterExit(entry.enterExit, { time, shows, rate }, NO_ENTER_EXIT);
  return pages.map((page, index) => ({
    id,
    path,
    shows: page.shows,
    text: text.slice(page.from, page.to),
    caption: index === 0 ? { text: entry.text, shows } : null,
    ...look,
    words: beginning(words, page.from, page.to)
      .filter(({ to }) => to <= page.to)
      .map(({ from, to, start: spoken }) => ({
        from: from - page.from,
        to: to - page.from,
        at: frameAt(spoken, rate),
      })),
    enter: index === 0 ? within(enter, page.shows) : null,
    exit: index === pages.length - 1 ? within(exit, page.shows) : null,
  }));
}

/** The background of a subtitle that has one of its own. */
function plateOf({ backgroundColor: color, backgroundAlpha: alpha }: SubtitleEntry): SubtitleLayer['background'] {
  return color === null || alpha === null ? null : { color, alpha: alpha / 100 };
}

/** Whether the ground of a light theme is behind everything: white letters are hard to read on it. */
function isOnLightGround({ background, behind }: PlanContext['canvas']): boolean {
  return typeof behind === 'object' && 'theme' in behind && !isDark(background);
}

/** The entrance and exit of a page fit into the frames in which it is shown. */
function within(passing: SubtitleLayer['enter'], { start, end }: SubtitleLayer['shows']): SubtitleLayer['enter'] {
  return passing && { ...passing, frames: Math.min(passing.frames, end - start) as Frames };
}

/** By its luma: an outline has the opposite ink. */
function isDark(color: string): boolean {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5) < 110;
}

/** Above the subtitle below it, but never above the canvas. */
function raised(rect: Rect, byPx: number): Rect {
  return byPx === 0 ? rect : { ...rect, y: Math.max(Math.min(rect.y, 0), rect.y - byPx) };
}

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
function beginning(words: readonly SpokenWord[], from: number, to: number): readonly SpokenWord[] {
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

/** The text in capitals, with its words where they are then: some letters become two. (C62) */
function upperCased(
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  language: string,
): { text: string; words: SpokenWord[] } {
  let [upper, done] = ['', 0];
  const until = (at: number): number => {
    upper += text.slice(done, at).toLocaleUpperCase(language);
    done = at;
    return upper.length;
  };
  const moved = words.map((word) => ({ ...word, from: until(word.from), to: until(word.to) }));
  until(text.length);
  return { text: upper, words: moved };
}

/** A word reaches its size within this time. */
const GROW_SECONDS = 0.09;

/** How many words a page has; null: all of them. */
function wordsOnPage({ maxWords }: CaptionStyle, { words }: CaptionDefaults, shape: CanvasShape): number | null {
  return maxWords ?? words[shape] ?? null;
}

/** The font of a style; one that the request gives its theme takes precedence over the style's own. null: that of a plain subtitle. */
function captionLetters(
  { base, font, weight }: CaptionStyle,
  row: CaptionDefaults,
  themeFont: FontChoice | null,
): { font: FontChoice | null; weight: number } | null {
  if (base === 'plain' && font === null && weight === undefined) return null;
  return { font: font ?? themeFont ?? row.font ?? null, weight: weight ?? row.weight };
}

/** @param outlineColor for a style without one. */
function captionLook(
  style: CaptionStyle,
  row: CaptionDefaults,
  outlineColor: string,
  rate: FrameRate,
): CaptionLook | null {
  const { base, outlineWidth, highlight, highlightColor } = style;
  const given = [style.outlineColor, outlineWidth, highlight, highlightColor];
  if (base === 'plain' && given.every((field) => field === undefined)) return null;
  return {
    outline: { color: style.outlineColor ?? outlineColor, em: outlineWidth ?? row.outlineWidth },
    highlight: highlight ?? row.highlight,
    highlightColor: highlightColor ?? row.highlightColor,
    growFrames: frames(Math.max(1, Math.floor((GROW_SECONDS * rate.num) / rate.den))),
  };
}
