import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Db, PgBoss, type QueueOptions } from 'pg-boss';
import { ExportError } from '../../errors.ts';
import type { SqlValue, Transaction } from '../database.ts';
import { type Job, type Lane, laneOf } from '../job-queue.ts';
import { openPool } from './postgres-pool.ts';
import { OF_THE_ENGINE, PostgresTransaction, preparedStatement } from './postgres-transaction.ts';

/** The namespace of our name-based UUIDs (RFC 9562, version 5). */
const NAMESPACE = Buffer.from('0f6b7c1e5d2a4c8e9b3d7a615c04e2f8', 'hex');
const HOUR_S = 3_600;

/** Queues beside those of tenants: raises that expire, jobs that will have waited long, and copies of slow jobs. */
export const QUEUES = { raises: 'raises', patience: 'patience', copies: 'copies' } as const;

const FOREVER: QueueOptions = {
  retentionSeconds: 20 * 365 * 24 * HOUR_S, // a job that waits longer, or seems to after a clock jump, is dropped silently
  retryLimit: 1_000_000, // tries are counted here: a limit of the engine would count releases
  deleteAfterSeconds: 24 * HOUR_S,
};

/** The options of a tenant's queue. */
export function tenantQueue(leaseSeconds: number): QueueOptions {
  // The longest expiry: only the heartbeat counts. A search for the jobs of an export reads all that the queue has, so
  // what is done is not kept for long.
  return { ...FOREVER, deleteAfterSeconds: 600, heartbeatSeconds: leaseSeconds, expireInSeconds: 24 * HOUR_S - 1 };
}

/** The engine on a connection pool; the caller starts it. */
export function bossEngine(pool: pg.Pool, { migrate }: { readonly migrate: boolean }): PgBoss {
  const db = {
    executeSql: (sql: string, values: unknown[] = []) => pool.query(preparedStatement(sql, values, OF_THE_ENGINE)),
  };
  // Its upkeep is part of ours, which is more frequent.
  const upkeep = { supervise: false, monitorIntervalSeconds: 1, maintenanceIntervalSeconds: 120 };
  const boss = new PgBoss({ db, schema: 'pgboss', schedule: false, migrate, ...upkeep });
  // Work in its background fails while the server restarts; without a listener, the first error would end the process.
  boss.on('error', () => {});
  return boss;
}

/** Creates the engine's tables and the queues that are not of tenants. */
export async function migrateBoss(url: string): Promise<void> {
  const pool = openPool(url, { connections: 2 });
  const boss = bossEngine(pool, { migrate: true });
  try {
    await boss.start();
    for (const name of Object.values(QUEUES)) await boss.createQueue(name, FOREVER);
  } finally {
    // After a lost connection too: its timers keep the process alive.
    await boss.stop({ graceful: false }).catch(() => {});
    await pool.end();
  }
}

/** An engine whose tables exist. @throws `store.schema_mismatch` */
export async function startEngine(pool: pg.Pool): Promise<PgBoss> {
  const boss = bossEngine(pool, { migrate: false });
  if (!(await boss.isInstalled())) throw unusable('Tables are missing');
  await boss.start().catch((cause: unknown) => {
    // Errors of the server have a code. The engine's own says that its tables are of another version.
    throw cause instanceof Error && 'code' in cause ? cause : unusable('Tables are of another version', cause);
  });
  return boss;
}

function unusable(what: string, cause?: unknown): ExportError {
  const message = `${what} (those of the job queue, in the schema "pgboss"). Run \`tiercut migrate\`.`;
  return new ExportError('unavailable', 'store.schema_mismatch', message, { cause });
}

/** Changes nothing. @throws without the permission to change jobs. */
export async function tryEngine(pool: pg.Pool): Promise<void> {
  const boss = await startEngine(pool);
  await boss.touch(QUEUES.raises, '00000000-0000-0000-0000-000000000000');
  await boss.stop({ graceful: false });
}

/** Makes the engine work inside the caller's transaction. */
export function within(tx: Transaction): { readonly db: Db } {
  if (tx instanceof PostgresTransaction) return { db: tx };
  return { db: { executeSql: async (sql, values = []) => ({ rows: await tx.query(sql, values as SqlValue[]) }) } };
}

/** The engine identifies jobs by UUIDs. */
export function engineId(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A queue of a tenant, by its name: of its jobs of a lane, or of those that need something. */
export interface TenantQueue {
  readonly name: string;
  readonly lane: Lane;
  readonly tenant: string;
  /** A hash of what its jobs need; empty: nothing. */
  readonly needs: string;
}

const NAME = /^(render|fetch|captions|destination|webhook)-([0-9a-f]*)-([0-9a-f]*)$/;

/** Its names may have few characters. */
export function queueOf(job: Pick<Job, 'kind' | 'tenant' | 'needs'>): string {
  return `${laneOf(job)}-${needsHash(job.needs)}-${Buffer.from(job.tenant).toString('hex')}`;
}

export function needsHash(needs: string | undefined): string {
  return needs === undefined ? '' : createHash('sha256').update(needs).digest('hex').slice(0, 16);
}

/** null if the name is of another queue. */
export function tenantQueueOf(name: string): TenantQueue | null {
  const [, lane, needs, tenant] = NAME.exec(name) ?? [];
  if (lane === undefined) return null;
  return { name, lane: lane as Lane, needs: needs!, tenant: Buffer.from(tenant!, 'hex').toString() };
}
