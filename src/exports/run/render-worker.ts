import { setImmediate, setTimeout } from 'node:timers/promises';
import { ExportError, type Issue } from '../../errors.ts';
import { isPlanMissing } from '../../plan/outline/plan-missing.ts';
import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { RecordedState } from '../../store/export-state.ts';
import type { Attempt, Job, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { OutputRecords } from '../../store/output-records.ts';
import type { Log } from '../log.ts';
import type { JobOutcome, Meter } from '../meter.ts';
import type { PlanStore } from '../plan-store.ts';
import type { AssembleOutput } from './assemble-output.ts';
import { type EndExport, recordedError } from './end-export.ts';
import type { JobRun } from './job-run.ts';
import type { RenderChunks } from './render-chunks.ts';
import { renderedVideo } from './render-slot.ts';
import type { RenderSound } from './render-sound.ts';
import { type RunningExports, renderCancelled } from './running-exports.ts';
import type { Solitude } from './solitude.ts';
import type { SpareTime } from './spare-time.ts';
import { WorkerSlots, type WorkerSlotsPorts } from './worker-slots.ts';

/** The node with the original attempt does not know of the copy: the copy looks whether it is done. (H41) */
const COPY_HEARTBEAT_MS = 1_000;
const AFTER_A_STUMBLE_MS = 1_000;
/** Long enough for a worker of the newer release to come by. */
const STAND_BACK_MS = 2_000;
/** Where files or records cannot be reached: how long until the next look, which doubles up to the second of these. */
const AWAY_MS = [250, 8_000] as const;
/** What could not be done for so long is not for want of a moment: it fails then, and says why. */
const AWAY_PATIENCE_MS = 3_600_000;
const AWAY: ReadonlySet<string> = new Set(['store.unreachable', 'store.busy']);

interface RenderWorkerPorts extends WorkerSlotsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'stateOf' | 'begin' | 'addWarnings'>;
  readonly outputs: Pick<OutputRecords, 'setState'>;
  readonly jobs: Pick<
    JobQueue,
    'claim' | 'claimCopy' | 'changed' | 'heartbeat' | 'heartbeatMs' | 'release' | 'fail' | 'divide' | 'cancel'
  >;
  readonly plans: Pick<PlanStore, 'currentOutline' | 'isForNewer'>;
  /** Plans an export anew for this engine. */
  readonly replan: { replan(exportId: string, signal: AbortSignal): Promise<void> };
  readonly renderChunks: RenderChunks;
  readonly renderSound: RenderSound;
  readonly assembleOutput: AssembleOutput;
  readonly ends: Pick<EndExport, 'giveUp' | 'letGo'>;
  readonly running: RunningExports;
  /** All workers of the process share it. */
  readonly solitude: Solitude;
  /** What is rendered while there is no job. */
  readonly drafts: {
    renderUntil(awaited: Promise<void>, signal: AbortSignal): Promise<void>;
    readonly spareTime: SpareTime;
  };
  readonly changes: Pick<Changes, 'notify'>;
  readonly meter: Pick<Meter, 'jobWaited' | 'jobRan' | 'copyRan' | 'exportFailed'>;
  readonly log: Log;
}

/** Takes jobs from the queue and runs them, one child at a time, until it is stopped. */
export class RenderWorker {
  readonly #ports: RenderWorkerPorts;
  readonly #slots: WorkerSlots;
  /** How often in a row something was away. */
  #timesAway = 0;

  constructor(ports: RenderWorkerPorts) {
    this.#ports = ports;
    this.#slots = new WorkerSlots(ports);
  }

  /** Resolves once `signal` has aborted and the job at hand is back in the queue. */
  async run(signal: AbortSignal): Promise<void> {
    const { jobs, drafts, log } = this.#ports;
    while (!signal.aborted) {
      try {
        const attempt = await this.#takeOne(signal);
        if (attempt === null) {
          await this.#slots.closeAll();
          await drafts.renderUntil(jobs.changed(signal), signal);
          // Whoever has just finished what this follows on has a child for it, and takes it first: a new one costs more
          // than putting a short video together.
          await setImmediate();
        }
      } catch (error) {
        // A job never gets here with its own failure: this is the queue or the disk, and the next round may do better.
        if (signal.aborted) break;
        log('error', 'worker failed', { error });
        await this.#slots.closeAll();
        await setTimeout(AFTER_A_STUMBLE_MS, undefined, { signal }).catch(() => {});
      }
    }
    await this.#slots.closeAll();
  }

  /** Claims a job and runs it; null where there is none. */
  async #takeOne(signal: AbortSignal): Promise<Attempt | null> {
    const { jobs, solitude, running } = this.#ports;
    // A child that waits takes memory from the one that is to be alone.
    if (solitude.isClosed) await this.#slots.closeAll();
    // Before the claim: who wants to be alone waits for all that may have a job.
    using place = await solitude.enter(signal);
    const attempt = (await jobs.claim()) ?? (await jobs.claimCopy(running.jobIds));
    if (attempt === null) return null;
    if (!attempt.alone || attempt.exhausted) {
      await this.#metered(attempt, signal);
      return attempt;
    }
    // Given back meanwhile: should the node die of another, that is no death of this one.
    await jobs.release(attempt);
    await place.becomeAlone(signal);
    return await this.#takeAlone(signal);
  }

  /** What comes first need not be what must be alone, but comes to no harm; that one is the next of its tenant's. */
  async #takeAlone(signal: AbortSignal): Promise<Attempt | null> {
    for (;;) {
      const attempt = await this.#ports.jobs.claim();
      if (attempt === null) return null;
      await this.#metered(attempt, signal);
      if (attempt.alone || signal.aborted) return attempt;
    }
  }

  async #metered(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { meter, drafts } = this.#ports;
    const { isCopy } = attempt;
    const { kind } = attempt.job;
    using _job = drafts.spareTime.job();
    const beganMs = performance.now();
    if (attempt.token === 1 && !isCopy) meter.jobWaited(kind, attempt.waitedMs / 1000);
    const outcome = await this.#work(attempt, signal);
    meter.jobRan(kind, outcome, (performance.now() - beganMs) / 1000);
    if (isCopy) meter.copyRan(outcome === 'done' ? 'first' : 'late');
  }

  async #work(attempt: Attempt, signal: AbortSignal): Promise<JobOutcome> {
    const { records, database, running, jobs, replan } = this.#ports;
    const { exportId } = attempt.job;
    // Whoever had it failed or died over it, perhaps because of one of its outputs.
    if (isForSeveral(attempt) && (attempt.failures > 0 || attempt.alone)) return this.#divide(attempt, null);
    if (attempt.exhausted) return this.#end(attempt, diedTooOften(), true);
    const record = await records.find(exportId, database);
    if (record === null || isRemoved(record.state)) return this.#drop(exportId);
    if (this.#isForNewer(record, attempt.job)) return this.#standBack(attempt, signal);
    using work = running.enter(attempt.job, signal);
    using _alive = this.#keepAlive(attempt, work);
    const warnings: Issue[] = [];
    let outcome: JobOutcome = 'done';
    try {
      await this.#begin(record, attempt);
      const plans = await this.#plansOf(record, attempt.job);
      // The job goes with the plan it was of; new ones take its place.
      if (plans === null) {
        await replan.replan(exportId, signal);
        return 'released';
      }
      const slot = () => this.#slots.of(renderedVideo(record), signal);
      const onWarning = (issue: Issue) => warnings.push(issue);
      const dropSlot = () => this.#slots.close();
      await this.#run(attempt, { plans, slot, dropSlot, signal: work.signal, onWarning });
      this.#timesAway = 0;
    } catch (error) {
      await this.#slots.close();
      // Stopped from outside, so the job did not fail: it was cancelled, or goes back to the queue.
      if (signal.aborted || isCancelled(error)) {
        await jobs.release(attempt);
        outcome = 'released';
      } else if (isAway(error) && attempt.waitedMs < AWAY_PATIENCE_MS) {
        outcome = await this.#waitFor(error, attempt, signal);
      } else if (isRemoved(await records.stateOf(exportId, database))) {
        // Its files went while they were used. (C29)
        outcome = await this.#drop(exportId);
      } else if (isForSeveral(attempt)) outcome = await this.#divide(attempt, error);
      else outcome = await this.#end(attempt, error, isFinal(error));
    }
    if (warnings.length > 0)
      await database.transaction((tx) => records.addWarnings(exportId, warnings, tx), { lockExport: exportId });
    return outcome;
  }

  /** The export was removed: nobody needs its jobs, and nothing is wrong. */
  async #drop(exportId: string): Promise<JobOutcome> {
    const { database, jobs } = this.#ports;
    await database.transaction((tx) => jobs.cancel(exportId, null, tx), { lockExport: exportId });
    return 'released';
  }

  /** During an upgrade: planned by the newer release, whose workers are the ones to render it. */
  #isForNewer({ outputs }: ExportRecord, { presets }: Job): boolean {
    return outputs.some(
      (output) => (presets.length === 0 || presets.includes(output.preset)) && this.#ports.plans.isForNewer(output),
    );
  }

  /** Gives the job back, and lets others go first. */
  async #standBack(attempt: Attempt, signal: AbortSignal): Promise<JobOutcome> {
    await this.#ports.jobs.release(attempt);
    await setTimeout(STAND_BACK_MS, undefined, { signal }).catch(() => {});
    return 'released';
  }

  /** What all jobs need is away: no fault of this one, which is given back and does not count. */
  async #waitFor(error: unknown, attempt: Attempt, signal: AbortSignal): Promise<JobOutcome> {
    const { jobs, log } = this.#ports;
    const { exportId, kind, presets } = attempt.job;
    log('warn', 'job waits for unreachable store', { exportId, kind, presets, error });
    await jobs.release(attempt);
    const pauseMs = Math.min(AWAY_MS[1], AWAY_MS[0] * 2 ** this.#timesAway);
    this.#timesAway += 1;
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {});
    return 'released';
  }

  async #run(attempt: Attempt, run: JobRun): Promise<void> {
    const { renderChunks, renderSound, assembleOutput } = this.#ports;
    if (attempt.job.kind === 'chunks') await renderChunks.run(attempt, run);
    else if (attempt.job.kind === 'sound') await renderSound.run(attempt, run);
    else await assembleOutput.run(attempt, run);
  }

  /** null where one of them was made for another engine. The sound follows from any that waits for it: what is finished stays as it was planned. */
  async #plansOf({ id, selectedPreset, outputs }: ExportRecord, { presets }: Job): Promise<JobRun['plans'] | null> {
    const { plans } = this.#ports;
    const waits = outputs.find(({ state }) => state === 'queued' || state === 'rendering');
    const wanted = presets.length === 0 ? [waits?.preset ?? selectedPreset] : presets;
    const planned = outputs.filter(({ preset }) => wanted.includes(preset));
    const found = await Promise.all(planned.map((output) => plans.currentOutline(id, output)));
    return found.includes(null) ? null : (found as PlanOutline[] as [PlanOutline, ...PlanOutline[]]);
  }

  /** The export and its outputs are being rendered, for all to see. Whoever began before has said so already. */
  async #begin({ id, state, outputs: known }: ExportRecord, { job }: Attempt): Promise<void> {
    const { database, records, outputs, changes } = this.#ports;
    const isNews = known.some((output) => output.state === 'queued' && job.presets.includes(output.preset));
    if (state !== 'queued' && !isNews) return;
    await database.transaction(
      async (tx) => {
        // Another worker may have begun meanwhile, or the export have ended.
        await Promise.all([
          records.begin(id, tx),
          ...job.presets.map((preset) => outputs.setState(id, preset, 'rendering', tx)),
        ]);
      },
      { lockExport: id },
    );
    changes.notify(id);
  }

  /** Renews the lease; where it is lost, someone else has the job or nobody wants it any more. */
  #keepAlive(attempt: Attempt, work: { stop(reason: Error): void }): Disposable {
    const { jobs, log } = this.#ports;
    const timer = setInterval(
      async () => {
        try {
          if (!(await jobs.heartbeat(attempt))) work.stop(renderCancelled());
        } catch (error) {
          log('error', 'lease of job not renewed', { error });
        }
      },
      attempt.isCopy ? COPY_HEARTBEAT_MS : jobs.heartbeatMs,
    );
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /**
   * What was tried for several outputs at once, and failed, is tried for each of them by itself: whose fault it was shows, and
   * the others go on. (C34) With an error this attempt counts as one of theirs.
   */
  async #divide(attempt: Attempt, error: unknown): Promise<JobOutcome> {
    const { database, jobs, log } = this.#ports;
    const { exportId, kind, presets } = attempt.job;
    if (error !== null) log('error', 'job for several outputs failed', { exportId, kind, presets, error });
    const reason = error === null ? null : messageOf(error);
    const divided = await database.transaction((tx) => jobs.divide(attempt, reason, tx), { lockExport: exportId });
    return divided && error !== null ? 'retried' : 'released';
  }

  /** Ends an attempt badly. What is given up takes its output with it, and the export if that was the one asked for. */
  async #end(attempt: Attempt, error: unknown, final: boolean): Promise<JobOutcome> {
    const { database, jobs, ends, changes, meter, log } = this.#ports;
    const { exportId, kind, presets } = attempt.job;
    log(final ? 'warn' : 'error', 'job failed', { exportId, kind, presets, error });
    const known = asExportError(error);
    const outcome = await database.transaction(
      async (tx) => {
        const became = await jobs.fail(attempt, messageOf(error), final, tx);
        if (became === 'failed') await ends.giveUp(attempt.job, recordedError(known), tx);
        return became;
      },
      { lockExport: exportId },
    );
    changes.notify(exportId);
    if (outcome !== 'failed') return outcome === 'lost' ? 'released' : 'retried';
    meter.exportFailed(known.code);
    await ends.letGo([exportId]);
    return 'failed';
  }
}

function isRemoved(state: RecordedState | null): boolean {
  return state === null || state === 'cancelled' || state === 'expired';
}

function isForSeveral({ job }: Attempt): boolean {
  return job.presets.length > 1;
}

function diedTooOften(): ExportError {
  const message = 'The export could not be rendered: its render process crashed repeatedly.';
  return new ExportError('internal', 'render.crashed', message);
}

function isCancelled(error: unknown): boolean {
  return error instanceof ExportError && error.kind === 'cancelled';
}

/** Files or records cannot be reached, for now. */
function isAway(error: unknown): boolean {
  return error instanceof ExportError && AWAY.has(error.code);
}

/** Media that cannot be rendered will not render better the next time; a crash might have been chance. */
function isFinal(error: unknown): boolean {
  if (isPlanMissing(error)) return true;
  return error instanceof ExportError && error.kind !== 'internal' && error.kind !== 'unavailable';
}

function asExportError(error: unknown): ExportError {
  if (error instanceof ExportError) return error;
  return new ExportError(
    'internal',
    'render.failed',
    'The export could not be rendered because of an internal error.',
    {
      cause: error,
    },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
