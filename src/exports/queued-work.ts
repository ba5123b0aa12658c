import { setTimeout as pause } from 'node:timers/promises';
import { ExportError, isRequestFault } from '../errors.ts';
import { FirstSignal } from '../platform/signals.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { Attempt, Job, JobQueue, Lane, Wanted } from '../store/job-queue.ts';
import type { Changes } from '../store/nodes/node-store.ts';
import type { Log } from './log.ts';

interface QueuedWorkPorts {
  readonly database: Database;
  readonly jobs: Pick<JobQueue, 'claim' | 'changed' | 'heartbeat' | 'heartbeatMs' | 'fail' | 'release'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly log: Log;
}

/** A kind of work. */
interface WorkKind<Progress> {
  /** Its name in the log. */
  readonly name: string;
  readonly lane: Exclude<Lane, 'render'>;
  /** How much this node does at once: in all, and for one tenant. */
  readonly maxAtOnce: number;
  readonly maxOfOneTenant: number;
  /** What this node has for it, such as speech models. */
  readonly has?: () => readonly string[];
  /** Called before each look for work, also while this node is busy, and every minute. */
  readonly onLook?: () => Promise<void>;
  /** Does it, and completes or fails the attempt in the transaction that records the end. */
  readonly work: (attempt: Attempt, signal: AbortSignal, report: (progress: Progress) => void) => Promise<void>;
  readonly report?: (job: Job, progress: Progress) => Promise<void>;
  /** Records that it cannot be done. */
  readonly fail: (job: Job, error: unknown, tx: Transaction) => Promise<void>;
}

/** How often a claim is renewed, at least. */
const HOLD_EVERY_MS = 5_000;
const LOOK_AGAIN_MS = 60_000;
const AFTER_A_FAULT_MS = 10_000;
/** Followers read the record at each notice. */
const NOTIFY_EVERY_MS = 1000;

/** Does the jobs of a lane, even if the process that accepted them dies. */
export class QueuedWork<Progress = never> {
  readonly #kind: WorkKind<Progress>;
  readonly #ports: QueuedWorkPorts;
  readonly #underWay = new Set<{ readonly tenant: string; readonly done: Promise<void> }>();
  #news = Promise.withResolvers<void>();

  constructor(kind: WorkKind<Progress>, ports: QueuedWorkPorts) {
    this.#kind = kind;
    this.#ports = ports;
  }

  /** Looks for work at once. The queue itself wakes it when there is a job. */
  wake(): void {
    this.#news.resolve();
  }

  /** Does what is due, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    const { name, onLook } = this.#kind;
    while (!signal.aborted) {
      // Listens before the look, so that nothing in between is missed.
      this.#news = Promise.withResolvers();
      try {
        await onLook?.();
        const wanted = this.#wanted();
        const attempt = wanted && (await this.#ports.jobs.claim(wanted));
        if (attempt !== null) this.#start(attempt, signal);
        else await this.#wait(wanted, signal);
      } catch (error) {
        if (signal.aborted) break;
        log('error', 'work not claimed', { work: name, error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    await Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  /** null if enough is in progress. */
  #wanted(): Wanted | null {
    const { lane, maxAtOnce, maxOfOneTenant, has } = this.#kind;
    if (this.#underWay.size >= maxAtOnce) return null;
    const tenants = Map.groupBy(this.#underWay.values(), ({ tenant }) => tenant);
    const except = [...tenants].filter(([, own]) => own.length >= maxOfOneTenant).map(([tenant]) => tenant);
    return { lane, except, ...(has && { has: has() }) };
  }

  /** Resolves when there may be something to do, or room for it. */
  async #wait(wanted: Wanted | null, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    using either = new FirstSignal(signal, stop.signal);
    const over = new Promise<void>((resolve) =>
      either.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    const changed = wanted === null ? over : this.#ports.jobs.changed(either.signal, wanted);
    const again = this.#kind.onLook && pause(LOOK_AGAIN_MS, undefined, { signal: either.signal });
    try {
      await Promise.race([this.#news.promise, changed, over, ...(again ? [again] : [])]);
    } finally {
      stop.abort();
      await Promise.allSettled([changed, again]);
    }
  }

  #start(attempt: Attempt, signal: AbortSignal): void {
    const done = this.#do(attempt, signal).finally(() => {
      this.#underWay.delete(entry);
      this.wake();
    });
    const entry = { tenant: attempt.job.tenant, done };
    this.#underWay.add(entry);
  }

  async #do(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { changes, log } = this.#ports;
    const { work, report, name } = this.#kind;
    const { job } = attempt;
    await using held = new HeldAttempt(attempt, async (progress: Progress) => report?.(job, progress), this.#ports);
    using end = new FirstSignal(signal, held.lost);
    try {
      // The processes that started it crashed, perhaps because of it.
      if (attempt.exhausted) throw new DeadlyWork(`${name} was started too often and never ended`);
      await work(attempt, end.signal, (progress) => held.report(progress));
      changes.notify(job.exportId);
    } catch (error) {
      if (held.lost.aborted) return;
      await this.#end(attempt, error, signal.aborted).catch((cause: unknown) => {
        // The lease expires by itself.
        log('error', 'end of work not recorded', { work: name, id: job.exportId, error: cause });
      });
    }
  }

  async #end(attempt: Attempt, error: unknown, stopping: boolean): Promise<void> {
    const { database, jobs, changes, log } = this.#ports;
    const { name: work, fail } = this.#kind;
    const { job, failures } = attempt;
    const { exportId: id, tenant } = job;
    if (stopping) return jobs.release(attempt);
    const final = isFinal(error);
    const outcome = await database.transaction(
      async (tx) => {
        const became = await jobs.fail(attempt, String(error), final, tx);
        if (became === 'failed') await fail(job, error, tx);
        return became;
      },
      // Also the tenant: it may be of a batch, which is no row of exports.
      { lockExport: id, lockTenant: tenant },
    );
    if (outcome === 'retried') log('error', 'work failed, to be retried', { work, id, failures: failures + 1, error });
    if (outcome === 'failed') log(final ? 'info' : 'error', 'work failed', { work, id, error });
    changes.notify(id);
  }
}

/** Renews the lease until disposed. `lost` aborts when the lease is lost or the work is no longer wanted. */
class HeldAttempt<Progress> implements AsyncDisposable {
  readonly #attempt: Attempt;
  readonly #record: (progress: Progress) => Promise<void>;
  readonly #ports: QueuedWorkPorts;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #holding: Promise<void>;
  #notifiedAtMs = 0;

  constructor(attempt: Attempt, record: (progress: Progress) => Promise<void>, ports: QueuedWorkPorts) {
    this.#attempt = attempt;
    this.#record = record;
    this.#ports = ports;
    this.#holding = this.#hold();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  report(progress: Progress): void {
    const nowMs = performance.now();
    if (nowMs - this.#notifiedAtMs < NOTIFY_EVERY_MS) return;
    this.#notifiedAtMs = nowMs;
    void this.#tell(progress);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#holding;
  }

  async #tell(progress: Progress): Promise<void> {
    const { changes, log } = this.#ports;
    const { exportId } = this.#attempt.job;
    await this.#record(progress).catch((error: unknown) =>
      log('warn', 'progress not recorded', { id: exportId, error }),
    );
    changes.notify(exportId);
  }

  async #hold(): Promise<void> {
    const { jobs, changes, log } = this.#ports;
    const { signal } = this.#over;
    const everyMs = Math.min(HOLD_EVERY_MS, jobs.heartbeatMs);
    while (!signal.aborted && !this.lost.aborted) {
      const change = changes.listen(this.#attempt.job.exportId);
      try {
        if (!(await jobs.heartbeat(this.#attempt)) && !signal.aborted) this.#lost.abort();
        else await Promise.race([change.next, pause(everyMs, undefined, { signal }).catch(() => {})]);
      } catch (error) {
        log('error', 'lease not renewed', { id: this.#attempt.job.exportId, error });
        await pause(everyMs, undefined, { signal }).catch(() => {});
      } finally {
        change.stop();
      }
    }
  }
}

/** Its processes died too often. */
class DeadlyWork extends Error {}

/** Errors of a request, its addresses or its files would repeat at every try. */
function isFinal(error: unknown): boolean {
  if (error instanceof DeadlyWork) return true;
  if (!(error instanceof ExportError)) return false;
  return error.code === 'media.quota_full' || isRequestFault(error.kind);
}
