import { type Frames, frameRange, overlaps, type Range } from '../../time.ts';
import type { VideoEntry } from '../../timeline/request/clip-entries.ts';
import type { ClipLook } from '../layers/clip-layer.ts';
import type { Rect } from '../rect.ts';
import { referenceScale } from './canvas-shape.ts';
import type { PlanContext } from './plan-context.ts';

/** About the corner of a board's panel. */
const CORNER = 22;

/**
 * How a picture-in-picture is cut out and framed; null for a plain rectangle. By default it is rounded while a board,
 * which has round corners, is shown beside it. (C48)
 */
export function clipLook(
  entry: VideoEntry,
  shows: Range<Frames>,
  rect: Rect,
  { request, canvas, rate }: PlanContext,
): ClipLook | null {
  const { shape, border, shadow } = entry.look;
  const scale = referenceScale(canvas);
  const besideBoard =
    request.hasTierList &&
    request.timeline.blocks.some(({ start, duration }) => overlaps(shows, frameRange(start, start + duration, rate)));
  const half = Math.min(rect.width, rect.height) / 2;
  const corners = { rect: 0, rounded: Math.min(half, Math.round(CORNER * scale)), circle: half };
  const radiusPx = corners[shape ?? (besideBoard ? 'rounded' : 'rect')];
  if (radiusPx === 0 && border === null && !shadow) return null;
  const widthPx = border === null ? 0 : Math.max(1, Math.round(border.width * scale));
  return { rect, radiusPx, border: border && { color: border.color, widthPx: Math.min(half, widthPx) }, shadow };
}
