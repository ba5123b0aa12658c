import { availableParallelism } from 'node:os';
import { decodePicture } from '../../engine/compose/decode-picture.ts';
import type { MediaLimits } from '../../engine/input/media-limits.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../image-header/image-header.ts';
import { movingBoardFrames } from '../../paint/thread/moving-calls.ts';
import { PainterThread } from '../../paint/thread/painter-thread.ts';
import { isDrawn } from '../../plan/frame-runs.ts';
import type { OverlayPainter, OverlaySource } from '../../plan/overlay-painter.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderParams } from './render-operations.ts';

/** Fewer frames that move are painted sooner than a thread is up. */
const WORTH_A_THREAD = 60;

/** Painters of the frames to come. Whoever has it closes it. */
type AheadPainter = OverlaySource & Disposable;

/** The child's own, from the first plan on in which something moves. */
let thread: PainterThread | null = null;

/** The painter of a plan's overlays; what it had to do without is told as warnings. */
export async function planPainter(
  params: RenderParams<RenderPlan>,
  { signal, warn }: OperationContext,
): Promise<OverlayPainter> {
  const { SkiaOverlayPainter } = await import('../../paint/skia/skia-overlay-painter.ts');
  const painter = await SkiaOverlayPainter.create(orderOf(params, signal));
  for (const issue of painter.warnings) warn(issue);
  return painter;
}

/**
 * The same for ranges that are rendered one after the other: where much of them moves, and there is more than one core for it,
 * they are painted ahead, in a thread.
 */
export async function aheadPainter(
  params: RenderParams<RenderPlan>,
  ranges: readonly Range<Frames>[],
  context: OperationContext,
): Promise<AheadPainter> {
  if (availableParallelism() < 2 || !isWorthAThread(params.plan, ranges)) {
    return Object.assign(await planPainter(params, context), { [Symbol.dispose]: () => {} });
  }
  if (thread === null || thread.isOver) thread = new PainterThread();
  const painter = await thread.open({ ...orderOf(params, context.signal), ranges });
  for (const issue of painter.warnings) context.warn(issue);
  return painter;
}

/**
 * Whether ranges are rendered sooner where another thread paints them. Beside film it is x264 that all wait for: there a thread brought
 * nothing, and took 70 MB of a render that needs most of what it may have.
 */
export function isWorthAThread(plan: RenderPlan, ranges: readonly Range<Frames>[]): boolean {
  return ranges.every((range) => isDrawn(plan, range)) && movingBoardFrames(plan, ranges) >= WORTH_A_THREAD;
}

function orderOf({ plan, files, limits }: RenderParams<RenderPlan>, signal: AbortSignal) {
  return {
    plan,
    files: new Map(files.map(([source, path]) => [plan.sources[source]!.field, path])),
    limits: imageLimits(limits),
    decode: (path: string, mostPx: number) => decodePicture(path, { limits, mostPx, signal }),
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
