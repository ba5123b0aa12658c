import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { RenderSlot } from './render-slot.ts';

/** The key of a poster in the chunk cache: the poster is one frame of a chunk. */
export function posterPart({ chunks, posterFrame }: PlanOutline): string {
  const { key, start } = chunks.find(({ end }) => posterFrame < end)!;
  return sha256(`poster ${key} ${posterFrame - start}`);
}

/** Renders the poster of a plan; the caller owns the returned file. (C28) */
export async function renderPoster(plan: PlanOutline, slot: RenderSlot, signal: AbortSignal): Promise<string> {
  const out = slot.path('poster.jpg');
  const inputs = await slot.inputs(plan, plan.needs.poster);
  await slot.child.request('render_still', { ...inputs, frame: plan.posterFrame, out, format: 'jpeg' }, { signal });
  return slot.take(out);
}
