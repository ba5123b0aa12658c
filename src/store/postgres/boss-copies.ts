import type { Transaction } from '../database.ts';
import type { Attempt } from '../job-queue.ts';
import { NOW_MS, SLOWEST_JOB, type SlowJob } from './boss-inside.ts';
import { JOB_COLUMNS, type JobRow, jobOf } from './boss-jobs.ts';

/** The suffix of a copy's id. */
const COPY = '/copy';

/**
 * Takes a copy of the slow job that has run longest; null if none is slow. The copy has a row in our table, so that a
 * job has at most one. The engine does not have it, so it is never claimed. It is deleted with its export.
 */
export async function copySlowest(running: ReadonlySet<string>, database: Transaction): Promise<Attempt | null> {
  const [slow] = await database.query<SlowJob>(SLOWEST_JOB, [JSON.stringify([...running]), COPY]);
  if (slow === undefined) return null;
  const [row] = await database.query<JobRow>(
    `insert into jobs as k (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms)
     select id || $2, gen_random_uuid(), tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms
     from jobs where id = $1 on conflict do nothing
     returning ${JOB_COLUMNS}, ${NOW_MS} - k.added_at_ms as waited_ms`,
    [slow.id, COPY],
  );
  // Another node was faster, or the export was deleted.
  if (row === undefined) return null;
  const job = { ...jobOf(row, slow.urgency), id: slow.id };
  const tries = { failures: 0, alone: false, exhausted: false, isCopy: true };
  return { job, token: slow.retry_count + 1, waitedMs: Math.max(0, row.waited_ms), ...tries };
}
