import { type Frames, frameRange } from '../../time.ts';
import { canvasRect, intersect, referenceScale } from '../model/canvas.ts';
import { planFont } from '../model/fonts.ts';
import type { TitleLayer } from '../model/painted-layers.ts';
import type { Theme } from '../model/theme.ts';
import { lookOf } from '../theme/theme-looks.ts';
import { placeEnterExit } from './place-envelope.ts';
import type { PlanContext } from './plan-context.ts';

/** Places the titles that are not empty; leaves out one whose box is outside the canvas, with a warning. */
export function placeTitles(context: PlanContext, theme: Theme, totalFrames: Frames): TitleLayer[] {
  const { request, places, canvas, rate, media, issues } = context;
  const { colors } = request.settings.theme;
  const {
    titles: { card },
    motion,
  } = lookOf(theme);
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  return request.timeline.titles.flatMap((entry): TitleLayer[] => {
    const { path, id, kind, text, subtext, start, duration } = entry;
    const { box, hidden, size = entry.size } = places.title(entry);
    if (hidden) return [];
    if (text.trim() === '' && subtext.trim() === '') {
      issues.warn(path, 'title.blank', 'The title has no text; nothing is drawn for it.');
      return [];
    }
    const textRect = canvasRect(box, canvas);
    if (intersect(textRect, whole) === null) {
      issues.warn(path, 'title.off_canvas', 'The title lies outside the canvas; it is never visible.');
      return [];
    }
    const shows = frameRange(start, start + duration, rate);
    // By default a card at the start or the end of the video does not fade: a player shows the first frame as the
    // poster.
    const passing = placeEnterExit(
      entry.enterExit,
      { time: { start, end: start + duration }, shows, rate },
      {
        enter: kind === 'card' && shows.start === 0 ? 'none' : motion.titles[kind],
        exit: kind === 'card' && shows.end >= totalFrames ? 'none' : motion.titles[kind],
      },
    );
    const layer: TitleLayer = {
      ...{ id, path, kind, shows, text, subtext, textRect },
      rect: kind === 'card' ? whole : textRect,
      sizePx: Math.round((size ?? card.size) * referenceScale(canvas) * 100) / 100,
      align: entry.align ?? card.align,
      color: entry.textColor ?? colors.text ?? null,
      background: {
        color: entry.backgroundColor ?? colors.panel ?? null,
        alpha: entry.backgroundAlpha === null ? null : entry.backgroundAlpha / 100,
      },
      font: entry.font === null ? theme.font : planFont(entry.font, media),
      ...passing,
    };
    return [layer];
  });
}
