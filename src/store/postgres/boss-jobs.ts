import type { PgBoss } from 'pg-boss';
import type { Transaction } from '../database.ts';
import type { Attempt, Job, JobKind } from '../job-queue.ts';
import { engineId, within } from './boss-engine.ts';
import { ENGINE_COLUMNS, ENGINE_JOB, NOW_MS, orderJobs, type Patience, QUEUE, WITH_ENGINE_JOB } from './boss-inside.ts';

/** The engine accepts no shorter lease; `orderJobs` sets those. */
const ENGINE_LEAST_SECONDS = 10;

/** A job in our table. The engine knows its state and its current priority. */
export interface JobRow {
  readonly id: string;
  readonly tenant: string;
  readonly export_id: string;
  readonly kind: JobKind;
  readonly presets: readonly string[];
  readonly first_chunk: number | null;
  readonly chunk_count: number | null;
  readonly priority: number;
  readonly released: number;
  readonly failed: number;
  readonly waited_ms: number;
}

/** The columns of a JobRow, of `jobs k`, without the waiting time. */
export const JOB_COLUMNS =
  'k.id, k.tenant, k.export_id, k.kind, k.presets, k.first_chunk, k.chunk_count, k.priority, k.released, k.failed';

/** A job to insert into both tables. */
interface NewJob {
  readonly job: Job;
  /** Its current priority; `priority` is the one that it falls back to. */
  readonly urgency: number;
  /** null for now. */
  readonly addedAtMs: number | null;
  readonly raisedUntilMs: number | null;
  /** Earlier failed tries, and deaths of workers. */
  readonly failed: number;
  readonly deaths: number;
  /** The pause before its next try. */
  readonly pauseMs: number;
}

/** A new job. */
export function freshJob(job: Job): NewJob {
  return { job, urgency: job.priority, addedAtMs: null, raisedUntilMs: null, failed: 0, deaths: 0, pauseMs: 0 };
}

/**
 * Inserts jobs into our table and the engine's, in order. Jobs with known ids are not changed. False if all were known.
 */
export async function addJobs(
  boss: PgBoss,
  jobs: readonly NewJob[],
  leaseSeconds: number,
  tx: Transaction,
): Promise<boolean> {
  const rows = jobs.map(({ job, addedAtMs, raisedUntilMs, failed, deaths }) => {
    const { id, tenant, exportId, kind, presets, chunks, priority } = job;
    const what = [id, engineId(id), tenant, exportId, kind, JSON.stringify(presets), chunks?.first, chunks?.count];
    // The engine counts from zero, so earlier tries are recorded as a negative number of releases.
    const released = -failed - deaths;
    return [...what.map((value) => value ?? null), priority, addedAtMs, raisedUntilMs, released, failed];
  });
  const added = await tx.query<{ id: string }>(
    `insert into jobs (id, engine_id, tenant, export_id, kind, presets, first_chunk, chunk_count, priority, added_at_ms,
       raised_until_ms, released, failed)
     select job ->> 0, (job ->> 1)::uuid, job ->> 2, job ->> 3, job ->> 4, (job ->> 5)::jsonb, (job ->> 6)::integer,
       (job ->> 7)::integer, (job ->> 8)::integer, coalesce((job ->> 9)::bigint, ${NOW_MS}), (job ->> 10)::bigint,
       (job ->> 11)::integer, (job ->> 12)::integer
     from jsonb_array_elements($1) as job
     on conflict do nothing returning id`,
    [JSON.stringify(rows)],
  );
  const unknown = new Set(added.map(({ id }) => id));
  const inserts = jobs
    .filter(({ job }) => unknown.delete(job.id))
    .map(({ job, urgency, pauseMs }) => ({
      id: engineId(job.id),
      priority: urgency,
      group: { id: job.tenant },
      heartbeatSeconds: Math.max(leaseSeconds, ENGINE_LEAST_SECONDS),
      data: { id: job.id },
      ...(pauseMs > 0 ? { startAfter: `${pauseMs} ms` } : {}),
    }));
  if (inserts.length === 0) return false;
  await boss.insert(QUEUE, inserts, { ...within(tx), returnId: false });
  if (inserts.length > 1 || leaseSeconds < ENGINE_LEAST_SECONDS)
    await orderJobs(
      inserts.map(({ id }) => id),
      leaseSeconds,
      tx,
    );
  return true;
}

/** The job of a row, with its current priority. */
export function jobOf(row: JobRow, urgency: number): Job {
  const { id, tenant, export_id: exportId, kind, presets, first_chunk: first, chunk_count: count } = row;
  const chunks = first === null || count === null ? null : { first, count };
  return { id, tenant, exportId, kind, presets, chunks, priority: urgency };
}

/** Gives each output of a released job a job of its own; the first output keeps the job and its place. */
export async function divideJob(
  boss: PgBoss,
  { job }: Attempt,
  { pauseMs, leaseSeconds }: { readonly pauseMs: number; readonly leaseSeconds: number },
  tx: Transaction,
): Promise<void> {
  const [row] = await tx.query<
    JobRow & { added_at_ms: number; raised_until_ms: number | null; urgency: number; deaths: number }
  >(
    `select ${JOB_COLUMNS}, k.added_at_ms, k.raised_until_ms, ${ENGINE_COLUMNS.urgency}, ${ENGINE_COLUMNS.deaths}
     from jobs k ${WITH_ENGINE_JOB} where k.id = $1`,
    [job.id],
  );
  const { added_at_ms: addedAtMs, raised_until_ms: raisedUntilMs, urgency, presets, failed, deaths } = row!;
  const others = presets.slice(1).map((preset) => {
    const own = { ...jobOf(row!, row!.priority), id: `${job.id}/${preset}`, presets: [preset] };
    return { job: own, urgency, addedAtMs, raisedUntilMs, failed, deaths, pauseMs };
  });
  await addJobs(boss, others, leaseSeconds, tx);
  await tx.query('update jobs set presets = jsonb_build_array(presets ->> 0) where id = $1', [job.id]);
}

/**
 * Takes an output out of the waiting jobs that it shares with others. It keeps their places. The rest of them is
 * enqueued again with `rest.priority` at most, or with `rest.patience.priority` if it has waited long.
 */
export async function setOutputApart(
  boss: PgBoss,
  { exportId, preset }: { readonly exportId: string; readonly preset: string },
  rest: {
    readonly priority: number;
    readonly patience: Patience;
    readonly leaseSeconds: number;
  },
  tx: Transaction,
): Promise<void> {
  const shared = await tx.query<JobRow & { added_at_ms: number; deaths: number; pause_ms: number }>(
    `select ${JOB_COLUMNS}, k.added_at_ms, ${ENGINE_COLUMNS.deaths}, ${NOW_MS} - k.added_at_ms as waited_ms, ${ENGINE_COLUMNS.pauseMs}
     from jobs k ${WITH_ENGINE_JOB}
     where k.export_id = $1 and ${ENGINE_JOB.waits} and jsonb_array_length(k.presets) > 1 and k.presets ? $2
     ${ENGINE_JOB.inOrder} for update`,
    [exportId, preset],
  );
  if (shared.length === 0) return;
  const others = shared.map((row) => {
    const presets = row.presets.filter((other) => other !== preset);
    const priority = Math.min(row.priority, rest.priority);
    const urgency = row.waited_ms >= rest.patience.ms ? Math.max(priority, rest.patience.priority) : priority;
    const { failed, deaths, pause_ms: pauseMs, added_at_ms: addedAtMs } = row;
    const job = { ...jobOf(row, priority), id: `${row.id}/rest`, presets };
    return { job, urgency, addedAtMs, raisedUntilMs: null, failed, deaths, pauseMs };
  });
  await addJobs(boss, others, rest.leaseSeconds, tx);
  await tx.query(
    `update jobs set presets = jsonb_build_array($2::text)
     where id in (select jsonb_array_elements_text($1))`,
    [JSON.stringify(shared.map(({ id }) => id)), preset],
  );
}
