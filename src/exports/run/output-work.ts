import type { RenderPlan } from '../../plan/render-plan.ts';
import type { ChunkCache } from '../../store/chunk-cache.ts';
import type { Transaction } from '../../store/database.ts';
import type { Job, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';

/** What is rendered first: what someone waits for, then what was chosen, then the other shapes. (C12) */
export const PRIORITY = { awaited: 300, selected: 200, other: 100 } as const;

/** What the work on an output follows from. */
export type PlannedParts = Pick<RenderPlan, 'preset' | 'chunks' | 'audio'>;

interface OutputWorkPorts {
  readonly outputs: Pick<OutputRecords, 'start'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly chunks: Pick<ChunkCache, 'pin' | 'unpin'>;
}

/** The work an output takes: its jobs in the queue, and the rendered parts it needs until it is put together. */
export class OutputWork {
  readonly #ports: OutputWorkPorts;

  constructor(ports: OutputWorkPorts) {
    this.#ports = ports;
  }

  /**
   * Puts an output's jobs into the queue, unless they are there already. Part of the caller's transaction; its parts are
   * the caller's to hold, before.
   */
  async start(exportId: string, plan: PlannedParts, priority: number, tx: Transaction): Promise<void> {
    const { outputs, jobs } = this.#ports;
    const { preset, chunks } = plan;
    const started = await outputs.start(exportId, preset, { chunksLeft: chunks.length, framesDone: 0 }, tx);
    if (started === null) return;
    const sound = started.soundNeeded ? [soundJob(exportId, priority)] : [];
    const assembly = started.jobsLeft === 0 ? [assemblyJob(exportId, preset, priority)] : [];
    // The sound comes last: it takes a moment in which no frame is done, and nobody likes to wait at 0 %.
    await jobs.enqueue([...chunkJobs(exportId, preset, chunks.length, priority), ...sound, ...assembly], tx);
  }

  /** Keeps the rendered parts of an output in the cache until it is put together, however full the cache gets. */
  holdParts(exportId: string, { preset, chunks, audio }: PlannedParts): void {
    this.#ports.chunks.pin(holder(exportId, preset), [audio.key, ...chunks.map(({ key }) => key)]);
  }

  /** Lets the cache decide again. */
  async letGoOfParts(exportId: string, preset: string): Promise<void> {
    await this.#ports.chunks.unpin(holder(exportId, preset));
  }
}

/** The job that puts an output together once all its parts are there. */
export function assemblyJob(exportId: string, preset: string, priority: number): Job {
  return { id: `${exportId}/${preset}/assembly`, exportId, kind: 'assembly', preset, chunk: null, priority };
}

/** Ids say what a job is for, so that adding it twice adds nothing. */
function chunkJobs(exportId: string, preset: string, chunks: number, priority: number): Job[] {
  return Array.from({ length: chunks }, (_, chunk) => ({
    id: `${exportId}/${preset}/chunk/${chunk}`,
    exportId,
    kind: 'chunk',
    preset,
    chunk,
    priority,
  }));
}

/** The job that makes the sound of all outputs. */
function soundJob(exportId: string, priority: number): Job {
  return { id: `${exportId}/sound`, exportId, kind: 'sound', preset: null, chunk: null, priority };
}

function holder(exportId: string, preset: string): string {
  return `${exportId}/${preset}`;
}
