import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Issue, isCancelled, messageOf } from '../../errors.ts';
import type { PlanOutline } from '../../plan/plan-outline.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, Job, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { ExportRecord, RecordedState } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import type { JobOutcome, Meter } from '../api/meter.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { AssembleOutput } from './assemble-output.ts';
import type { ChildPool } from './child-pool.ts';
import { type EndExport, recordedError } from './end-export.ts';
import type { ExclusiveRuns } from './exclusive-runs.ts';
import { type ExportChild, type RenderedVideo, renderedVideo } from './export-child.ts';
import { asExportError, diedTooOften, isAway, isFinal, type JobRun } from './job-run.ts';
import type { RenderMissingChunks } from './render-missing-chunks.ts';
import type { RenderSharedSound } from './render-shared-sound.ts';
import { type RunningExports, renderCancelled } from './running-exports.ts';
import type { SpareTime } from './spare-time.ts';

/** The node with the original try does not know of the copy, so the copy checks whether it is done. (H41) */
const COPY_HEARTBEAT_MS = 1_000;
const RETRY_AFTER_MS = 1_000;
/** A job that has waited this long fails with the reason. */
const AWAY_PATIENCE_MS = 3_600_000;

interface RenderWorkerPorts extends AttemptEndsPorts {
  readonly records: Pick<ExportRecords, 'find' | 'stateOf' | 'begin' | 'addWarnings'>;
  readonly outputs: Pick<OutputRecords, 'setState'>;
  readonly jobs: Pick<
    JobQueue,
    'claim' | 'claimCopy' | 'changed' | 'heartbeat' | 'heartbeatMs' | 'release' | 'fail' | 'divide' | 'cancel'
  >;
  readonly plans: Pick<PlanStore, 'currentOutline' | 'isForNewer'>;
  /** Plans an export again for this engine version. */
  readonly replan: { replan(exportId: string, signal: AbortSignal): Promise<void> };
  readonly renderChunks: RenderMissingChunks;
  readonly renderSound: RenderSharedSound;
  readonly assembleOutput: AssembleOutput;
  readonly running: RunningExports;
  /** Shared by all workers of the node, as is the next. */
  readonly children: ChildPool;
  readonly exclusive: ExclusiveRuns;
  /** Drafts are rendered while there is no job. */
  readonly drafts: {
    renderUntil(awaited: Promise<void>, signal: AbortSignal): Promise<void>;
    readonly spareTime: SpareTime;
  };
  readonly meter: Pick<Meter, 'jobWaited' | 'jobRan' | 'copyRan' | 'exportFailed'>;
}

/** Claims jobs from the queue and runs them, one child at a time, until it is stopped. */
export class RenderWorker {
  readonly #ports: RenderWorkerPorts;
  readonly #ends: AttemptEnds;
  #child: ExportChild | null = null;

  constructor(ports: RenderWorkerPorts) {
    this.#ports = ports;
    this.#ends = new AttemptEnds(ports);
  }

  /** Resolves once `signal` has aborted and the current job is back in the queue. */
  async run(signal: AbortSignal): Promise<void> {
    const { jobs, drafts, log } = this.#ports;
    while (!signal.aborted) {
      try {
        const attempt = await this.#takeOne(signal);
        if (attempt === null) {
          await this.#endChildren();
          await drafts.renderUntil(jobs.changed(signal), signal);
          // The worker that has just finished the previous job has a child for this one, and claims it first: a new
          // child costs more than the assembly of a short video.
          await setImmediate();
        }
      } catch (error) {
        // A job's own failure never gets here. This is a failure of the queue or the disk, and the next try may
        // succeed.
        if (signal.aborted) break;
        log('error', 'worker failed', { error });
        await this.#endAllChildren();
        await setTimeout(RETRY_AFTER_MS, undefined, { signal }).catch(() => {});
      }
    }
    await this.#endAllChildren();
  }

  /** Claims a job and runs it; null if there is none. */
  async #takeOne(signal: AbortSignal): Promise<Attempt | null> {
    const { jobs, exclusive, running } = this.#ports;
    if (exclusive.isClosed) await this.#endAllChildren();
    // Entered before the claim: a worker that must be alone waits for all that may have a job.
    using place = await exclusive.enter(signal);
    const attempt = (await jobs.claim()) ?? (await jobs.claimCopy(running.jobIds));
    if (attempt === null) return null;
    if (!attempt.alone || attempt.exhausted) {
      await this.#metered(attempt, signal);
      return attempt;
    }
    // Released meanwhile: if another job kills the node, it must not count against this one.
    await jobs.release(attempt);
    // A waiting child takes memory from the job that must run alone.
    await this.#endAllChildren();
    await place.becomeAlone(signal);
    return await this.#takeAlone(signal);
  }

  /**
   * The first claimed job need not be the one that must run alone, but running it alone does no harm. That one is the
   * next of its tenant.
   */
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
    // An earlier try failed or died, perhaps because of one of its outputs.
    if (isForSeveral(attempt) && (attempt.failures > 0 || attempt.alone)) return this.#ends.divide(attempt, null);
    if (attempt.exhausted) return this.#ends.fail(attempt, diedTooOften(), true);
    const record = await records.find(exportId, database);
    if (record === null || isRemoved(record.state)) return this.#ends.drop(exportId);
    if (this.#isForNewer(record, attempt.job)) return this.#ends.yieldJob(attempt, signal);
    using work = running.enter(attempt.job, signal);
    using _alive = this.#keepAlive(attempt, work);
    const warnings: Issue[] = [];
    let outcome: JobOutcome = 'done';
    try {
      await this.#begin(record, attempt);
      const plans = await this.#plansOf(record, attempt.job);
      // The replan replaces the jobs of the old plan, including this one.
      if (plans === null) {
        await replan.replan(exportId, signal);
        return 'released';
      }
      const child = () => this.#childOf(renderedVideo(record), signal);
      const onWarning = (issue: Issue) => warnings.push(issue);
      const dropChild = () => this.#endChild();
      await this.#run(attempt, { plans, child, dropChild, signal: work.signal, onWarning });
      this.#ends.storeIsBack();
    } catch (error) {
      await this.#endChild();
      // Stopped from outside, so the job did not fail: it was cancelled, or goes back to the queue.
      if (signal.aborted || isCancelled(error)) {
        await jobs.release(attempt);
        outcome = 'released';
      } else if (isAway(error) && attempt.waitedMs < AWAY_PATIENCE_MS) {
        outcome = await this.#ends.waitFor(error, attempt, signal);
      } else if (isRemoved(await records.stateOf(exportId, database))) {
        // Its files were removed while they were in use. (C29)
        outcome = await this.#ends.drop(exportId);
      } else if (isForSeveral(attempt)) outcome = await this.#ends.divide(attempt, error);
      else outcome = await this.#ends.fail(attempt, error, isFinal(error));
    }
    if (warnings.length > 0)
      await database.transaction((tx) => records.addWarnings(exportId, warnings, tx), { lockExport: exportId });
    return outcome;
  }

  /**
   * The child of a video. Each child serves one export. A worker that changes from one short video to the next has
   * another one started while it renders.
   */
  async #childOf(video: RenderedVideo, signal: AbortSignal): Promise<ExportChild> {
    if (this.#child?.exportId === video.id) return this.#child;
    const { children } = this.#ports;
    const isBusy = this.#child !== null;
    await this.#endChild();
    this.#child = await children.open(video, signal, { keepers: [this, 'drafts'] });
    if (isBusy) children.keepForShort(this, video, signal);
    return this.#child;
  }

  /** Ends the child of the last video. */
  async #endChild(): Promise<void> {
    const open = this.#child;
    this.#child = null;
    await open?.[Symbol.asyncDispose]();
  }

  /** Ends the child that waits, too. */
  async #endChildren(): Promise<void> {
    await this.#endChild();
    await this.#ports.children.close(this);
  }

  /** Ends also the child that waits for the export of a draft. */
  async #endAllChildren(): Promise<void> {
    await this.#endChildren();
    await this.#ports.children.close('drafts');
  }

  /** Whether a newer release planned it, as during an upgrade. Workers of that release render it. */
  #isForNewer({ outputs }: ExportRecord, { presets }: Job): boolean {
    return outputs.some(
      (output) => (presets.length === 0 || presets.includes(output.preset)) && this.#ports.plans.isForNewer(output),
    );
  }

  async #run(attempt: Attempt, run: JobRun): Promise<void> {
    const { renderChunks, renderSound, assembleOutput } = this.#ports;
    if (attempt.job.kind === 'chunks') await renderChunks.run(attempt, run);
    else if (attempt.job.kind === 'sound') await renderSound.run(attempt, run);
    else await assembleOutput.run(attempt, run);
  }

  /**
   * null if one of them was made for another engine version. The sound uses any output that waits for it, because
   * finished outputs keep their plans.
   */
  async #plansOf({ id, selectedPreset, outputs }: ExportRecord, { presets }: Job): Promise<JobRun['plans'] | null> {
    const { plans } = this.#ports;
    const waits = outputs.find(({ state }) => state === 'queued' || state === 'rendering');
    const wanted = presets.length === 0 ? [waits?.preset ?? selectedPreset] : presets;
    const planned = outputs.filter(({ preset }) => wanted.includes(preset));
    const found = await Promise.all(planned.map((output) => plans.currentOutline(id, output)));
    return found.includes(null) ? null : (found as PlanOutline[] as [PlanOutline, ...PlanOutline[]]);
  }

  /** Records that the export and its outputs are being rendered, unless an earlier job did. */
  async #begin({ id, state, outputs: known }: ExportRecord, { job }: Attempt): Promise<void> {
    const { database, records, outputs, changes } = this.#ports;
    const isNews = known.some((output) => output.state === 'queued' && job.presets.includes(output.preset));
    if (state !== 'queued' && !isNews) return;
    await database.transaction(
      async (tx) => {
        // Another worker may have started it meanwhile, or the export may have ended.
        await Promise.all([
          records.begin(id, tx),
          ...job.presets.map((preset) => outputs.setState(id, preset, 'rendering', tx)),
        ]);
      },
      { lockExport: id },
    );
    changes.notify(id);
  }

  /** Renews the lease. If it is lost, another worker has the job or it was cancelled. */
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
}

function isRemoved(state: RecordedState | null): boolean {
  return state === null || state === 'cancelled' || state === 'expired';
}

function isForSeveral({ job }: Attempt): boolean {
  return job.presets.length > 1;
}

/** Long enough for a worker of the newer release to claim the job. */
const YIELD_MS = 2_000;
/** The pause while files or records are unreachable: the first, which doubles up to the second. */
const AWAY_MS = [250, 8_000] as const;

interface AttemptEndsPorts {
  readonly database: Database;
  readonly jobs: Pick<JobQueue, 'release' | 'fail' | 'divide' | 'cancel'>;
  readonly ends: Pick<EndExport, 'giveUp' | 'releaseParts'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly meter: Pick<Meter, 'exportFailed'>;
  readonly log: Log;
}

/** The ends of an attempt that did not succeed: the job is released, divided, retried or failed. */
class AttemptEnds {
  readonly #ports: AttemptEndsPorts;
  /** How often in a row the store was unreachable. */
  #timesAway = 0;

  constructor(ports: AttemptEndsPorts) {
    this.#ports = ports;
  }

  storeIsBack(): void {
    this.#timesAway = 0;
  }

  /** The export was removed, so its jobs are cancelled without an error. */
  async drop(exportId: string): Promise<JobOutcome> {
    const { database, jobs } = this.#ports;
    await database.transaction((tx) => jobs.cancel(exportId, null, tx), { lockExport: exportId });
    return 'released';
  }

  /** Releases the job and pauses, so that other workers can claim it. */
  async yieldJob(attempt: Attempt, signal: AbortSignal): Promise<JobOutcome> {
    await this.#ports.jobs.release(attempt);
    await setTimeout(YIELD_MS, undefined, { signal }).catch(() => {});
    return 'released';
  }

  /** The store that all jobs need is unreachable. Releases the job without counting a failure. */
  async waitFor(error: unknown, attempt: Attempt, signal: AbortSignal): Promise<JobOutcome> {
    const { jobs, log } = this.#ports;
    const { exportId, kind, presets } = attempt.job;
    log('warn', 'job waits for unreachable store', { exportId, kind, presets, error });
    await jobs.release(attempt);
    const pauseMs = Math.min(AWAY_MS[1], AWAY_MS[0] * 2 ** this.#timesAway);
    this.#timesAway += 1;
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {});
    return 'released';
  }

  /**
   * Splits a failed job for several outputs into one for each: that shows which one fails, and the others continue.
   * (C34) With an error, this try counts as one of theirs.
   */
  async divide(attempt: Attempt, error: unknown): Promise<JobOutcome> {
    const { database, jobs, log } = this.#ports;
    const { exportId, kind, presets } = attempt.job;
    if (error !== null) log('error', 'job for several outputs failed', { exportId, kind, presets, error });
    const reason = error === null ? null : messageOf(error);
    const divided = await database.transaction((tx) => jobs.divide(attempt, reason, tx), { lockExport: exportId });
    return divided && error !== null ? 'retried' : 'released';
  }

  /** Records a failed try. A permanent failure fails its output, and the export if its preset is selected. */
  async fail(attempt: Attempt, error: unknown, final: boolean): Promise<JobOutcome> {
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
    await ends.releaseParts([exportId]);
    return 'failed';
  }
}
