import type { ProgressBar } from '../render-plan.ts';
import { nearestEven } from './canvas-rect.ts';
import { REFERENCE_SIDE } from './canvas-shape.ts';
import type { PlanContext } from './plan-context.ts';

/** Of the canvas's shorter side. */
const THICKNESS = 6 / REFERENCE_SIDE;

/** Along the foot of the canvas; in portrait along its head, since players of short videos cover the foot. (C52) */
export function placeProgressBar({ request, canvas }: Pick<PlanContext, 'request' | 'canvas'>): ProgressBar | null {
  if (!request.settings.progressBar) return null;
  const { width, height } = canvas;
  const thick = Math.max(2, nearestEven(Math.min(width, height) * THICKNESS));
  return { rect: { x: 0, y: height > width ? 0 : height - thick, width, height: thick } };
}
