import type { Frames } from '../../time.ts';
import type { RenderPlan } from '../render-plan.ts';

/** The frame that shows the most complete board, as late as possible; the middle if there is no board. (C28) */
export function posterFrame({ spans, totalFrames }: Pick<RenderPlan, 'spans' | 'totalFrames'>): Frames {
  let best: { readonly settled: number; readonly frame: number } | null = null;
  for (const { end, layers } of spans) {
    for (const layer of layers) {
      if (layer.kind !== 'board' || (best !== null && layer.settled < best.settled)) continue;
      best = { settled: layer.settled, frame: end - 1 };
    }
  }
  return (best?.frame ?? totalFrames >> 1) as Frames;
}
