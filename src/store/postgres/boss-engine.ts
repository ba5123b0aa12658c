import { createHash } from 'node:crypto';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Transaction } from '../database.ts';
import { createTurnsIndex, ENGINE_SCHEMA, QUEUE } from './boss-inside.ts';
import { openPool } from './postgres-pool.ts';
import { PostgresTransaction } from './postgres-transaction.ts';

/** The namespace of our name-based UUIDs (RFC 9562, version 5). */
const NAMESPACE = Buffer.from('0f6b7c1e5d2a4c8e9b3d7a615c04e2f8', 'hex');

/** The engine on our connection pool; the caller starts it. */
export function bossEngine(pool: pg.Pool, { migrate }: { readonly migrate: boolean }): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (sql: string, values?: unknown[]) => pool.query(sql, values) },
    schema: ENGINE_SCHEMA,
    schedule: false,
    migrate,
    supervise: !migrate,
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 60,
  });
  // Its periodic work fails while the server restarts; without a listener, the first error would end the process.
  boss.on('error', () => {});
  return boss;
}

/** Creates the engine's tables and our queue. */
export async function migrateBoss(url: string): Promise<void> {
  const pool = openPool(url, { connections: 2 });
  try {
    const boss = bossEngine(pool, { migrate: true });
    await boss.start();
    const settings = {
      heartbeatSeconds: 30,
      expireInSeconds: 86_399, // the maximum: only the heartbeat counts
      retryLimit: 1_000_000, // tries are counted here: a limit of the engine would count releases
      retryDelay: 0,
      retentionSeconds: 20 * 365 * 86_400, // a job that waits longer, or seems to after a clock jump, is dropped silently
      deleteAfterSeconds: 600, // our table keeps the ids, so the engine's table can stay small
    };
    await boss.createQueue(QUEUE, { ...settings, partition: true });
    await boss.updateQueue(QUEUE, settings);
    await boss.stop({ graceful: false });
    await createTurnsIndex(pool);
  } finally {
    await pool.end();
  }
}

/** Makes the engine work inside the caller's transaction. */
export function within(tx: Transaction): { readonly db: PostgresTransaction } {
  if (!(tx instanceof PostgresTransaction)) throw new Error('the queue and its caller use different databases');
  return { db: tx };
}

/** The engine identifies jobs by UUIDs. */
export function engineId(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
