import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Transaction } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { Job, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { TenantChunks } from '../../store/tenant-chunks.ts';
import type { Meter } from '../meter.ts';

/** An export of more chunks than this has several in each job: their ends and beginnings overlap, and a turn stays short. */
const SINGLY_UP_TO = 12;
const TOGETHER = 4;

/** What the work on an output follows from. */
export type PlannedParts = Pick<RenderPlan, 'preset' | 'chunks'> & { readonly audio: Pick<RenderPlan['audio'], 'key'> };

interface OutputWorkPorts {
  readonly outputs: Pick<OutputRecords, 'start'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly chunks: Pick<TenantChunks, 'has' | 'pin' | 'unpin'>;
  readonly meter: Pick<Meter, 'chunksSought'>;
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
   * Puts an output's jobs into the queue, unless they are there already; what is in the cache is done already. Part of the
   * caller's transaction; its parts are the caller's to hold, before.
   */
  async start(owner: Owner, plan: PlannedParts, priority: number, tx: Transaction): Promise<void> {
    const { outputs, jobs } = this.#ports;
    const { preset, chunks, audio } = plan;
    const missing = chunks.map(({ key }) => !this.#ports.chunks.has(owner.tenant, key));
    const pictures = chunkJobs(owner, preset, missing, priority);
    const framesDone = chunks.reduce((sum, { start, end }, chunk) => (missing[chunk] ? sum : sum + end - start), 0);
    const soundDone = this.#ports.chunks.has(owner.tenant, audio.key);
    const found = { chunkJobs: pictures.length, framesDone, soundDone };
    const started = await outputs.start(owner.id, preset, found, tx);
    if (started === null) return;
    const sought = missing.filter(Boolean).length;
    this.#ports.meter.chunksSought(missing.length - sought, sought);
    const sound = started.soundNeeded ? [soundJob(owner, priority)] : [];
    const after = { exportId: owner.id, tenant: owner.tenant, priority };
    const assembly = started.jobsLeft === 0 ? [assemblyJob(after, preset)] : [];
    // The sound comes after the first pictures: it takes a moment in which no frame is done, and nobody likes to wait at
    // 0 %; but whoever watches while it renders needs both. (C49)
    await jobs.enqueue([...pictures.slice(0, 1), ...sound, ...pictures.slice(1), ...assembly], tx);
  }

  /** Keeps the rendered parts of an output in the cache until it is put together, however full the cache gets. */
  holdParts({ id, tenant }: Owner, { preset, chunks, audio }: PlannedParts): void {
    this.#ports.chunks.pin(tenant, holder(id, preset), [audio.key, ...chunks.map(({ key }) => key)]);
  }

  /** Lets the cache decide again. */
  async letGoOfParts(exportId: string, preset: string): Promise<void> {
    await this.#ports.chunks.unpin(holder(exportId, preset));
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
  preset: string,
  missing: readonly boolean[],
  priority: number,
): Job[] {
  const most = missing.length > SINGLY_UP_TO ? TOGETHER : 1;
  return rangesOf(missing, most).map((chunks) => ({
    id: `${exportId}/${preset}/chunks/${chunks.first}`,
    tenant,
    exportId,
    kind: 'chunks',
    presets: [preset],
    chunks,
    priority,
  }));
}

/** The adjacent chunks that are missing, so many together at the most. */
function rangesOf(missing: readonly boolean[], most: number): { first: number; count: number }[] {
  const ranges: { first: number; count: number }[] = [];
  for (const [chunk, isMissing] of missing.entries()) {
    if (!isMissing) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.first + last.count === chunk && last.count < most) last.count += 1;
    else ranges.push({ first: chunk, count: 1 });
  }
  return ranges;
}

/** The job that makes the sound of all outputs. */
function soundJob({ id: exportId, tenant }: Owner, priority: number): Job {
  return { id: `${exportId}/sound`, tenant, exportId, kind: 'sound', presets: [], chunks: null, priority };
}

function holder(exportId: string, preset: string): string {
  return `${exportId}/${preset}`;
}
