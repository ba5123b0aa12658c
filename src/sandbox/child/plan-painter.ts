import { decodePicture } from '../../engine/compose/decode-picture.ts';
import type { MediaLimits } from '../../engine/input/media-limits.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../image-header/image-header.ts';
import { SkiaOverlayPainter } from '../../paint/skia/skia-overlay-painter.ts';
import type { OverlayPainter } from '../../plan/overlay-painter.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderParams } from './render-operations.ts';

/** The painter of a plan's overlays; what it had to do without is told as warnings. */
export async function planPainter(
  { plan, files, limits }: RenderParams<RenderPlan>,
  { signal, warn }: OperationContext,
): Promise<OverlayPainter> {
  const byField = new Map(files.map(([source, path]) => [plan.sources[source]!.field, path]));
  const decode = (path: string, mostPx: number) => decodePicture(path, { limits, mostPx, signal });
  const painter = await SkiaOverlayPainter.create({
    plan,
    files: byField,
    limits: imageLimits(limits),
    decode,
    signal,
  });
  for (const issue of painter.warnings) warn(issue);
  return painter;
}

function imageLimits(limits: MediaLimits): typeof DEFAULT_IMAGE_LIMITS {
  return {
    ...DEFAULT_IMAGE_LIMITS,
    maxPixels: limits.imageMaxPixels,
    maxSidePx: limits.imageMaxSide,
    maxFrames: limits.animationMaxFrames,
    maxAnimationPixels: limits.animationMaxPixels,
  };
}
