import { frameRange } from '../../time.ts';
import type { SubtitleLayer } from '../render-plan.ts';
import { canvasRect, intersect } from './canvas-rect.ts';
import type { PlanContext } from './plan-context.ts';

/** Sizes are meant for a canvas whose shorter side has this many pixels. (C23) */
const REFERENCE_SIDE = 1080;

/** Places the subtitles that have something to show; one whose box lies outside the canvas is warned about and left out. */
export function placeSubtitles({ request, canvas, rate, issues }: PlanContext): SubtitleLayer[] {
  const scale = Math.min(canvas.width, canvas.height) / REFERENCE_SIDE;
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const layers: SubtitleLayer[] = [];
  for (const { path, id, text, start, duration, size, align, color, background, box } of request.timeline.subtitles) {
    if (text.trim() === '') {
      issues.warn(path, 'subtitle.blank', 'The subtitle has no text; nothing is drawn for it.');
      continue;
    }
    const rect = canvasRect(box, canvas);
    if (intersect(rect, whole) === null) {
      issues.warn(path, 'subtitle.off_canvas', 'The subtitle lies outside the canvas; it is never seen.');
      continue;
    }
    layers.push({
      id,
      path,
      shows: frameRange(start, start + duration, rate),
      text,
      rect,
      sizePx: Math.round(size * scale * 100) / 100,
      align,
      color,
      background,
    });
  }
  return layers;
}
