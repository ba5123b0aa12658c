import { setTimeout as sleep } from 'node:timers/promises';
import type { JobInsert, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Transaction } from '../database.ts';
import {
  type Attempt,
  COPIES,
  countTries,
  type FailureOutcome,
  type Job,
  type JobQueue,
  type Lane,
  laneOf,
  longestPauseMs,
  nextTryInMs,
  PATIENT_FROM,
  PRIORITY,
  RENDER,
  RETRIES,
  type Wanted,
} from '../job-queue.ts';
import { WakeUp } from '../nodes/wake-up.ts';
import {
  engineId,
  needsHash,
  QUEUES,
  queueOf,
  startEngine,
  type TenantQueue,
  tenantQueue,
  tenantQueueOf,
  within,
} from './boss-engine.ts';
import {
  addedAtMs,
  deathsOf,
  derivedFrom,
  type EngineJob,
  enginePriority,
  fence,
  isRaisedBy,
  type JobData,
  newJob,
  priorityOf,
  sizeOf,
} from './boss-job.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { PostgresNotices } from './postgres-notices.ts';

const DEFAULTS = {
  /** A try without a heartbeat for this long counts as dead. A raise lasts as long. */
  leaseSeconds: 30,
  retries: RETRIES,
  /** A job that has waited this long has at least this priority, so that nothing starves. (C12) */
  patience: { ms: 600_000, priority: PRIORITY.selected as number },
  /** How often each process polls: expired leases are not announced, and notices can be lost. */
  lookEveryMs: 2_000,
  /** Called in every process. A fast hint only; the heartbeat is authoritative. */
  onCancelled: (_exportId: string): void => {},
  /** Another node has finished a copy of this job first. Also a hint. */
  onOvertaken: (_jobId: string): void => {},
  /** The clock of the engine. */
  now: `(extract(epoch from now()) * 1000)::bigint`,
};
type Options = typeof DEFAULTS;

/** The engine accepts no shorter lease. */
const LEAST_LEASE_SECONDS = 10;
/** The lock space of the jobs of exports. */
const JOBS_LOCK = 7_406;
/** The statistics of the engine may be old. This often, every queue is asked. */
const LOOKS_BEFORE_ASKING_ALL = 15;
/** A clock that lost more was set. */
const MAX_DRIFT_MS = 5_000;
/** How many rendering exports are searched for a slow job. */
const MAX_SEARCHED = 20;

/** Waits until the jobs of an export will have waited long. */
interface Patience {
  readonly exportId: string;
}

/** A raise, which expires. */
interface Raise extends Patience {
  readonly preset: string | null;
  readonly priority: number;
}

/** A queue, and whether there may be something in it. */
interface KnownQueue extends TenantQueue {
  /** How often there may have been something new. */
  news: number;
  /** The news when it was found empty. */
  emptyAt: number;
}

/** The turns of a lane. */
interface Turns {
  /** The name of the queue that had the last turn. */
  last: string;
  /** Claims are sequential, because two with the same last turn would serve one tenant twice. */
  claiming: Promise<unknown>;
  readonly wakeUp: WakeUp;
}

/**
 * Jobs in pg-boss, in the database of the records, by its documented calls only. Each tenant has a queue for each lane,
 * and the queues take turns. The engine hands out jobs and ends the tries of dead workers; its retry count fences off
 * workers that have lost their lease. A limit of its retries would count releases, and would end a job outside our
 * transaction.
 */
export class PgBossJobQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #database: PostgresDatabase;
  readonly #notices: PostgresNotices;
  readonly #options: Options;
  readonly #queues = new Map<string, KnownQueue>();
  readonly #turns = new Map<Lane, Turns>();
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  #tidying: Promise<void> = Promise.resolve();
  #looks = 0;
  /** The clock of the database, against that of this process. It may have been set back before this process started. */
  #clockOffset = Number.POSITIVE_INFINITY;
  /** Jobs become slow only with time, so one check after each tidying is enough for all workers. */
  #looksForCopies = true;

  /** The tables must exist; `migratePostgres` creates them. */
  static async open(
    database: PostgresDatabase,
    notices: PostgresNotices,
    options: Partial<Options> = {},
  ): Promise<PgBossJobQueue> {
    const boss = await startEngine(database.enginePool);
    const all = { ...DEFAULTS, ...options };
    const leaseSeconds = Math.max(all.leaseSeconds, LEAST_LEASE_SECONDS);
    const queue = new PgBossJobQueue(boss, database, notices, { ...all, leaseSeconds });
    await queue.#readQueues();
    return queue;
  }

  private constructor(boss: PgBoss, database: PostgresDatabase, notices: PostgresNotices, options: Options) {
    this.#boss = boss;
    this.#database = database;
    this.#notices = notices;
    this.#options = options;
    notices.on('jobs', (notice) => this.#hear(notice));
    notices.on('cancelled', (exportId) => {
      if (exportId !== null) options.onCancelled(exportId);
    });
    notices.on('overtaken', (jobId) => {
      if (jobId !== null) options.onOvertaken(jobId);
    });
    this.#looking = this.#look();
  }

  get heartbeatMs(): number {
    return (this.#options.leaseSeconds * 1000) / 3;
  }

  async enqueue(jobs: readonly Job[], tx: Transaction): Promise<void> {
    const places = await this.#places(jobs.length, tx);
    const placed = jobs.map((job, index) => ({ job, place: places[index]! }));
    for (const [name, own] of Map.groupBy(placed, ({ job }) => queueOf(job))) {
      const inserts = own.map(({ job, place }) => newJob(job, place));
      if ((await this.#insert(name, inserts, tx)) > 0) await this.#beAgedLater(inserts, tx);
    }
  }

  claim(wanted: Wanted = RENDER): Promise<Attempt | null> {
    const turns = this.#turnsOf(wanted.lane);
    const claimed = turns.claiming.then(() => this.#claim(wanted, turns));
    turns.claiming = claimed.catch(() => {});
    return claimed;
  }

  /** The queue after the last one that is not known to be empty. */
  async #claim(wanted: Wanted, turns: Turns): Promise<Attempt | null> {
    const inTurn = this.#suitable(wanted).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const next = Math.max(
      0,
      inTurn.findIndex(({ name }) => name > turns.last),
    );
    for (const queue of [...inTurn.slice(next), ...inTurn.slice(0, next)]) {
      const { news } = queue;
      if (queue.emptyAt === news) continue;
      const [job] = await this.#boss.fetch<JobData>(queue.name, { includeMetadata: true });
      if (job === undefined) queue.emptyAt = news;
      else {
        turns.last = queue.name;
        return this.#attemptOf(job);
      }
    }
    return null;
  }

  #suitable({ lane, except = [], has = [] }: Wanted): KnownQueue[] {
    const able = ['', ...has.map(needsHash)];
    const suits = (queue: KnownQueue) =>
      queue.lane === lane && !except.includes(queue.tenant) && able.includes(queue.needs);
    return this.#queues.values().filter(suits).toArray();
  }

  #turnsOf(lane: Lane): Turns {
    const turns = this.#turns.get(lane) ?? { last: '', claiming: Promise.resolve(), wakeUp: new WakeUp() };
    this.#turns.set(lane, turns);
    return turns;
  }

  async changed(signal: AbortSignal, wanted: Wanted = RENDER): Promise<void> {
    signal.throwIfAborted();
    const { wakeUp } = this.#turnsOf(wanted.lane);
    for (;;) {
      const { count } = wakeUp;
      if (this.#suitable(wanted).some(({ news, emptyAt }) => news !== emptyAt)) return;
      await wakeUp.wait(count, Number.POSITIVE_INFINITY, signal);
    }
  }

  async claimCopy(running: ReadonlySet<string>): Promise<Attempt | null> {
    if (!this.#looksForCopies) return null;
    this.#looksForCopies = false;
    const rendering = await this.#database.committed.query<{ id: string; tenant: string; now: number }>(
      `select id, tenant, ${this.#options.now} as now from exports where state = 'rendering'
       order by created_at_ms limit ${MAX_SEARCHED}`,
    );
    for (const { id, tenant, now } of rendering) {
      const copy = await this.#copySlowest(id, queueOf({ kind: 'chunks', tenant }), running, now);
      this.#looksForCopies = copy !== null;
      if (copy !== null) return copy;
    }
    return null;
  }

  async #copySlowest(
    exportId: string,
    queue: string,
    running: ReadonlySet<string>,
    nowMs: number,
  ): Promise<Attempt | null> {
    if (!this.#queues.has(queue)) return null;
    const found = await this.#boss.findJobs<JobData>(queue, { key: exportId });
    const chunks = found.filter(({ data }) => data.kind === 'chunks');
    const times = chunks
      .filter(({ state }) => state === 'completed')
      .map(({ startedOn, completedOn, data }) => (completedOn!.getTime() - startedOn.getTime()) / sizeOf(data))
      .toSorted((a, b) => a - b);
    if (times.length === 0) return null;
    const median = (times[(times.length - 1) >> 1]! + times[times.length >> 1]!) / 2;
    const isSlow = ({ startedOn, data }: EngineJob) =>
      nowMs - startedOn.getTime() > Math.max(COPIES.minMs, COPIES.slowness * median * sizeOf(data));
    const slow = chunks
      .filter(({ state, data }) => state === 'active' && !running.has(data.id))
      .filter((job) => job.data.failed === 0 && deathsOf(job) === 0 && isSlow(job))
      .toSorted((a, b) => a.startedOn.getTime() - b.startedOn.getTime());
    if (slow.length === 0) return null;
    const copies = await this.#boss.findJobs(QUEUES.copies, { key: exportId });
    if (copies.length > chunks.length / COPIES.jobsACopy) return null;
    for (const job of slow) {
      // Known if the job has a copy. It is only a note: nobody fetches it.
      const note = { id: engineId(`${job.data.id}/copy`), singletonKey: exportId };
      const isFirst = (await this.#boss.send(QUEUES.copies, {}, note)) !== null;
      if (isFirst) return { ...this.#attemptOf(job), alone: false, exhausted: false, isCopy: true };
    }
    return null;
  }

  async heartbeat(attempt: Attempt): Promise<boolean> {
    return isOurs(await this.#boss.touch(queueOf(attempt.job), fence(attempt)));
  }

  async complete(attempt: Attempt, tx: Transaction): Promise<boolean> {
    const { job, isCopy } = attempt;
    if (laneOf(job) !== 'render') return isOurs(await this.#boss.deleteJob(queueOf(job), fence(attempt), within(tx)));
    const isDone = isOurs(await this.#boss.complete(queueOf(job), fence(attempt), null, within(tx)));
    if (isDone && isCopy) tx.afterCommit(() => this.#notices.say('overtaken', job.id));
    return isDone;
  }

  async fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome> {
    const { job, failures, isCopy } = attempt;
    const lane = laneOf(job);
    if (isCopy) return 'lost';
    const pauseMs = final ? null : nextTryInMs(failures + 1, this.#options.retries[lane]);
    if (pauseMs !== null) return (await this.#putBack(attempt, reason, pauseMs, tx)) === null ? 'lost' : 'retried';
    // Its record keeps the failure of other work.
    if (lane !== 'render') return (await this.complete(attempt, tx)) ? 'failed' : 'lost';
    return isOurs(await this.#boss.cancel(queueOf(job), fence(attempt), within(tx))) ? 'failed' : 'lost';
  }

  async release(attempt: Attempt): Promise<void> {
    await this.#database.transaction((tx) => this.#putBack(attempt, null, 0, tx));
  }

  async divide(attempt: Attempt, reason: string | null, tx: Transaction): Promise<boolean> {
    const pauseMs = reason === null ? 0 : this.#options.retries.render.pauseMs(attempt.failures + 1);
    const job = await this.#putBack(attempt, reason, pauseMs, tx);
    if (job === null) return false;
    const { data } = job;
    const [first, ...others] = data.presets;
    await this.#update(job, { ...data, presets: [first!] }, {}, tx);
    const places = await this.#places(others.length, tx);
    const inserts = others.map((preset, index) =>
      derivedFrom(job, { id: `${data.id}/${preset}`, presets: [preset] }, { place: places[index]! }),
    );
    await this.#insert(job.name, inserts, tx);
    return true;
  }

  async setApart(exportId: string, preset: string, restPriority: number, tx: Transaction): Promise<void> {
    await this.#lock(exportId, tx);
    const isShared = ({ data: { presets } }: EngineJob) => presets.length > 1 && presets.includes(preset);
    const shared = (await this.#waiting(exportId, tx)).filter(isShared);
    const places = await this.#places(shared.length, tx);
    const rest: JobInsert[] = [];
    for (const [index, job] of shared.entries()) {
      const { data } = job;
      // False if it has been claimed since.
      if (!(await this.#update(job, { ...data, presets: [preset] }, {}, tx))) continue;
      const own = Math.min(data.own, restPriority);
      const presets = data.presets.filter((other) => other !== preset);
      rest.push(derivedFrom(job, { id: `${data.id}/rest`, presets, own }, { place: places[index]!, urgency: own }));
    }
    if (rest.length === 0) return;
    await this.#insert(shared[0]!.name, rest, tx);
    await this.#beAgedLater(rest, tx);
  }

  async cancel(exportId: string, preset: string | null, tx: Transaction): Promise<void> {
    await this.#lock(exportId, tx);
    const dropped: EngineJob[] = [];
    for (const job of await this.#find(exportId, false, tx)) {
      const { data } = job;
      const presets = data.presets.filter((other) => other !== preset);
      if (preset === null || (data.presets.length > 0 && presets.length === 0)) dropped.push(job);
      // A running job for several outputs keeps it: the engine does not change active jobs.
      else if (presets.length < data.presets.length) await this.#update(job, { ...data, presets }, {}, tx);
    }
    for (const [name, jobs] of Map.groupBy(dropped, (job) => job.name)) await this.#delete(name, jobs, tx);
    if (preset !== null || dropped.length === 0) return;
    await this.#delete(QUEUES.copies, await this.#boss.findJobs(QUEUES.copies, { key: exportId, ...within(tx) }), tx);
    tx.afterCommit(() => {
      this.#options.onCancelled(exportId);
      this.#notices.say('cancelled', exportId);
    });
  }

  async drop(jobs: readonly Pick<Job, 'id' | 'tenant' | 'kind' | 'needs'>[], tx: Transaction): Promise<void> {
    for (const [name, own] of Map.groupBy(jobs, queueOf))
      if (this.#queues.has(name) || (await this.#boss.getQueue(name)) !== null)
        await this.#delete(
          name,
          own.map(({ id }) => ({ id: engineId(id) })),
          tx,
        );
  }

  async raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void> {
    for (const job of await this.#waiting(exportId, tx))
      if (isRaisedBy(job.data, preset)) await this.#setPriority(job, Math.max(priorityOf(job), priority), tx);
    const data: Raise = { exportId, preset, priority };
    const when = { singletonKey: `${exportId}/${preset ?? ''}`, startAfter: this.#options.leaseSeconds };
    await this.#boss.upsert(QUEUES.raises, data, { ...when, ...within(tx) });
  }

  async isRunning(exportId: string, tx: Transaction): Promise<boolean> {
    return (await this.#find(exportId, false, tx)).some(({ state }) => state === 'active');
  }

  async count(): Promise<{ waiting: number; running: number }> {
    const queues = (await this.#boss.getQueues()).filter(({ name }) => tenantQueueOf(name)?.lane === 'render');
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      waiting: sum(queues.map(({ queuedCount }) => queuedCount)),
      running: sum(queues.map(({ activeCount }) => activeCount)),
    };
  }

  /** Ends the tries of dead workers, lets raises expire, raises what has waited long, and looks for lost notices. */
  tidy(): Promise<void> {
    const tidied = this.#tidying.then(() => this.#tidy());
    this.#tidying = tidied.catch(() => {});
    return tidied;
  }

  async #tidy(): Promise<void> {
    await this.#checkClock();
    await this.#boss.supervise();
    for (const queue of [QUEUES.raises, QUEUES.patience]) {
      for (;;) {
        const due = await this.#boss.fetch<Patience>(queue, { includeMetadata: true, batchSize: 20 });
        for (const later of due) await this.#apply(later);
        if (due.length === 0) break;
      }
    }
    await this.#readQueues();
    this.#looksForCopies = true;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await this.#tidying;
    for (const { claiming, wakeUp } of this.#turns.values()) {
      await claiming;
      wakeUp.close();
    }
    await this.#boss.stop({ graceful: false });
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(this.#options.lookEveryMs, undefined, { signal }).catch(() => {});
      // The database is unreachable: the next caller gets the error.
      if (!signal.aborted) await this.tidy().catch(() => this.#ringAll());
    }
  }

  /** Learns of queues of other nodes, and of jobs whose notices were lost. A running job may have lost its lease. */
  async #readQueues(): Promise<void> {
    this.#looks += 1;
    const asksAll = this.#looks % LOOKS_BEFORE_ASKING_ALL === 1;
    for (const { name, queuedCount, activeCount } of await this.#boss.getQueues())
      if (!this.#queues.has(name) || asksAll || queuedCount + activeCount > 0) this.#ring(name);
  }

  /** Gives the waiting jobs of an export the priorities that they have now. */
  async #apply({ name, id, startedOn, data: { exportId } }: JobWithMetadata<Patience>): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#boss.deleteJob(name, id, within(tx));
      const raises = await this.#raises(exportId, tx);
      const jobs = await this.#find(exportId, false, tx);
      const { waiting = [], running = [] } = Object.groupBy(jobs, ({ state }) =>
        state === 'created' || state === 'retry' ? 'waiting' : state === 'active' ? 'running' : 'ended',
      );
      // They may have to wait again.
      const again = running.map(({ data }) => ({ data: { ...data, addedAtMs: null } }));
      if (name === QUEUES.patience) await this.#beAgedLater(again, tx);
      const [{ last }] = (await tx.query('select last_value as last from job_places')) as [{ last: number }];
      for (const job of waiting) {
        // A job that was added in the future has waited since before the clock was set back.
        const isAged = Math.abs(startedOn.getTime() - addedAtMs(job)) >= this.#options.patience.ms;
        const urgency = this.#urgencyOf(job, raises, isAged);
        if (isAged && job.data.place > last) await this.#goFirst(job, urgency, tx);
        else await this.#setPriority(job, urgency, tx);
      }
    });
  }

  #urgencyOf({ data }: EngineJob, raises: readonly Raise[], isAged: boolean): number {
    const raised = raises.filter(({ preset }) => isRaisedBy(data, preset)).map(({ priority }) => priority);
    return Math.max(
      data.own,
      ...raised,
      ...(isAged && data.own >= PATIENT_FROM ? [this.#options.patience.priority] : []),
    );
  }

  /** Places have started again since it was added, so newer jobs have smaller ones. */
  async #goFirst(job: EngineJob, priority: number, tx: Transaction): Promise<void> {
    await this.#update(job, { ...job.data, place: 0 }, { priority: enginePriority(priority, 0) }, tx);
  }

  /**
   * If the clock of the database was set back, what waits until later has waited long enough, and the leases of running
   * jobs start again. The engine would wait until its clock is where it was.
   */
  async #checkClock(): Promise<void> {
    const [row] = await this.#database.query<{ now: number }>(`select ${this.#options.now} as now`);
    const { now } = row!;
    const offset = now - performance.now();
    const isSetBack = offset < this.#clockOffset - MAX_DRIFT_MS;
    this.#clockOffset = offset;
    if (!isSetBack) return;
    for (const { name } of await this.#boss.getQueues()) {
      const longestMs = this.#longestDelayMs(name);
      const jobs = await this.#boss.findJobs(name);
      const isAhead = (time: Date | null) => time !== null && time.getTime() > now + MAX_DRIFT_MS;
      const held = jobs.filter(({ state, heartbeatOn }) => state === 'active' && isAhead(heartbeatOn));
      if (held.length > 0)
        await this.#boss.touch(
          name,
          held.map(({ id }) => id),
        );
      for (const { id, state, startAfter } of jobs)
        if (state !== 'active' && startAfter.getTime() > now + longestMs)
          await this.#boss.update(name, undefined, { id, startAfter: new Date(now - 1_000) });
    }
  }

  #longestDelayMs(queue: string): number {
    const { patience, leaseSeconds, retries } = this.#options;
    const lane = tenantQueueOf(queue)?.lane;
    if (lane !== undefined) return longestPauseMs(retries[lane]);
    return queue === QUEUES.patience ? patience.ms : leaseSeconds * 1000;
  }

  /** Has the jobs looked at when they have waited long. */
  async #beAgedLater(jobs: readonly Pick<JobInsert, 'data'>[], tx: Transaction): Promise<void> {
    const { patience } = this.#options;
    const fresh = jobs.map(({ data }) => data as JobData);
    for (const { exportId, kind, addedAtMs } of new Map(fresh.map((data) => [data.exportId, data])).values()) {
      if (laneOf({ kind }) !== 'render') continue;
      const startAfter = addedAtMs === null ? patience.ms / 1000 : new Date(addedAtMs + patience.ms);
      await this.#boss.send(QUEUES.patience, { exportId } satisfies Patience, { startAfter, ...within(tx) });
    }
  }

  async #raises(exportId: string, tx: Transaction): Promise<Raise[]> {
    const found = await this.#boss.findJobs<Raise>(QUEUES.raises, { data: { exportId }, queued: true, ...within(tx) });
    return found.map(({ data }) => data);
  }

  /** The render jobs of an export. */
  async #find(exportId: string, queued: boolean, tx: Transaction): Promise<EngineJob[]> {
    const [row] = await tx.query<{ tenant: string }>('select tenant from exports where id = $1', [exportId]);
    const all = this.#queues.values().filter(({ lane }) => lane === 'render');
    const names = row === undefined ? all.map(({ name }) => name) : [queueOf({ kind: 'chunks', tenant: row.tenant })];
    const found: EngineJob[] = [];
    for (const name of names) {
      if (!this.#queues.has(name) && (await this.#boss.getQueue(name)) === null) continue;
      found.push(...(await this.#boss.findJobs<JobData>(name, { key: exportId, queued, ...within(tx) })));
    }
    return found.toSorted((a, b) => a.data.place - b.data.place);
  }

  #waiting(exportId: string, tx: Transaction): Promise<EngineJob[]> {
    return this.#find(exportId, true, tx);
  }

  async #setPriority(job: EngineJob, priority: number, tx: Transaction): Promise<void> {
    if (priority === priorityOf(job)) return;
    await this.#update(job, undefined, { priority: enginePriority(priority, job.data.place) }, tx);
  }

  /** False if the job does not wait. */
  async #update(
    job: EngineJob,
    data: JobData | undefined,
    options: { readonly priority?: number; readonly startAfter?: string },
    tx: Transaction,
  ): Promise<boolean> {
    const { updated } = await this.#boss.update(job.name, data, { id: job.id, ...options, ...within(tx) });
    return updated === 1;
  }

  async #delete(queue: string, jobs: readonly { readonly id: string }[], tx: Transaction): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    if (ids.length > 0) await this.#boss.deleteJob(queue, ids, within(tx));
  }

  /** Ends a try and releases its job after the pause; with a reason it has failed. null if the lease is lost. */
  async #putBack(attempt: Attempt, reason: string | null, pauseMs: number, tx: Transaction): Promise<EngineJob | null> {
    const name = queueOf(attempt.job);
    if (attempt.isCopy) return null;
    await this.#lock(attempt.job.exportId, tx);
    if (!isOurs(await this.#boss.fail(name, fence(attempt), { reason }, within(tx)))) return null;
    const [job] = await this.#boss.findJobs<JobData>(name, { id: engineId(attempt.job.id), ...within(tx) });
    const { failed, released, exportId, place } = job!.data;
    const counts = reason === null ? { released: released + 1 } : { failed: failed + 1 };
    const data: JobData = { ...job!.data, ...counts };
    // It may have been raised while it ran.
    const raises = laneOf(attempt.job) === 'render' ? await this.#raises(exportId, tx) : [];
    const urgencies = raises.filter(({ preset }) => isRaisedBy(data, preset)).map((raise) => raise.priority);
    const { patience } = this.#options;
    if (attempt.waitedMs >= patience.ms && data.own >= PATIENT_FROM) urgencies.push(patience.priority);
    const priority = enginePriority(Math.max(priorityOf(job!), ...urgencies), place);
    await this.#update(job!, data, { priority, ...(pauseMs > 0 ? { startAfter: `${pauseMs} ms` } : {}) }, tx);
    this.#announce(name, tx, pauseMs);
    const [changed] = await this.#boss.findJobs<JobData>(name, { id: job!.id, ...within(tx) });
    return changed!;
  }

  /** The engine replaces the data of a job as a whole, so its changes are read and written by one transaction at a time. */
  async #lock(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [JOBS_LOCK, exportId]);
  }

  /** Inserts jobs; those with known ids are not changed. Returns the number of the others. */
  async #insert(queue: string, inserts: JobInsert[], tx: Transaction): Promise<number> {
    if (inserts.length === 0) return 0;
    if (!this.#queues.has(queue)) await this.#boss.createQueue(queue, tenantQueue(this.#options.leaseSeconds));
    const leased = inserts.map((insert) => ({ ...insert, heartbeatSeconds: this.#options.leaseSeconds }));
    const added = (await this.#boss.insert(queue, leased, { ...within(tx), returnId: true })) ?? [];
    if (added.length > 0) this.#announce(queue, tx);
    return added.length;
  }

  /** The next places. Those of a transaction that is rolled back are not used again. */
  async #places(count: number, tx: Transaction): Promise<number[]> {
    if (count === 0) return [];
    const sql = `select nextval('job_places') as place from generate_series(1, $1)`;
    return (await tx.query<{ place: number }>(sql, [count])).map(({ place }) => place);
  }

  #attemptOf(job: EngineJob): Attempt {
    const { own: _, place: __, failed, released: ___, addedAtMs: ____, ...what } = job.data;
    const waitedMs = Math.max(0, job.startedOn.getTime() - addedAtMs(job));
    const tries = countTries({ failed, deaths: deathsOf(job) }, this.#options.retries[laneOf(what)]);
    return { job: { ...what, priority: priorityOf(job) }, token: job.retryCount + 1, waitedMs, ...tries };
  }

  /** After the commit, tells all processes that there may be a job in a queue, after the pause. */
  #announce(queue: string, tx: Transaction, pauseMs = 0): void {
    tx.afterCommit(() => {
      this.#ringAfter(queue, pauseMs);
      this.#notices.say('jobs', `${pauseMs} ${queue}`);
    });
  }

  #hear(notice: string | null): void {
    const [pauseMs, queue] = notice?.split(' ') ?? [];
    if (queue === undefined) this.#ringAll();
    else this.#ringAfter(queue, Number(pauseMs));
  }

  #ringAfter(queue: string, pauseMs: number): void {
    if (pauseMs === 0) this.#ring(queue);
    else setTimeout(() => this.#ring(queue), pauseMs).unref();
  }

  #ringAll(): void {
    for (const name of this.#queues.keys()) this.#ring(name);
  }

  #ring(name: string): void {
    const queue = this.#queues.get(name) ?? newQueue(name);
    if (queue === null) return;
    queue.news += 1;
    this.#queues.set(name, queue);
    this.#turnsOf(queue.lane).wakeUp.ring();
  }
}

function newQueue(name: string): KnownQueue | null {
  const queue = tenantQueueOf(name);
  return queue && { ...queue, news: 0, emptyAt: -1 };
}

/** Whether a call has changed its job: it "reports it as not affected" otherwise (its types), in a field that its types omit. */
function isOurs(answer: { readonly affected?: unknown }): boolean {
  if (typeof answer.affected !== 'number') throw new Error('the job engine does not report what it has changed');
  return answer.affected === 1;
}
