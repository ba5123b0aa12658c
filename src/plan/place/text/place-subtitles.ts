import { type Frames, frameAt, frameRange } from '../../../time.ts';
import type { SubtitleEntry } from '../../../timeline/request/text-entries.ts';
import { planFont } from '../../font/plan-font.ts';
import { voiceAt } from '../../font/shipped-fonts.ts';
import type { SubtitleLayer } from '../../layers/painted-layers.ts';
import type { Rect } from '../../rect.ts';
import { canvasRect, intersect } from '../canvas-rect.ts';
import { referenceScale, shapeOf } from '../canvas-shape.ts';
import { SUBTITLE_LINE_EM } from '../entry-places.ts';
import { NO_ENTER_EXIT, placeEnterExit } from '../place-envelope.ts';
import type { PlanContext } from '../plan-context.ts';
import { beginning, captionPages } from './caption-pages.ts';
import { captionBackground, captionLetters, captionLook, isUppercase, wordsOnPage } from './caption-styles.ts';
import { capitalsOf, upperCased } from './upper-case.ts';

/** The background of a subtitle over a board, if it has none of its own. (R32) */
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
  const { path, id, start, duration, align, color, style } = entry;
  const { rect, sizePx } = place;
  const time = { start, end: start + duration };
  const shows = frameRange(time.start, time.end, rate);
  const { text, words } = style !== null && isUppercase(style) ? upperCased(entry, place.language) : entry;
  const max = style && wordsOnPage(style, shapeOf(canvas));
  const pages =
    max === null ? [{ from: 0, to: text.length, shows }] : captionPages({ text, words }, max, time, rate, shows);
  const letters = style && captionLetters(style, request.settings.theme.font);
  const look = {
    rect,
    sizePx,
    align,
    color,
    background: entry.background ?? (style !== null ? captionBackground(style) : place.isOverBoard ? OVER_BOARD : null),
    letters: letters && { font: planFont(letters.font, media, letters.weight), voice: voiceAt(letters.weight) },
    look: style && captionLook(style, isDark(color) ? '#ffffff' : '#000000', rate),
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
