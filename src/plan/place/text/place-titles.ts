import { type Frames, frameRange } from '../../../time.ts';
import type { EntranceName, TitleKind } from '../../../timeline/choices.ts';
import { planFont } from '../../font/plan-font.ts';
import type { TitleLayer } from '../../layers/painted-layers.ts';
import type { Theme } from '../../theme.ts';
import { canvasRect, intersect } from '../canvas-rect.ts';
import { referenceScale } from '../canvas-shape.ts';
import { placeEnterExit } from '../place-envelope.ts';
import type { PlanContext } from '../plan-context.ts';

/** The defaults of each kind of title, if neither the entry nor the theme sets them. (C60) */
const KINDS: Readonly<
  Record<
    TitleKind,
    {
      readonly size: number;
      readonly align: 'left' | 'center';
      readonly alpha: number;
      readonly passes: Exclude<EntranceName, 'none'>;
    }
  >
> = {
  label: { size: 44, align: 'left', alpha: 0.88, passes: 'rise' },
  lower_third: { size: 60, align: 'left', alpha: 0.88, passes: 'slide' },
  card: { size: 130, align: 'center', alpha: 1, passes: 'fade' },
};

/** Places the titles that are not empty; leaves out one whose box is outside the canvas, with a warning. */
export function placeTitles(context: PlanContext, theme: Theme, totalFrames: Frames): TitleLayer[] {
  const { request, places, canvas, rate, media, issues } = context;
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
    const row = KINDS[kind];
    const shows = frameRange(start, start + duration, rate);
    // By default a card at the start or the end of the video does not fade: a player shows the first frame as the
    // poster.
    const passing = placeEnterExit(
      entry.enterExit,
      { time: { start, end: start + duration }, shows, rate },
      {
        enter: kind === 'card' && shows.start === 0 ? 'none' : row.passes,
        exit: kind === 'card' && shows.end >= totalFrames ? 'none' : row.passes,
      },
    );
    const { color, alpha } = entry.background;
    const layer: TitleLayer = {
      ...{ id, path, kind, shows, text, subtext, textRect },
      rect: kind === 'card' ? whole : textRect,
      sizePx: Math.round((size ?? row.size) * referenceScale(canvas) * 100) / 100,
      align: entry.align ?? row.align,
      color: entry.color ?? theme.text,
      background: { color: color ?? theme.panel, alpha: alpha ?? row.alpha },
      font: planFont(entry.font ?? request.settings.theme.font, media),
      ...passing,
    };
    return [layer];
  });
}
