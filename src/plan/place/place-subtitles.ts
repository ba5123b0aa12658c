import { frameAt, frameRange } from '../../time.ts';
import type { Rect, SubtitleLayer } from '../render-plan.ts';
import { canvasRect, intersect } from './canvas-rect.ts';
import { referenceScale } from './canvas-shape.ts';
import { SUBTITLE_LINE_EM } from './entry-places.ts';
import { JUST_THERE, placeTransitions } from './place-envelope.ts';
import type { PlanContext } from './plan-context.ts';

/** What a subtitle without a background has behind it where it stands over a board. (R32) */
const OVER_BOARD = { color: '#000000', alpha: 0.6 };

/** Places the subtitles that have something to show; one whose box lies outside the canvas is warned about and left out. */
export function placeSubtitles({ request, places, canvas, rate, issues }: PlanContext): SubtitleLayer[] {
  const scale = referenceScale(canvas);
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const layers: SubtitleLayer[] = [];
  for (const entry of request.timeline.subtitles) {
    const { path, id, text, start, duration, align, color, background, raisedLines } = entry;
    const { box, size = entry.size, hidden, isOverBoard } = places.subtitle(entry);
    if (hidden) continue;
    if (text.trim() === '') {
      issues.warn(path, 'subtitle.blank', 'The subtitle has no text; nothing is drawn for it.');
      continue;
    }
    const sizePx = Math.round(size * scale * 100) / 100;
    const rect = raised(canvasRect(box, canvas), Math.round(raisedLines * SUBTITLE_LINE_EM * sizePx));
    if (intersect(rect, whole) === null) {
      issues.warn(path, 'subtitle.off_canvas', 'The subtitle lies outside the canvas; it is never seen.');
      continue;
    }
    const shows = frameRange(start, start + duration, rate);
    layers.push({
      id,
      path,
      shows,
      text,
      rect,
      sizePx,
      align,
      color,
      background: background ?? (isOverBoard ? OVER_BOARD : null),
      words: entry.words.map(({ from, to, start: spoken }) => ({ from, to, at: frameAt(spoken, rate) })),
      ...placeTransitions(entry.comesAndGoes, { time: { start, end: start + duration }, shows, rate }, JUST_THERE),
    });
  }
  return layers;
}

/** Above what stands below, but never above the canvas. */
function raised(rect: Rect, byPx: number): Rect {
  return byPx === 0 ? rect : { ...rect, y: Math.max(Math.min(rect.y, 0), rect.y - byPx) };
}
