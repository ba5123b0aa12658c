import { join } from 'node:path';
import { z } from 'zod';
import { BUILT } from '../platform/program-files.ts';
import type { RenderOperations } from './child/render-operations.ts';
import type { ChildProgram } from './host/child-program.ts';
import { JailedChild } from './host/jailed-child.ts';
import type { LaunchOptions } from './host/launch-options.ts';
import { PROBED_MEDIA } from './probed-media-schema.ts';

/** The process in which one export is probed, rendered and assembled. */
export type RenderChild = JailedChild<RenderOperations>;

/**
 * Starts a render child. Its inputs are fixed for its life, so there is one for each export; it serves all of the
 * export's chunks.
 */
export function launchRenderChild(options: LaunchOptions): Promise<RenderChild> {
  return JailedChild.start(RENDER_PROGRAM, options);
}

const count = z.int().nonnegative();

/** Ten a second, for ten hours. */
const MAX_SPANS = 360_000;
const seconds = z.number().nonnegative();
const span = z.strictObject({ start: seconds, end: seconds });

const selfTestRow = z.strictObject({
  name: z.string().max(100),
  expected: z.enum(['allowed', 'refused']),
  outcome: z.string().max(200),
  passed: z.boolean(),
});

const chunkResult = z.strictObject({ frames: count, bytes: count });

/**
 * The program that renders, as its parent sees it: for each operation the only answer that is believed, and the files
 * it leaves. The child's side of the same table is in child-main.ts.
 */
const RENDER_PROGRAM: ChildProgram<RenderOperations> = {
  entry: join(BUILT, 'child-main.js'),
  operations: {
    self_test: { result: z.array(selfTestRow).max(50) },
    warm_up: { result: z.null() },
    probe: { result: PROBED_MEDIA },
    find_speech: { result: z.strictObject({ duration: seconds, speech: z.array(span).max(MAX_SPANS) }) },
    transcribe: { result: z.null(), outputs: ({ out }) => [out] },
    render_chunks: {
      result: z.array(chunkResult),
      outputs: ({ presets }) => presets.flatMap(({ jobs }) => jobs.map(({ out }) => out)),
      takenMeanwhile: true,
    },
    assemble: { result: z.strictObject({ bytes: count }), outputs: ({ out }) => [out] },
    find_voice: { result: z.null(), outputs: ({ out }) => [out] },
    render_sound: {
      result: z.strictObject({ samples: count, peakDb: z.number(), loudness: z.number().optional() }),
      outputs: ({ out }) => [out],
    },
    render_still: {
      result: z.strictObject({ width: count, height: count }),
      outputs: ({ out }) => [out],
    },
    paint_thumbnail: {
      result: z.strictObject({ width: count, height: count }),
      outputs: ({ out }) => [out],
    },
  },
};
