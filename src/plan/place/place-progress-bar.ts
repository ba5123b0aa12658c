import { type Frames, frames } from '../../time.ts';
import type { ProgressBar } from '../layers/painted-layers.ts';
import { nearestEven } from './canvas-rect.ts';
import { REFERENCE_SIDE } from './canvas-shape.ts';
import type { PlanContext } from './plan-context.ts';

/** Of the canvas's shorter side. */
const THICKNESS = 6 / REFERENCE_SIDE;

/** Along the foot of the canvas; in portrait along its head, since players of short videos cover the foot. (C52) */
export function placeProgressBar(
  { request, canvas }: Pick<PlanContext, 'request' | 'canvas'>,
  totalFrames: Frames,
): ProgressBar[] {
  if (!request.settings.progressBar) return [];
  const { width, height } = canvas;
  const thick = Math.max(2, nearestEven(Math.min(width, height) * THICKNESS));
  const rect = { x: 0, y: height > width ? 0 : height - thick, width, height: thick };
  const shows = { start: frames(0), end: totalFrames };
  return [{ id: '', path: '/settings/progress_bar', shows, rect, enter: null, exit: null }];
}
