import { type Bell, LocalBell } from '../nodes/bell.ts';
import type { NodeStore, NodeStoreEvents } from '../nodes/node-store.ts';
import { JOB_ENGINE } from './move-jobs.ts';
import { PgBossJobQueue } from './pg-boss-job-queue.ts';
import { PostgresChanges } from './postgres-changes.ts';
import { PostgresClock } from './postgres-clock.ts';
import { POOLED_CONNECTIONS, PostgresDatabase, type PostgresOptions } from './postgres-database.ts';
import { PostgresLeader } from './postgres-leader.ts';
import { migratePostgres, type PostgresMigration } from './postgres-migration.ts';
import { PostgresNotices } from './postgres-notices.ts';
import { PostgresProgress } from './postgres-progress.ts';

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
