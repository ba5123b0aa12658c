import { decodeToRgba } from '../../engine/compose/decode-picture.ts';
import type { MediaLimits } from '../../engine/input/media-limits.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../image-header/image-header.ts';
import type { Painter } from '../../plan/model/painter.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderParams } from './render-operations.ts';

/** The painter of a plan's pictures; missing media become warnings. */
export async function planPainter(
  params: RenderParams<RenderPlan>,
  { signal, warn }: OperationContext,
): Promise<Painter> {
  const { SkiaPainter } = await import('../../paint/skia/skia-painter.ts');
  const painter = await SkiaPainter.create({ plan: params.plan, ...paintingInputs(params, signal) });
  for (const issue of painter.warnings) warn(issue);
  return painter;
}

/** What a painter needs besides the plan: files by field, their limits, the decoder of what Skia cannot decode. */
export function paintingInputs(
  { plan, files, limits }: RenderParams<Pick<RenderPlan, 'sources'>>,
  signal: AbortSignal,
) {
  return {
    files: new Map(files.map(([source, path]) => [plan.sources[source]!.field, path])),
    limits: imageLimits(limits),
    decode: (path: string, maxPx: number) => decodeToRgba(path, { limits, maxPx, signal }),
    signal,
  };
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
