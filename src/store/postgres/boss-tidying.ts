import type { PgBoss } from 'pg-boss';
import type { Database, Transaction } from '../database.ts';
import { NOW_MS, QUEUE, within } from './boss-engine.ts';

/** Of all who might tidy at once. */
const TIDYING_LOCK = 7_403_114_022;

/**
 * Brings up to date what only time has changed: attempts that went silent have failed, raises that nobody renews lapse, and
 * what has waited for long becomes urgent. One process at a time; true where something may be claimed that could not before.
 */
export async function tidyJobs(
  boss: PgBoss,
  database: Database,
  patience: { readonly ms: number; readonly priority: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [TIDYING_LOCK]);
    if (!lock!.taken) return false;
    const found = await buryDead(boss, tx);
    await letRaisesLapse(patience, tx);
    await raisePatient(patience, tx);
    return found;
  });
}

/** Whoever went silent has failed: with the last try it allows, the job is there to be ended. */
async function buryDead(boss: PgBoss, tx: Transaction): Promise<boolean> {
  const dead = await tx.query<{ id: string; retryCount: number }>(
    `select id, retry_count as "retryCount" from pgboss.job
     where name = '${QUEUE}' and state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < pgboss.job_now()`,
  );
  if (dead.length === 0) return false;
  await boss.fail(QUEUE, dead, { reason: 'the worker went silent' }, within(tx));
  return true;
}

async function letRaisesLapse(patience: { ms: number; priority: number }, tx: Transaction): Promise<void> {
  await tx.query(
    `with lapsed as (
       update jobs set raised_until_ms = null where raised_until_ms <= ${NOW_MS}
       returning engine_id, priority as own, ${NOW_MS} - added_at_ms as waited_ms)
     update pgboss.job set priority = case when waited_ms >= $1 then greatest(own, $2) else own end
     from lapsed where name = '${QUEUE}' and id = engine_id and state <= 'active'`,
    [patience.ms, patience.priority],
  );
}

/** The engine's own time comes first: it is what can be looked up, and is never before ours. */
async function raisePatient(patience: { ms: number; priority: number }, tx: Transaction): Promise<void> {
  await tx.query(
    `update pgboss.job j set priority = $2 from jobs k
     where j.name = '${QUEUE}' and j.state < 'active' and j.priority < $2
       and k.engine_id = j.id and k.added_at_ms <= ${NOW_MS} - $1::bigint`,
    [patience.ms, patience.priority],
  );
}
