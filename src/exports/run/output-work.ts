import type { PlanOutline } from '../../plan/plan-outline.ts';
import { presetsTogether } from '../../sandbox/host/render-memory.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Transaction } from '../../store/database.ts';
import type { Job, JobQueue } from '../../store/job-queue.ts';
import type { ExportRecord } from '../../store/records/export-record.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { Meter } from '../api/meter.ts';
import { partsOwner } from '../export-keys.ts';

/**
 * A job with several chunks overlaps their ends and starts; few chunks keep it short. Jobs become smaller towards the
 * end, by one chunk for every `TAPER` that are left, so that workers end at about the same time. The last ones have
 * `FEWEST` chunks. The first chunk is a job of its own if the sound is not cached, because a player waits for both.
 */
const TOGETHER = 10;
const TAPER = 8;
const FEWEST = 2;
const LAST = 24;

/** The part of a plan that the jobs of an output depend on. */
type PlannedParts = Pick<PlanOutline, 'preset' | 'canvas' | 'encoder' | 'chunks'> & {
  readonly audio: Pick<PlanOutline['audio'], 'key'>;
};

interface OutputWorkPorts {
  readonly outputs: Pick<OutputRecords, 'start' | 'statesOf'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'known' | 'pin' | 'unpin'>;
  readonly meter: Pick<Meter, 'chunksSought'>;
  /** The memory budget for outputs that are rendered together. */
  readonly presetsMemoryBytes: number;
}

/** The export that the work is for. */
type Owner = Pick<ExportRecord, 'id' | 'tenant'>;

/** The work of an output: its jobs in the queue, and the rendered parts that it needs until its assembly. */
export class OutputWork {
  readonly #ports: OutputWorkPorts;

  constructor(ports: OutputWorkPorts) {
    this.#ports = ports;
  }

  /**
   * Enqueues the jobs of outputs, unless they are enqueued or have failed; cached parts need none. Outputs that start
   * together share their jobs if memory allows it, so that their media are decoded once. Runs in the caller's
   * transaction. The parts stay in the cache until the assembly, even if it is full.
   */
  async start(owner: Owner, plans: readonly PlannedParts[], priority: number, tx: Transaction): Promise<void> {
    const { outputs, presetsMemoryBytes } = this.#ports;
    const states = await outputs.statesOf(owner.id, tx);
    const wanted = plans.filter(({ preset }) => states.get(preset) !== 'failed');
    for (const together of presetsTogether(wanted, presetsMemoryBytes)) {
      await this.#start(owner, together, priority, tx);
    }
  }

  async #start(owner: Owner, plans: readonly PlannedParts[], priority: number, tx: Transaction): Promise<void> {
    const { outputs, jobs, chunks: cache, meter } = this.#ports;
    const missing = new Map<string, boolean[]>();
    const withSound = new Set<string>();
    for (const plan of plans) {
      const { preset, chunks, audio } = plan;
      await this.holdParts(owner, plan, tx);
      const isThere = await cache.known(owner.tenant, partsOwner(owner.id, preset), tx);
      missing.set(
        preset,
        chunks.map(({ key }) => !isThere(key)),
      );
      if (isThere(audio.key)) withSound.add(preset);
    }
    const pictures = chunkJobs(owner, missing, withSound.size < plans.length, priority);
    const started = new Set<string>();
    const [sound, assemblies]: [Job[], Job[]] = [[], []];
    for (const { preset, chunks } of plans) {
      const lacks = missing.get(preset)!;
      const framesDone = chunks.reduce((sum, { start, end }, chunk) => (lacks[chunk] ? sum : sum + end - start), 0);
      const soundDone = withSound.has(preset);
      const found = { chunkJobs: pictures.filter(isFor(preset)).length, framesDone, soundDone };
      const start = await outputs.start(owner.id, preset, found, tx);
      if (start === null) continue;
      started.add(preset);
      const sought = lacks.filter(Boolean).length;
      tx.afterCommit(() => meter.chunksSought(lacks.length - sought, sought));
      if (start.soundNeeded) sound.push(soundJob(owner, priority));
      const after = { exportId: owner.id, tenant: owner.tenant, priority };
      if (start.jobsLeft === 0) assemblies.push(assemblyJob(after, preset));
    }
    const wanted = pictures
      .map((job) => ({ ...job, presets: job.presets.filter((preset) => started.has(preset)) }))
      .filter(({ presets }) => presets.length > 0);
    // The sound comes after the first chunk: no frame finishes while it renders, so progress would stay at 0 %. It
    // comes before the rest because a player needs both. (C49)
    await jobs.enqueue([...wanted.slice(0, 1), ...sound, ...wanted.slice(1), ...assemblies], tx);
  }

  /** Pins the rendered parts of an output in the cache until its assembly. */
  async holdParts({ id, tenant }: Owner, { preset, chunks, audio }: PlannedParts, tx: Transaction): Promise<void> {
    const keys = [audio.key, ...chunks.map(({ key }) => key)];
    await this.#ports.chunks.pin(tenant, partsOwner(id, preset), keys, tx);
  }

  /** Unpins the parts of an output. */
  async releaseParts(exportId: string, preset: string): Promise<void> {
    await this.#ports.chunks.unpin(partsOwner(exportId, preset));
  }
}

/**
 * The job that assembles an output once all its parts exist. Its priority is higher than that of jobs that start
 * something.
 */
export function assemblyJob(after: Pick<Job, 'exportId' | 'tenant' | 'priority'>, preset: string): Job {
  const { exportId, tenant } = after;
  const what = { kind: 'assembly', presets: [preset], chunks: null } as const;
  return { id: `${exportId}/${preset}/assembly`, tenant, exportId, ...what, priority: after.priority + 1 };
}

/** The id names the content of a job, so enqueueing it twice has no effect. */
function chunkJobs(
  { id: exportId, tenant }: Owner,
  missing: ReadonlyMap<string, readonly boolean[]>,
  firstAlone: boolean,
  priority: number,
): Job[] {
  return chunkRanges(missing, firstAlone).map(({ presets, ...chunks }) => ({
    id: `${exportId}/${presets.join('+')}/chunks/${chunks.first}`,
    tenant,
    exportId,
    kind: 'chunks',
    presets,
    chunks,
    priority,
  }));
}

/** Groups adjacent chunks that the same outputs lack. More outputs mean fewer chunks, so that a job stays short. */
export function chunkRanges(missing: ReadonlyMap<string, readonly boolean[]>, firstAlone: boolean) {
  const ranges: { presets: string[]; first: number; count: number }[] = [];
  const length = [...missing.values()][0]?.length ?? 0;
  const lacking = Array.from({ length }, (_, chunk) =>
    [...missing].filter(([, lacks]) => lacks[chunk]).map(([preset]) => preset),
  );
  let left = lacking.filter((presets) => presets.length > 0).length;
  let room = 0;
  for (const [chunk, presets] of lacking.entries()) {
    if (presets.length === 0) continue;
    const last = ranges.at(-1);
    const isNext = last !== undefined && last.first + last.count === chunk && room > 0;
    if (isNext && last.presets.join() === presets.join()) last.count += 1;
    else {
      ranges.push({ presets, first: chunk, count: 1 });
      const isAlone = firstAlone && chunk === 0;
      room = isAlone ? 1 : Math.min(Math.ceil(TOGETHER / presets.length), chunksInJob(left));
    }
    room -= 1;
    left -= 1;
  }
  return ranges;
}

/** The maximum size of the next job, given how many chunks are left. */
function chunksInJob(left: number): number {
  return FEWEST + Math.ceil(Math.max(0, left - LAST) / TAPER);
}

function isFor(preset: string): (job: Job) => boolean {
  return ({ presets }) => presets.includes(preset);
}

/** The job that renders the sound of all outputs. */
function soundJob({ id: exportId, tenant }: Owner, priority: number): Job {
  return { id: `${exportId}/sound`, tenant, exportId, kind: 'sound', presets: [], chunks: null, priority };
}
