import type { ChunkJob } from '../../../src/engine/encode/chunk-encoding.ts';
import { type RenderOptions, renderChunks } from '../../../src/engine/encode/render-chunks.ts';
import type { Frames, Range } from '../../../src/time.ts';

/** Renders chunks of one preset. */
export function renderPreset(options: RenderOptions, jobs: readonly ChunkJob[]): ReturnType<typeof renderChunks> {
  const { plan, files, painter, ...common } = options;
  return renderChunks({ ...common, presets: [{ plan, files, painter, jobs }] });
}

/** One chunk of a plan, by number, or any other range of its frames. */
export interface RenderChunkOptions extends RenderOptions {
  readonly chunk: number | Range<Frames>;
  readonly out: string;
}

/**
 * Renders one chunk alone. Its frames equal those of any larger range that holds it. (R4)
 *
 * @throws as `renderChunks`.
 */
export async function renderChunk(options: RenderChunkOptions): Promise<{ frames: number; bytes: number }> {
  const { plan, chunk, out } = options;
  const range = typeof chunk === 'number' ? plan.chunks[chunk] : chunk;
  if (range === undefined) throw new Error(`the plan has ${plan.chunks.length} chunks, no number ${chunk}`);
  for await (const { frames, bytes } of renderPreset(options, [{ range, out }])) return { frames, bytes };
  throw new Error('an empty range cannot be rendered');
}
