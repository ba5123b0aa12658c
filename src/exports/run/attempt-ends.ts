import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import type { Database } from '../../store/database.ts';
import type { Attempt, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Log } from '../log.ts';
import type { JobOutcome, Meter } from '../meter.ts';
import { type EndExport, recordedError } from './end-export.ts';
import { asExportError } from './job-errors.ts';

/** Long enough for a worker of the newer release to claim the job. */
const YIELD_MS = 2_000;
/** The pause while files or records are unreachable: the first, which doubles up to the second. */
const AWAY_MS = [250, 8_000] as const;

export interface AttemptEndsPorts {
  readonly database: Database;
  readonly jobs: Pick<JobQueue, 'release' | 'fail' | 'divide' | 'cancel'>;
  readonly ends: Pick<EndExport, 'giveUp' | 'releaseParts'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly meter: Pick<Meter, 'exportFailed'>;
  readonly log: Log;
}

/** The ends of an attempt that did not succeed: the job is released, divided, retried or failed. */
export class AttemptEnds {
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
