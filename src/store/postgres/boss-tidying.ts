import type { PgBoss } from 'pg-boss';
import type { Database, Transaction } from '../database.ts';
import { within } from './boss-engine.ts';
import { expiredAttempts, lapseRaises, type Patience, QUEUE, raisePatient, shortenLeases } from './boss-inside.ts';

/** The lock of tidying, across processes. */
const TIDYING_LOCK = 7_403_114_022;

/**
 * Applies what follows from time alone: tries with expired leases fail, raises expire, and jobs that have waited long
 * are raised. One process at a time; true if a job may have become claimable.
 */
export async function tidyJobs(
  boss: PgBoss,
  database: Database,
  { patience, leaseSeconds }: { readonly patience: Patience; readonly leaseSeconds: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [TIDYING_LOCK]);
    if (!lock!.taken) return false;
    await shortenLeases(tx);
    const found = await failExpired(boss, tx);
    await lapseRaises(patience, leaseSeconds * 1000, tx);
    await raisePatient(patience, tx);
    return found;
  });
}

/** Fails tries with expired leases. After the last allowed try, the job can be claimed only to be ended. */
async function failExpired(boss: PgBoss, tx: Transaction): Promise<boolean> {
  const dead = await expiredAttempts(tx);
  if (dead.length === 0) return false;
  await boss.fail(QUEUE, dead, { reason: 'the worker went silent' }, within(tx));
  return true;
}
