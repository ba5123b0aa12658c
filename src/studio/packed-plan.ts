import type { Canvas, RenderPlan } from '../plan/render-plan.ts';

/**
 * A plan on its way from the worker that plans to the one that draws. The page between them wants little more of it than its size, and a
 * plan of two hours is tens of thousands of objects: as bytes, passing it on costs nothing.
 */
export interface PackedPlan {
  readonly canvas: Canvas;
  readonly totalFrames: number;
  /** Whether there is anything to be heard. */
  readonly hasSound: boolean;
  readonly bytes: ArrayBuffer;
}

export function packed(plan: RenderPlan): PackedPlan {
  const { canvas, totalFrames, audio } = plan;
  const { buffer } = new TextEncoder().encode(JSON.stringify(plan));
  return { canvas, totalFrames, hasSound: audio.clips.length > 0, bytes: buffer };
}

const read = new WeakMap<PackedPlan, RenderPlan>();

/** All of it; read once. */
export function unpacked(from: PackedPlan): RenderPlan {
  let plan = read.get(from);
  if (plan === undefined) {
    plan = JSON.parse(new TextDecoder().decode(from.bytes)) as RenderPlan;
    read.set(from, plan);
  }
  return plan;
}
