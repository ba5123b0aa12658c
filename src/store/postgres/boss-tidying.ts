import type { PgBoss } from 'pg-boss';
import type { Database, Transaction } from '../database.ts';
import { within } from './boss-engine.ts';
import { lapseRaises, type Patience, QUEUE, raisePatient, shortenLeases, silentAttempts } from './boss-inside.ts';

/** Of all who might tidy at once. */
const TIDYING_LOCK = 7_403_114_022;

/**
 * Brings up to date what only time has changed: attempts that went silent have failed, raises that nobody renews lapse, and
 * what has waited for long becomes urgent. One process at a time; true where something may be claimed that could not before.
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
    const found = await buryDead(boss, tx);
    await lapseRaises(patience, leaseSeconds * 1000, tx);
    await raisePatient(patience, tx);
    return found;
  });
}

/** Whoever went silent has failed: with the last try it allows, the job is there to be ended. */
async function buryDead(boss: PgBoss, tx: Transaction): Promise<boolean> {
  const dead = await silentAttempts(tx);
  if (dead.length === 0) return false;
  await boss.fail(QUEUE, dead, { reason: 'the worker went silent' }, within(tx));
  return true;
}
