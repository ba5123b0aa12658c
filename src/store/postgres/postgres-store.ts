import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../database.ts';
import { ShownProgress } from '../nodes/live-progress.ts';
import {
  type Bell,
  type Changes,
  type JobInProgress,
  LocalBell,
  type NodeStore,
  type NodeStoreEvents,
  type Progress,
  type RecordedProgress,
} from '../nodes/node-store.ts';
import { JOB_ENGINE } from './move-jobs.ts';
import { PgBossJobQueue } from './pg-boss-job-queue.ts';
import { POOLED_CONNECTIONS, PostgresDatabase, type PostgresOptions } from './postgres-database.ts';
import { PostgresLeader } from './postgres-leader.ts';
import { migratePostgres, type PostgresMigration } from './postgres-migration.ts';
import { PostgresChanges, PostgresNotices } from './postgres-notices.ts';

/** The most connections of a node: its pools, one to listen, one to lead, and one more temporarily. */
export const NODE_CONNECTIONS = POOLED_CONNECTIONS + 3;

/** How a node uses its database. */
export interface PostgresStoreOptions extends PostgresOptions {
  /** A try without a heartbeat for this long counts as dead. */
  readonly leaseSeconds?: number;
}

/** Brings the tables to this release, before its first node starts. @throws as `migratePostgres` does. */
export function migrateStore(url: string): Promise<PostgresMigration> {
  return migratePostgres(url, JOB_ENGINE);
}

/** Records and jobs that any number of nodes share. @throws as `PostgresDatabase.open` does. */
export async function openPostgresStore(
  url: string,
  { onCancelled, onOvertaken = () => {}, onFault = () => {} }: NodeStoreEvents,
  { leaseSeconds, ...connections }: PostgresStoreOptions = {},
): Promise<NodeStore> {
  await using opened = new AsyncDisposableStack();
  const database = await PostgresDatabase.open(url, connections);
  opened.defer(() => database.close());
  const clock = opened.use(await PostgresClock.open(database.committed));
  const notices = opened.use(await PostgresNotices.open(url, database.pool));
  const options = { onCancelled, onOvertaken, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
  const jobs = await PgBossJobQueue.open(database, notices, options);
  opened.defer(() => jobs.close());
  const changes = opened.use(new PostgresChanges(notices, database.committed));
  const progress = opened.use(new PostgresProgress(database, changes));
  const all = opened.move();
  return {
    database,
    jobs,
    changes,
    progress,
    leader: new PostgresLeader(url, (error) => onFault('leading', error)),
    draftBell: noticeBell(notices, 'drafts'),
    alone: false,
    reserve: null,
    now: () => clock.now(),
    close: () => all.disposeAsync(),
  };
}

/** Also rings in this process, which does not receive its own notices. */
function noticeBell(notices: PostgresNotices, about: 'drafts'): Bell {
  const here = new LocalBell();
  notices.on(about, () => here.ring());
  return {
    ring: () => {
      here.ring();
      notices.say(about);
    },
    onRing: (listener) => here.onRing(listener),
  };
}

const ASK_EVERY_MS = 60_000;
/** The time of a response counts as the middle of its round trip; the error is up to half of it. */
const SLOW_ANSWER_MS = 1_000;

/**
 * The time of the database server, which all nodes use: times written with a wrong local clock would expire early or
 * look old on other nodes. Between two queries it advances with this process's monotonic clock. (H30)
 */
export class PostgresClock implements Disposable {
  readonly #database: Transaction;
  readonly #asking: NodeJS.Timeout;
  /** How far it is ahead of `performance.now()`. */
  #aheadMs: number | null = null;

  static async open(database: Transaction): Promise<PostgresClock> {
    const clock = new PostgresClock(database);
    try {
      await clock.ask();
    } catch (cause) {
      clock[Symbol.dispose]();
      throw cause;
    }
    return clock;
  }

  private constructor(database: Transaction) {
    this.#database = database;
    // While the server is unreachable, time continues as before.
    this.#asking = setInterval(() => void this.ask().catch(() => {}), ASK_EVERY_MS).unref();
  }

  now(): number {
    return Math.round((this.#aheadMs ?? 0) + performance.now());
  }

  /** Queries the time. A slow response counts only if there is no other. */
  async ask(): Promise<void> {
    const askedMs = performance.now();
    const [row] = await this.#database.query<{ now_ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms',
    );
    const answeredMs = performance.now();
    if (this.#aheadMs !== null && answeredMs - askedMs > SLOW_ANSWER_MS) return;
    this.#aheadMs = row!.now_ms - (askedMs + answeredMs) / 2;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#asking);
  }
}

/** How often a process writes its progress. */
const WRITE_EVERY_MS = 1_000;

interface Reported {
  readonly job: JobInProgress;
  done: readonly (readonly [preset: string, frames: number])[];
}

/**
 * Progress that all processes can see: written at most once a second, for all renders of this process together. The
 * frames of a dead worker stay until its successor has rendered more.
 */
class PostgresProgress implements Progress, AsyncDisposable {
  readonly #database: Transaction;
  readonly #changes: Pick<Changes, 'notify'>;
  readonly #shown = new ShownProgress();
  readonly #reported = new Map<string, Reported>();
  readonly #stop = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #pausing: Promise<void> | null = null;

  constructor(database: Transaction, changes: Pick<Changes, 'notify'>) {
    this.#database = database;
    this.#changes = changes;
  }

  report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void {
    this.#reported.set(job.id, { job, done });
    this.#pausing ??= this.#writeSoon();
  }

  /**
   * Drops the last report and waits for a running write: the count replaces these frames, so no report may come later.
   */
  async end({ id }: JobInProgress): Promise<void> {
    this.#reported.delete(id);
    await this.#writing;
  }

  share(id: string, output: RecordedProgress): number {
    return this.#shown.share(id, output);
  }

  forget(id: string, presets: readonly string[]): void {
    this.#shown.forget(id, presets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#pausing;
    await this.#writing;
  }

  /** Writes at once, and not again for a while. */
  async #writeSoon(): Promise<void> {
    this.#writing = this.#write();
    await this.#writing;
    await sleep(WRITE_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    this.#pausing = this.#reported.size > 0 && !this.#stop.signal.aborted ? this.#writeSoon() : null;
  }

  async #write(): Promise<void> {
    const reported = [...this.#reported.values()];
    this.#reported.clear();
    const rows = reported.flatMap(({ job: { exportId, firstChunk }, done }) =>
      done.map(([preset, frames]) => [exportId, preset, firstChunk, frames]),
    );
    try {
      await this.#database.query(
        `insert into live_frames (export_id, preset, first_chunk, frames)
         select o.export_id, o.preset, (row ->> 2)::integer, (row ->> 3)::integer
         from jsonb_array_elements($1) as row
           join outputs o on o.export_id = row ->> 0 and o.preset = row ->> 1 and o.state in ('queued', 'rendering')
         on conflict (export_id, preset, first_chunk)
           do update set frames = greatest(live_frames.frames, excluded.frames)
         returning set_config('synchronous_commit', 'off', true)`,
        [JSON.stringify(rows)],
      );
      for (const id of new Set(reported.map(({ job }) => job.exportId))) this.#changes.notify(id);
    } catch {} // the database is unreachable, or the export was deleted: the next report has the same frames
  }
}
