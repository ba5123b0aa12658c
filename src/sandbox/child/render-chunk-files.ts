import { renderChunks } from '../../engine/encode/render-chunks.ts';
import type { OperationContext } from '../channel/operation.ts';
import { planPainter } from './plan-painter.ts';
import type { ChunkResult, RenderOperations } from './render-operations.ts';
import { wholePlan } from './whole-plan.ts';

/** The child's side of `render_chunks`. */
export async function renderChunkFiles(
  { presets, limits }: RenderOperations['render_chunks']['params'],
  context: OperationContext,
): Promise<ChunkResult[]> {
  const jobs = presets.flatMap((preset) => preset.jobs);
  const total = jobs.reduce((frames, { range }) => frames + range.end - range.start, 0);
  const painted = [];
  for (const { plan: sent, files, jobs } of presets) {
    const plan = await wholePlan(sent);
    const painter = await planPainter({ plan, files, limits }, context);
    painted.push({ plan, files: new Map(files), jobs, painter });
  }
  const rendering = renderChunks({
    presets: painted,
    limits,
    signal: context.signal,
    onProgress: (done) => context.progress({ done, total }),
  });
  const results = new Map<unknown, ChunkResult>();
  for await (const { job, frames, bytes } of rendering) results.set(job, { frames, bytes });
  return jobs.map((job) => results.get(job)!);
}
