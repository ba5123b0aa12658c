import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Transaction } from '../../store/database.ts';
import type { ExportsContext } from '../exports-context.ts';
import { assemblyJob, chunkJobs, soundJob } from './chunk-jobs.ts';
import { pinParts } from './part-pins.ts';

/** Puts an output's jobs into the queue, unless they are there already. Part of the caller's transaction. */
export async function startOutput(
  exportId: string,
  plan: Pick<RenderPlan, 'preset' | 'chunks' | 'audio'>,
  priority: number,
  context: Pick<ExportsContext, 'outputs' | 'jobs' | 'chunks'>,
  tx: Transaction,
): Promise<void> {
  const { outputs, jobs } = context;
  const { preset, chunks } = plan;
  const started = await outputs.start(exportId, preset, { chunksLeft: chunks.length, framesDone: 0 }, tx);
  if (started === null) return;
  pinParts(exportId, plan, context);
  const sound = started.soundNeeded ? [soundJob(exportId, priority)] : [];
  const assembly = started.jobsLeft === 0 ? [assemblyJob(exportId, preset, priority)] : [];
  // The sound comes last: it takes a moment in which no frame is done, and nobody likes to wait at 0 %.
  await jobs.enqueue([...chunkJobs(exportId, preset, chunks.length, priority), ...sound, ...assembly], tx);
}
