import type { Transaction } from '../database.ts';

/** The columns that a derived job copies. Its place is at the end of the queue. */
const TAKEN_OVER =
  'tenant, export_id, kind, first_chunk, chunk_count, aged, added_at_ms, state, failures, deaths, due_at_ms, reason';

/** Gives each output of a job a job of its own; the first output keeps the job and its place. */
export async function divideJob(seq: number, tx: Transaction): Promise<void> {
  await tx.query(
    `insert into jobs (id, presets, priority, urgency, raised_until_ms, ${TAKEN_OVER})
     with outputs (place, preset) as (select key, value from json_each((select presets from jobs where seq = $1)))
     select id || '/' || preset, json_array(preset), priority, urgency, raised_until_ms, ${TAKEN_OVER}
     from jobs, outputs where seq = $1 and place > 0 order by place`,
    [seq],
  );
  await tx.query('update jobs set presets = json_array(presets ->> 0) where seq = $1', [seq]);
}

/**
 * Takes an output out of the waiting jobs that it shares with others. It keeps their places. The rest of them is
 * enqueued again with `rest.priority` at most, or with `rest.aged` if it has aged. Uses two statements for any number
 * of jobs, because they block the process.
 */
export async function setOutputApart(
  exportId: string,
  preset: string,
  rest: { readonly priority: number; readonly aged: number },
  tx: Transaction,
): Promise<void> {
  const shared = `export_id = $1 and state = 'waiting' and json_array_length(presets) > 1
    and exists (select 1 from json_each(jobs.presets) where value = $2)`;
  await tx.query(
    `insert into jobs (id, presets, priority, urgency, ${TAKEN_OVER})
     select id || '/rest', (select json_group_array(value) from json_each(jobs.presets) where value <> $2),
       min(priority, $3), max(min(priority, $3), aged * $4), ${TAKEN_OVER}
     from jobs where ${shared} order by seq`,
    [exportId, preset, rest.priority, rest.aged],
  );
  await tx.query(`update jobs set presets = json_array($2) where ${shared}`, [exportId, preset]);
}
