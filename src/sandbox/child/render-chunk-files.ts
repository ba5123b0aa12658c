import { renderChunks } from '../../engine/encode/render-chunks.ts';
import type { OperationContext } from '../channel/operation.ts';
import { planPainter } from './plan-painter.ts';
import type { ChunkResult, RenderOperations } from './render-operations.ts';

/** The child's side of `render_chunks`. */
export async function renderChunkFiles(
  params: RenderOperations['render_chunks']['params'],
  context: OperationContext,
): Promise<ChunkResult[]> {
  const { plan, limits, jobs } = params;
  const painter = await planPainter(params, context);
  const total = jobs.reduce((frames, { range }) => frames + range.end - range.start, 0);
  const rendering = renderChunks(
    {
      plan,
      files: new Map(params.files),
      painter,
      limits,
      signal: context.signal,
      onProgress: (done) => context.progress({ done, total }),
    },
    jobs,
  );
  const results = new Map<unknown, ChunkResult>();
  for await (const { job, frames, bytes } of rendering) results.set(job, { frames, bytes });
  return jobs.map((job) => results.get(job)!);
}
