import type { PlanOutline } from '../../plan/plan-outline.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ExportChild } from './export-child.ts';

/** The key of a poster in the chunk cache: the poster is one frame of a chunk. */
export function posterPart({ chunks, posterFrame }: PlanOutline): string {
  const { key, start } = chunks.find(({ end }) => posterFrame < end)!;
  return sha256(`poster ${key} ${posterFrame - start}`);
}

/** Renders the poster of a plan; the caller owns the returned file. (C28) */
export async function renderPoster(plan: PlanOutline, child: ExportChild, signal: AbortSignal): Promise<string> {
  const out = child.path('poster.jpg');
  const inputs = await child.inputs(plan, plan.needs.poster);
  await child.request('render_still', { ...inputs, frame: plan.posterFrame, out, format: 'jpeg' }, { signal });
  return child.take(out);
}
