import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Transaction } from '../database.ts';
import { COPIES } from '../job-queue.ts';

// Everything that we use of pg-boss beyond its documented calls: tables, columns, a function, and a field of its
// results that its types omit. No other file names them, and each use says why a call of pg-boss is not enough. An
// upgrade may change any of it: test/store/postgres/boss-inside.test.ts fails when it does.

/** The schema of its tables. */
export const ENGINE_SCHEMA = 'pgboss';

/** The only queue. */
export const QUEUE = 'render';

/** The jobs of all queues; each queue has a partition. */
const ALL_JOBS = `${ENGINE_SCHEMA}.job`;

/**
 * The clock of its leases. Our times use the same clock; otherwise a lease and a raise would end at different times.
 */
const NOW = `${ENGINE_SCHEMA}.job_now()`;

/** The same clock, in milliseconds. */
export const NOW_MS = `(extract(epoch from ${NOW}) * 1000)::bigint`;

/** No pause is longer, and no time is further in the future, unless the server's clock was set back since. (H30) */
const NEVER_LATER = "interval '1 minute'";
const NEVER_LATER_MS = 60_000;

// Its states are an enum: created and retry come before active, all ended states after it.
const WAITS = `j.state < 'active'`;
const IS_ACTIVE = `j.state = 'active'`;
const HAS_NOT_ENDED = `j.state <= 'active'`;

/**
 * Joins its row `j` to ours, `jobs k`. pg-boss finds jobs by id or by data, one query each; we need all jobs of an
 * export, in the transaction that changes them.
 */
export const WITH_ENGINE_JOB = `join ${ALL_JOBS} j on j.name = '${QUEUE}' and j.id = k.engine_id`;

/** Columns of such a row: the current priority, the number of failures, the remaining pause. */
export const ENGINE_COLUMNS = {
  urgency: 'j.priority as urgency',
  // Its retry count is one behind while a job waits for a retry: the claim raises it, if there was an earlier one.
  deaths: 'j.retry_count + (case when j.started_on is null then 0 else 1 end) - k.released - k.failed as deaths',
  pauseMs: `greatest(0, extract(epoch from j.start_after - ${NOW}) * 1000)::bigint as pause_ms`,
} as const;

/** Conditions on such rows. */
export const ENGINE_JOB = { waits: WAITS, isActive: IS_ACTIVE, inOrder: 'order by j.created_on' } as const;

const NAMES_ALL_JOBS = new RegExp(`\\b${ENGINE_SCHEMA}\\.job\\b`);

/** Whether a statement joins all queued jobs. Their number changes by the minute, so its plan must not be cached. */
export function namesAllJobs(sql: string): boolean {
  return NAMES_ALL_JOBS.test(sql);
}

/** Changes nothing, and fails without the permission to change jobs. */
export const TRY_TO_CHANGE_JOBS = `update ${ALL_JOBS} set state = state where false`;

/**
 * The table of our queue alone, a partition because of `partition: true`. Claims read it without the queue's name. All
 * other indexes start with that name, and the server, which does not know the size of a queue that is empty at times,
 * would scan one of those completely and sort it.
 */
export async function queueTable(pool: pg.Pool): Promise<string> {
  const sql = `select table_name from ${ENGINE_SCHEMA}.queue where name = $1`;
  const { rows } = await pool.query<{ table_name: string }>(sql, [QUEUE]);
  return `${ENGINE_SCHEMA}.${rows[0]!.table_name}`;
}

/**
 * The index for `takeFrom`, which finds the next tenant and its job at once, however many wait. pg-boss has no index by
 * group.
 */
export async function createTurnsIndex(pool: pg.Pool): Promise<void> {
  await pool.query(
    `create index if not exists tiercut_turns on ${await queueTable(pool)} (group_id, priority desc, created_on)
     where state < 'active' and not blocked`,
  );
}

/** A job that was just claimed. */
export interface TakenJob {
  readonly id: string;
  readonly group_id: string;
  readonly priority: number;
  readonly retry_count: number;
}

/**
 * Replaces pg-boss's fetch and sets the same columns. Claims the next job of the tenant after `$1` by name, and after
 * the last tenant of the first again. Fetch has no turns, only a list of groups to skip, and reads all their waiting
 * jobs.
 */
export function takeFrom(table: string): string {
  return `
    with next as (
      select id from (${firstDue(table, 'j.group_id > $1')} union all ${firstDue(table, 'j.group_id <= $1')}) as either limit 1)
    update ${table} j
    set state = 'active', started_on = ${NOW}, heartbeat_on = ${NOW},
      retry_count = case when j.started_on is null then j.retry_count else j.retry_count + 1 end
    where j.name = '${QUEUE}' and j.id = (select id from next)
    returning j.id, j.group_id, j.priority, j.retry_count`;
}

/**
 * The first job of the first such tenant, unless another process is claiming it. In the order of the index, so that it
 * is one lookup.
 */
function firstDue(table: string, whose: string): string {
  return `select id from (
      select j.id from ${table} j
      where ${WAITS} and not j.blocked and (j.start_after <= ${NOW} or j.start_after > ${NOW} + ${NEVER_LATER}) and ${whose}
      order by j.group_id, j.priority desc, j.created_on limit 1 for update of j skip locked) as first`;
}

/**
 * Gives jobs that were enqueued together an order and their lease. For pg-boss they have the same age and any order;
 * and it accepts no lease below ten seconds, though it honours any value in its table.
 */
export async function orderJobs(ids: readonly string[], leaseSeconds: number, tx: Transaction): Promise<void> {
  await tx.query(
    `update ${ALL_JOBS} set created_on = created_on + place * interval '1 microsecond', heartbeat_seconds = $2
     from jsonb_array_elements_text($1) with ordinality as added (job_id, place)
     where name = '${QUEUE}' and id = job_id::uuid`,
    [JSON.stringify(ids), leaseSeconds],
  );
}

/**
 * A heartbeat in the future is from before the clock was set back. Its lease starts again now; otherwise it would last
 * until then.
 */
export async function shortenLeases(tx: Transaction): Promise<void> {
  await tx.query(
    `update ${ALL_JOBS} j set heartbeat_on = ${NOW}
     where j.name = '${QUEUE}' and ${IS_ACTIVE} and j.heartbeat_on > ${NOW} + ${NEVER_LATER}`,
  );
}

/** Tries whose lease has expired. pg-boss checks them once a minute, and ends them outside our transaction. */
export function expiredAttempts(tx: Transaction): Promise<{ id: string; retryCount: number }[]> {
  return tx.query(
    `select j.id, j.retry_count as "retryCount" from ${ALL_JOBS} j
     where j.name = '${QUEUE}' and ${IS_ACTIVE} and j.heartbeat_on + j.heartbeat_seconds * interval '1 second' < ${NOW}`,
  );
}

/** A job whose only try is slow. */
export interface SlowJob {
  readonly id: string;
  readonly retry_count: number;
  readonly urgency: number;
}

/**
 * The slow job that has run longest, as `COPIES` defines it: pg-boss does not compare jobs. $1 lists the ids to
 * exclude. A copy is a row of ours that pg-boss does not have: its id is that of its job and `$2`.
 */
export const SLOWEST_JOB = `
  select k.id, j.retry_count, j.priority as urgency
  from jobs k ${WITH_ENGINE_JOB}
  cross join lateral (
    select count(d.id) as jobs, count(*) filter (where o.id like '%' || $2) as copies,
      percentile_cont(0.5) within group (order by (
        case when d.state = 'completed' then ${ranMs('d')} / ${chunksOf('o')} end)) as median_ms
    from jobs o left join ${ALL_JOBS} d on d.name = '${QUEUE}' and d.id = o.engine_id
    where o.export_id = k.export_id and o.kind = 'chunks') as others
  where ${IS_ACTIVE} and k.kind = 'chunks' and j.retry_count = k.released and k.failed = 0
    and not $1::jsonb ? k.id
    and not exists (select 1 from jobs c where c.id = k.id || $2)
    and others.median_ms is not null and others.copies <= others.jobs / ${COPIES.jobsACopy}
    and ${ranMs('j', NOW)} > greatest(${COPIES.minMs}, ${COPIES.slowness} * others.median_ms * ${chunksOf('k')})
  order by j.started_on limit 1`;

function ranMs(job: string, until = `${job}.completed_on`): string {
  return `(extract(epoch from ${until} - ${job}.started_on) * 1000)::float8`;
}

/** The number of chunks of a job, over all its outputs. */
function chunksOf(job: string): string {
  return `(${job}.chunk_count * greatest(1, jsonb_array_length(${job}.presets)))`;
}

/** A minimum priority after a time of waiting. */
export interface Patience {
  readonly ms: number;
  readonly priority: number;
}

// pg-boss changes the priority of one job by its id. These change many jobs, selected by our rows, in one statement.

/** Raises the priority of an output's jobs and of the sound for a limited time; lowers none. */
export async function raiseJobs(
  which: { readonly exportId: string; readonly preset: string | null },
  to: { readonly priority: number; readonly lastsMs: number },
  tx: Transaction,
): Promise<void> {
  await tx.query(
    `with raised as (
       update jobs set raised_until_ms = ${NOW_MS} + $4
       where export_id = $1 and priority < $3 and ($2::text is null or presets = '[]' or presets ? $2)
         and exists (select 1 from ${ALL_JOBS} j where j.name = '${QUEUE}' and j.id = engine_id and ${HAS_NOT_ENDED})
       returning engine_id)
     update ${ALL_JOBS} j set priority = $3 from raised
     where j.name = '${QUEUE}' and j.id = engine_id and ${HAS_NOT_ENDED} and j.priority < $3`,
    [which.exportId, which.preset, to.priority, to.lastsMs],
  );
}

/** Ends expired raises, and raises from before the clock was set back: none lasts longer than `lastsMs`. */
export async function lapseRaises(patience: Patience, lastsMs: number, tx: Transaction): Promise<void> {
  await tx.query(
    `with lapsed as (
       update jobs set raised_until_ms = null
       where raised_until_ms <= ${NOW_MS} or raised_until_ms > ${NOW_MS} + $3 + ${NEVER_LATER_MS}
       returning engine_id, priority as own, ${NOW_MS} - added_at_ms as waited_ms)
     update ${ALL_JOBS} j set priority = case when waited_ms >= $1 then greatest(own, $2) else own end
     from lapsed where j.name = '${QUEUE}' and j.id = engine_id and ${HAS_NOT_ENDED}`,
    [patience.ms, patience.priority, lastsMs],
  );
}

/**
 * Raises jobs that have waited long. A job that was enqueued in the future has waited since before the clock was set
 * back.
 */
export async function raisePatient(patience: Patience, tx: Transaction): Promise<void> {
  await tx.query(
    `update ${ALL_JOBS} j set priority = $2 from jobs k
     where j.name = '${QUEUE}' and ${WAITS} and j.priority < $2
       and k.engine_id = j.id
       and (k.added_at_ms <= ${NOW_MS} - $1::bigint or k.added_at_ms > ${NOW_MS} + ${NEVER_LATER_MS})`,
    [patience.ms, patience.priority],
  );
}

/** How many jobs wait and run. The numbers of pg-boss are a minute old. */
export async function countJobs(tx: Transaction): Promise<{ waiting: number; running: number }> {
  const [row] = await tx.query<{ waiting: number; running: number }>(
    `select count(*) filter (where ${WAITS}) as waiting, count(*) filter (where ${IS_ACTIVE}) as running
     from ${ALL_JOBS} j where j.name = '${QUEUE}' and ${HAS_NOT_ENDED}`,
  );
  return row!;
}

/**
 * Makes pg-boss cache the properties of our queue; otherwise its first call inside a transaction needs a second
 * connection.
 */
export async function readQueue(boss: PgBoss): Promise<void> {
  await boss.findJobs(QUEUE, { id: '00000000-0000-0000-0000-000000000000' });
}

/** Whether a call has changed its job. The fence by retry count shows only in a number that its types omit. */
export function isOurs(answer: { readonly affected?: unknown }): boolean {
  if (typeof answer.affected !== 'number') throw new Error('the job engine does not report what it has changed');
  return answer.affected === 1;
}
