import { setTimeout } from 'node:timers/promises';
import { ExportError, type Issue } from '../../errors.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { ChangeHub } from '../change-hub.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { AssembleOutput } from './assemble-output.ts';
import type { DeadJobs } from './dead-jobs.ts';
import { type EndExport, recordedError } from './end-export.ts';
import type { JobRun } from './job-run.ts';
import type { RenderChunks } from './render-chunks.ts';
import type { RenderSlot } from './render-slot.ts';
import type { RenderSound } from './render-sound.ts';
import type { RunningExports } from './running-exports.ts';

/** Chunks rendered in one go: enough for their ends and beginnings to overlap, few enough to share the queue fairly. */
const CHUNKS_IN_ONE_GO = 4;
const HEARTBEAT_MS = 10_000;
const AFTER_A_STUMBLE_MS = 1_000;

interface RenderWorkerPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'setState' | 'addWarnings'>;
  readonly outputs: Pick<OutputRecords, 'setState'>;
  readonly jobs: Pick<JobQueue, 'claim' | 'claimLike' | 'changed' | 'heartbeat' | 'release' | 'fail'>;
  readonly plans: Pick<PlanStore, 'read'>;
  readonly deadJobs: DeadJobs;
  readonly renderChunks: RenderChunks;
  readonly renderSound: RenderSound;
  readonly assembleOutput: AssembleOutput;
  /** Starts a child for an export; `signal` ends it for good. */
  readonly openSlot: (record: ExportRecord, signal: AbortSignal) => Promise<RenderSlot>;
  readonly ends: Pick<EndExport, 'giveUp' | 'letGo'>;
  readonly running: RunningExports;
  readonly changes: Pick<ChangeHub, 'notify'>;
  readonly log: Log;
}

/** Takes jobs from the queue and runs them, one child at a time, until told to stop. */
export class RenderWorker {
  readonly #ports: RenderWorkerPorts;
  #slot: RenderSlot | null = null;

  constructor(ports: RenderWorkerPorts) {
    this.#ports = ports;
  }

  /** Resolves once `signal` has aborted and the job at hand is back in the queue. */
  async run(signal: AbortSignal): Promise<void> {
    const { jobs, deadJobs, log } = this.#ports;
    while (!signal.aborted) {
      try {
        const attempt = await jobs.claim(this.#slot?.exportId);
        if (attempt !== null) await this.#work(attempt, signal);
        else {
          await this.#closeSlot();
          await deadJobs.sweep();
          await jobs.changed(signal).catch(() => {});
        }
      } catch (error) {
        // A job never gets here with its own failure: this is the queue or the disk, and the next round may do better.
        log('error', 'a worker stumbled', { error });
        await this.#closeSlot();
        await setTimeout(AFTER_A_STUMBLE_MS, undefined, { signal }).catch(() => {});
      }
    }
    await this.#closeSlot();
  }

  async #work(first: Attempt, signal: AbortSignal): Promise<void> {
    const { records, database, plans, running, jobs } = this.#ports;
    const { exportId } = first.job;
    const record = await records.find(exportId, database);
    if (record === null) return this.#end([first], new Error('the export is gone'), true);
    const attempts = [first, ...(await this.#siblings(first))];
    using work = running.enter(exportId, signal);
    const done = new Set<string>();
    using _alive = this.#keepAlive(attempts, done, exportId);
    const warnings: Issue[] = [];
    try {
      await this.#begin(record, first);
      const plan = await plans.read(exportId, first.job.preset ?? record.selectedPreset);
      const slot = () => this.#openSlot(record, signal);
      const onWarning = (issue: Issue) => warnings.push(issue);
      await this.#run(attempts, { plan, slot, signal: work.signal, done, onWarning });
    } catch (error) {
      await this.#closeSlot();
      // Stopped from outside, the job did nothing wrong: whoever stopped it has dropped it, or wants it done later.
      if (signal.aborted || isCancelled(error)) await Promise.all(attempts.map((attempt) => jobs.release(attempt)));
      else await this.#end(attempts, error, isFinal(error));
    }
    if (warnings.length > 0) await database.transaction((tx) => records.addWarnings(exportId, warnings, tx));
  }

  async #run(attempts: readonly Attempt[], run: JobRun): Promise<void> {
    const { renderChunks, renderSound, assembleOutput } = this.#ports;
    const [first] = attempts as readonly [Attempt, ...Attempt[]];
    if (first.job.kind === 'chunk') await renderChunks.run(attempts, run);
    else if (first.job.kind === 'sound') await renderSound.run(first, run);
    else await assembleOutput.run(first, run);
  }

  /** Further chunks of the same output, to go in one request with the first. */
  async #siblings({ job }: Attempt): Promise<Attempt[]> {
    const { jobs } = this.#ports;
    const siblings: Attempt[] = [];
    while (job.kind === 'chunk' && siblings.length + 1 < CHUNKS_IN_ONE_GO) {
      const next = await jobs.claimLike(job);
      if (next === null) break;
      siblings.push(next);
    }
    return siblings;
  }

  /** The export and its output are being rendered, for all to see. */
  async #begin({ id, state }: ExportRecord, { job }: Attempt): Promise<void> {
    const { database, records, outputs, changes } = this.#ports;
    await database.transaction(async (tx) => {
      if (state === 'queued') await records.setState(id, 'rendering', tx);
      if (job.preset !== null) await outputs.setState(id, job.preset, 'rendering', tx);
    });
    changes.notify(id);
  }

  async #openSlot(record: ExportRecord, signal: AbortSignal): Promise<RenderSlot> {
    if (this.#slot?.exportId === record.id) return this.#slot;
    await this.#closeSlot();
    this.#slot = await this.#ports.openSlot(record, signal);
    return this.#slot;
  }

  async #closeSlot(): Promise<void> {
    const open = this.#slot;
    this.#slot = null;
    await open?.[Symbol.asyncDispose]();
  }

  /** Renews the leases; where all that is left is lost, someone else has the job or nobody wants it any more. */
  #keepAlive(attempts: readonly Attempt[], done: ReadonlySet<string>, exportId: string): Disposable {
    const { jobs, running, log } = this.#ports;
    const timer = setInterval(async () => {
      try {
        const alive = await Promise.all(attempts.map((attempt) => jobs.heartbeat(attempt)));
        // Asked after the answers: an attempt that was finished meanwhile is over, not lost.
        const left = attempts.map(({ job }, i) => done.has(job.id) || alive[i] === true);
        if (left.includes(true)) return;
        running.stop(exportId, new ExportError('cancelled', 'render.cancelled', 'The render was cancelled.'));
      } catch (error) {
        log('error', 'a lease could not be renewed', { error });
      }
    }, HEARTBEAT_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Ends attempts badly. What is given up takes its output with it, and the export if that was the one asked for. */
  async #end(attempts: readonly Attempt[], error: unknown, final: boolean): Promise<void> {
    const { database, jobs, ends, changes, log } = this.#ports;
    const { exportId, kind, preset } = attempts[0]!.job;
    log(final ? 'warn' : 'error', 'a job failed', { exportId, kind, preset, error });
    const givenUp = await database.transaction(async (tx) => {
      let any = false;
      for (const attempt of attempts) {
        const outcome = await jobs.fail(attempt, messageOf(error), final, tx);
        if (outcome !== 'failed') continue;
        await ends.giveUp(attempt.job, recordedError(asExportError(error)), tx);
        any = true;
      }
      return any;
    });
    changes.notify(exportId);
    if (givenUp) await ends.letGo([exportId]);
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof ExportError && error.kind === 'cancelled';
}

/** Media that cannot be rendered will not render better the next time; a crash might have been chance. */
function isFinal(error: unknown): boolean {
  return error instanceof ExportError && error.kind !== 'internal' && error.kind !== 'unavailable';
}

function asExportError(error: unknown): ExportError {
  if (error instanceof ExportError) return error;
  return new ExportError('internal', 'render.failed', 'The export could not be rendered. This is our fault.', {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
