import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import { presetsTogether } from '../../sandbox/presets-together.ts';
import type { Transaction } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { Job, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { TenantChunks } from '../../store/parts/tenant-chunks.ts';
import { partsOwner } from '../export-keys.ts';
import type { Meter } from '../meter.ts';

/**
 * Several chunks in a job overlap their ends and beginnings; few enough keep a turn short. Jobs become smaller towards the end,
 * by one chunk for every `TAPER` that are left, so that workers end at about the same time. The last are a job each.
 */
const TOGETHER = 4;
const TAPER = 8;
const SINGLY = 12;

/** What the work on an output follows from. */
type PlannedParts = Pick<PlanOutline, 'preset' | 'canvas' | 'encoder' | 'chunks'> & {
  readonly audio: Pick<PlanOutline['audio'], 'key'>;
};

interface OutputWorkPorts {
  readonly outputs: Pick<OutputRecords, 'start' | 'statesOf'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'known' | 'pin' | 'unpin'>;
  readonly meter: Pick<Meter, 'chunksSought'>;
  /** What outputs that are rendered side by side may take. */
  readonly presetsMemoryBytes: number;
}

/** Whose work it is. */
type Owner = Pick<ExportRecord, 'id' | 'tenant'>;

/** The work an output takes: its jobs in the queue, and the rendered parts it needs until it is put together. */
export class OutputWork {
  readonly #ports: OutputWorkPorts;

  constructor(ports: OutputWorkPorts) {
    this.#ports = ports;
  }

  /**
   * Puts the jobs of outputs into the queue, unless they are there already or have failed; what is in the cache is done already. Outputs that
   * are started together share their jobs, so that their media are decoded once, as far as memory allows it. Part of the
   * caller's transaction. The parts stay in the cache until they are put together, however full it gets.
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
    const pictures = chunkJobs(owner, missing, priority);
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
    // The sound comes after the first pictures: it takes a moment in which no frame is done, and nobody likes to wait at
    // 0 %; but a viewer that watches while it renders needs both. (C49)
    await jobs.enqueue([...wanted.slice(0, 1), ...sound, ...wanted.slice(1), ...assemblies], tx);
  }

  /** Keeps the rendered parts of an output in the cache until it is put together. */
  async holdParts({ id, tenant }: Owner, { preset, chunks, audio }: PlannedParts, tx: Transaction): Promise<void> {
    const keys = [audio.key, ...chunks.map(({ key }) => key)];
    await this.#ports.chunks.pin(tenant, partsOwner(id, preset), keys, tx);
  }

  /** Lets the cache decide again. */
  async letGoOfParts(exportId: string, preset: string): Promise<void> {
    await this.#ports.chunks.unpin(partsOwner(exportId, preset));
  }
}

/** The job that puts an output together once all its parts are there: before the others, which only begin. */
export function assemblyJob(after: Pick<Job, 'exportId' | 'tenant' | 'priority'>, preset: string): Job {
  const { exportId, tenant } = after;
  const what = { kind: 'assembly', presets: [preset], chunks: null } as const;
  return { id: `${exportId}/${preset}/assembly`, tenant, exportId, ...what, priority: after.priority + 1 };
}

/** Ids say what a job is for, so that adding it twice adds nothing. */
function chunkJobs(
  { id: exportId, tenant }: Owner,
  missing: ReadonlyMap<string, readonly boolean[]>,
  priority: number,
): Job[] {
  return chunkRanges(missing).map(({ presets, ...chunks }) => ({
    id: `${exportId}/${presets.join('+')}/chunks/${chunks.first}`,
    tenant,
    exportId,
    kind: 'chunks',
    presets,
    chunks,
    priority,
  }));
}

/** Adjacent chunks that are missing of the same outputs; the more of these, the fewer chunks, so that a turn stays as short. */
export function chunkRanges(missing: ReadonlyMap<string, readonly boolean[]>) {
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
      room = Math.min(Math.ceil(TOGETHER / presets.length), chunksInJob(left));
    }
    room -= 1;
    left -= 1;
  }
  return ranges;
}

/** How many chunks the next job has at most, with so many left. */
function chunksInJob(left: number): number {
  return 1 + Math.ceil(Math.max(0, left - SINGLY) / TAPER);
}

function isFor(preset: string): (job: Job) => boolean {
  return ({ presets }) => presets.includes(preset);
}

/** The job that makes the sound of all outputs. */
function soundJob({ id: exportId, tenant }: Owner, priority: number): Job {
  return { id: `${exportId}/sound`, tenant, exportId, kind: 'sound', presets: [], chunks: null, priority };
}
