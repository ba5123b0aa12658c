import { frameRuns } from '../../plan/frame-runs.ts';
import type { LayerRef, PaintedKind, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames, Range } from '../../time.ts';

/** Something that a painter can be asked for, by index into the plan. */
export interface PaintCall {
  readonly kind: PaintedKind | 'clip_frame';
  readonly index: number;
  readonly frame: Frames;
}

type Shown = Pick<RenderPlan, 'spans' | 'clips'>;

/** What has to be painted anew for every frame of the ranges, in the order in which it is asked for as they are rendered. */
export function* movingCalls(plan: Shown, ranges: readonly Range<Frames>[]): Generator<PaintCall, undefined> {
  for (const range of ranges) {
    for (const { start, end, layers } of frameRuns(plan, range)) {
      const moving = layers.flatMap((layer) => callOf(layer) ?? []);
      if (moving.length === 0) continue;
      for (let frame = start; frame < end; frame = (frame + 1) as Frames) {
        for (const call of moving) yield { ...call, frame };
      }
    }
  }
}

/** In how many frames of the ranges a board moves. */
export function movingBoardFrames(plan: Shown, ranges: readonly Range<Frames>[]): number {
  let count = 0;
  for (const range of ranges) {
    for (const { start, end, layers } of frameRuns(plan, range)) {
      if (layers.some((layer) => layer.kind === 'board' && layer.changes)) count += end - start;
    }
  }
  return count;
}

export function isSameCall(one: PaintCall, other: PaintCall): boolean {
  return one.kind === other.kind && one.index === other.index && one.frame === other.frame;
}

function callOf(layer: LayerRef): Omit<PaintCall, 'frame'> | null {
  return layer.kind === 'clip' || !layer.changes ? null : { kind: layer.kind, index: layer.index };
}
