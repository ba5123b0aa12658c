import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Issue } from '../../errors.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import { requirePlainFile } from '../../sandbox/host/work-folder.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { Attempt } from '../../store/job-queue.ts';
import { outputKey, posterKey } from '../export-keys.ts';
import type { ExportsContext } from '../exports-context.ts';
import { assemblyJob } from './chunk-jobs.ts';
import { finishExport } from './end-export.ts';
import { unpinParts } from './part-pins.ts';
import { posterFrame } from './poster-frame.ts';
import type { RenderSlot } from './render-slot.ts';

/** Followers look at the export each time they are told: often enough for a smooth bar, no more. */
const TELL_EVERY_MS = 250;

/** What a job is run with. `slot` gives the export's child, started at the first call: cached work needs none. */
export interface JobRun {
  readonly context: ExportsContext;
  readonly plan: RenderPlan;
  readonly slot: () => Promise<RenderSlot>;
  readonly signal: AbortSignal;
  /** Ids of jobs that are recorded: the holder of their leases need not renew them. */
  readonly done: Set<string>;
  /** Told what the child had to do without. */
  readonly onWarning: (issue: Issue) => void;
}

/**
 * Renders chunks of one output, several in one go so that the child's stages overlap. Each is recorded as soon as it is
 * on disk: what a crash interrupts later is not rendered again.
 */
export async function runChunks(attempts: readonly Attempt[], run: JobRun): Promise<void> {
  const missing: Attempt[] = [];
  for (const attempt of attempts) {
    await using cached = await run.context.chunks.get(chunkOf(attempt, run).key);
    if (cached === null) missing.push(attempt);
    else await recordChunk(attempt, run);
  }
  if (missing.length > 0) await renderChunks(missing, run);
}

async function renderChunks(attempts: readonly Attempt[], run: JobRun): Promise<void> {
  const { context, plan, signal, onWarning } = run;
  const { exportId } = attempts[0]!.job;
  const slot = await run.slot();
  const work = attempts.map((attempt) => {
    const range = chunkOf(attempt, run);
    return { attempt, range, out: slot.path(`${plan.preset}-${attempt.job.chunk}.mp4`) };
  });
  let recorded = 0;
  let recordedFrames = 0;
  const recordFinished = async (): Promise<void> => {
    for (let next = work[recorded]; next !== undefined && (await exists(next.out)); next = work[recorded]) {
      recorded += 1;
      await requirePlainFile(next.out);
      await context.chunks.put(next.range.key, next.out);
      recordedFrames += next.range.end - next.range.start;
      context.progress.set(exportId, plan.preset, 0);
      await recordChunk(next.attempt, run);
    }
  };
  // One at a time: progress comes faster than records are written.
  let recording: Promise<void> = Promise.resolve();
  let busy = false;
  let toldAtMs = 0;
  const onProgress = ({ done }: { done: number }): void => {
    context.progress.set(exportId, plan.preset, Math.max(0, done - recordedFrames));
    if (performance.now() - toldAtMs >= TELL_EVERY_MS) {
      toldAtMs = performance.now();
      context.changes.notify(exportId);
    }
    if (busy) return;
    busy = true;
    recording = recordFinished().finally(() => {
      busy = false;
    });
    recording.catch(() => {}); // thrown below
  };
  const jobs = work.map(({ range: { start, end }, out }) => ({ range: { start, end }, out }));
  const params = { plan, files: slot.files(plan), limits: context.host.mediaLimits, jobs };
  await slot.child.request('render_chunks', params, { signal, onProgress, onWarning });
  await recording;
  await recordFinished();
  for (const { out } of work.slice(recorded)) await requirePlainFile(out);
}

/** Counts a chunk as done; the one that completes its output brings on the assembly. */
async function recordChunk({ job, attempt }: Attempt, { context, plan, done }: JobRun): Promise<void> {
  const { database, jobs, outputs, changes } = context;
  const { start, end } = plan.chunks[job.chunk!]!;
  await database.transaction(async (tx) => {
    if (!(await jobs.complete({ job, attempt }, tx))) return;
    const { jobsLeft } = await outputs.finishChunk(job.exportId, plan.preset, end - start, tx);
    if (jobsLeft === 0) await jobs.enqueue([assemblyJob(job.exportId, plan.preset, job.priority)], tx);
  });
  done.add(job.id);
  changes.notify(job.exportId);
}

/** Renders the sound that all outputs share. */
export async function runSound(attempt: Attempt, run: JobRun): Promise<void> {
  const { context, plan } = run;
  const { exportId, priority } = attempt.job;
  const { key } = plan.audio;
  await using cached = await context.chunks.get(key);
  if (cached === null) {
    const slot = await run.slot();
    const out = slot.path('sound.m4a');
    await renderSound(out, slot, run);
    await context.chunks.put(key, out);
  }
  await context.database.transaction(async (tx) => {
    if (!(await context.jobs.complete(attempt, tx))) return;
    const ready = await context.outputs.finishSound(exportId, tx);
    await context.jobs.enqueue(
      ready.map((preset) => assemblyJob(exportId, preset, priority)),
      tx,
    );
  });
}

/** Puts an output together and makes it known. */
export async function runAssembly(attempt: Attempt, run: JobRun): Promise<void> {
  const { context, plan, signal } = run;
  const slot = await run.slot();
  await using parts = new AsyncDisposableStack();
  const chunkFiles: string[] = [];
  for (const chunk of plan.chunks.keys()) chunkFiles.push(await chunkFile(chunk, parts, slot, run));
  const audioFile = await soundFile(parts, slot, run);
  const out = slot.path(`${plan.preset}.mp4`);
  await slot.child.request('assemble', { plan, chunkFiles, audioFile, out }, { signal });
  await publish(attempt, out, slot, run);
  await unpinParts(attempt.job.exportId, plan.preset, context);
  context.changes.notify(attempt.job.exportId);
}

/** A chunk where the child can read it: from the cache, or made again where the cache has lost it meanwhile. */
async function chunkFile(chunk: number, parts: AsyncDisposableStack, slot: RenderSlot, run: JobRun): Promise<string> {
  const { plan, context, signal } = run;
  const { start, end, key } = plan.chunks[chunk]!;
  return partFile(key, `part-${chunk}.mp4`, parts, slot, run, async (out) => {
    const params = {
      plan,
      files: slot.files(plan),
      limits: context.host.mediaLimits,
      jobs: [{ range: { start, end }, out }],
    };
    await slot.child.request('render_chunks', params, { signal });
  });
}

async function soundFile(parts: AsyncDisposableStack, slot: RenderSlot, run: JobRun): Promise<string> {
  return partFile(run.plan.audio.key, 'part-sound.m4a', parts, slot, run, (out) => renderSound(out, slot, run));
}

async function partFile(
  key: string,
  name: string,
  parts: AsyncDisposableStack,
  slot: RenderSlot,
  { context }: JobRun,
  make: (out: string) => Promise<void>,
): Promise<string> {
  const path = slot.path(name);
  parts.defer(() => slot.remove(path));
  const cached = await context.chunks.get(key);
  if (cached === null) await make(path);
  else await slot.lend(parts.use(cached).path, name);
  return path;
}

async function renderSound(out: string, slot: RenderSlot, { context, plan, signal, onWarning }: JobRun): Promise<void> {
  const params = { plan, files: slot.files(plan), limits: context.host.mediaLimits, out };
  await slot.child.request('render_sound', params, { signal, onWarning });
}

/** Temp → fsync → rename → record: nobody ever sees part of a video. */
async function publish(attempt: Attempt, file: string, slot: RenderSlot, run: JobRun): Promise<void> {
  const { context, plan } = run;
  const { exportId } = attempt.job;
  const { size: bytes } = await stat(file);
  const sha256 = await hashFile(file, run.signal);
  await context.blobs.adopt(outputKey(exportId, plan.preset), file);
  const record = await context.records.find(exportId, context.database);
  if (record?.selectedPreset === plan.preset) await makePoster(exportId, slot, run);
  const isStillWanted = await context.database.transaction(async (tx) => {
    if (!(await context.jobs.complete(attempt, tx))) return isAlive(await context.records.find(exportId, tx));
    await context.outputs.complete(exportId, plan.preset, { bytes, sha256 }, tx);
    if (record?.selectedPreset === plan.preset) await finishExport(exportId, 'completed', context, tx);
    return true;
  });
  if (isStillWanted) return;
  // The export was deleted at this very moment, and its files with it; these came after.
  for (const key of [outputKey(exportId, plan.preset), posterKey(exportId)]) await context.blobs.delete(key);
}

function isAlive(record: ExportRecord | null): boolean {
  return record !== null && record.state !== 'cancelled' && record.state !== 'expired';
}

async function makePoster(exportId: string, slot: RenderSlot, { context, plan, signal }: JobRun): Promise<void> {
  const out = slot.path('poster.jpg');
  const files = slot.files(plan);
  const params = {
    plan,
    files,
    limits: context.host.mediaLimits,
    frame: posterFrame(plan),
    out,
    format: 'jpeg',
  } as const;
  await slot.child.request('render_still', params, { signal });
  await context.blobs.adopt(posterKey(exportId), out);
}

function chunkOf({ job }: Attempt, { plan }: JobRun): RenderPlan['chunks'][number] {
  return plan.chunks[job.chunk!]!;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
