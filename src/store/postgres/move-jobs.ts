import type pg from 'pg';
import type { JobInsert } from 'pg-boss';
import { type Job, type JobKind, singleJob, webhookJob } from '../job-queue.ts';
import { bossEngine, migrateBoss, QUEUES, queueOf, tenantQueue } from './boss-engine.ts';
import { newJob } from './boss-job.ts';
import type { JobEngine } from './postgres-migration.ts';
import { openPool } from './postgres-pool.ts';

/** The only queue of schema 19, for jobs of render workers. */
const OLD_QUEUE = 'render';
const LEASE_SECONDS = 30;
const PATIENCE_MS = 600_000;

/** A job in the table of schema 19. The engine knows its state. */
interface OldJob {
  readonly id: string;
  readonly engine_id: string;
  readonly tenant: string;
  readonly export_id: string;
  readonly kind: JobKind;
  readonly presets: readonly string[];
  readonly first_chunk: number | null;
  readonly chunk_count: number | null;
  readonly priority: number;
  readonly added_at_ms: number;
  readonly released: number;
  readonly failed: number;
}

/** Work that had a claim, or a time, in the table of its records. */
interface OldWork {
  readonly id: string;
  readonly tenant: string;
  readonly preset: string | null;
  readonly needs: string | null;
  readonly callback_url: string | null;
  readonly failed: number;
  readonly due_at_ms: number | null;
  readonly created_at_ms: number;
}

const OLD_WORK = {
  fetch: `select export_id as id, f.tenant, 0 as failed, e.created_at_ms from fetches f join exports e on e.id = export_id`,
  captions: `select id, tenant, model as needs, 0 as failed, created_at_ms from captions where state = 'queued'`,
  destination: `select export_id as id, d.tenant, d.preset, d.attempts - case when d.state = 'sending' then 1 else 0 end as failed,
      case when d.holder is null then d.held_until_ms end as due_at_ms, e.created_at_ms
    from destinations d join exports e on e.id = d.export_id
    where d.state in ('waiting', 'sending') and d.held_until_ms is not null`,
  webhook: `select id, tenant, callback_url, webhook_attempts as failed, webhook_due_at_ms as due_at_ms, created_at_ms
    from exports where webhook_state = 'pending' and callback_url is not null`,
} as const;

/**
 * Moves everything that waits to the queues of tenants: jobs of the only queue, claims, and the times of webhooks. Nodes
 * of the old release have ended, so what they held waits too.
 *
 * @param client in the transaction of the migration
 */
async function moveJobs(url: string, client: pg.ClientBase): Promise<void> {
  const pool = openPool(url, { connections: 2 });
  const boss = bossEngine(pool, { migrate: false });
  try {
    await boss.start();
    const within = { db: { executeSql: (sql: string, values?: unknown[]) => client.query(sql, values) } };
    const found = (await boss.getQueue(OLD_QUEUE)) === null ? [] : await boss.findJobs(OLD_QUEUE, within);
    const ids = found.map(({ id }) => id);
    const engine = new Map(found.map((job) => [job.id, job]));
    const placeOf = async () => Number((await client.query(`select nextval('job_places') as place`)).rows[0].place);
    const moved = new Map<string, JobInsert[]>();
    const move = (job: Job, insert: JobInsert) => {
      const name = queueOf(job);
      moved.set(name, [...(moved.get(name) ?? []), insert]);
    };
    const { rows: old } = await client.query<OldJob>('select * from jobs order by added_at_ms, first_chunk, id');
    const patient = new Map<string, number>();
    for (const row of old) {
      const known = engine.get(row.engine_id);
      if (known === undefined || !['created', 'retry', 'active'].includes(known.state)) continue;
      const { id, tenant, export_id: exportId, kind, presets, first_chunk: first, chunk_count: count, priority } = row;
      const chunks = first === null || count === null ? null : { first, count };
      const job: Job = { id, tenant, exportId, kind, presets, chunks, priority };
      const started = known.retryCount + (known.startedOn === null ? 0 : 1);
      const [failed, addedAtMs] = [row.failed, Number(row.added_at_ms)];
      const past = { failed, deaths: Math.max(0, started - row.released - failed), addedAtMs };
      const startAfter = known.state === 'active' ? {} : { startAfter: known.startAfter };
      move(job, newJob(job, await placeOf(), { ...past, ...startAfter }));
      patient.set(exportId, addedAtMs);
    }
    for (const [kind, sql] of Object.entries(OLD_WORK) as [keyof typeof OLD_WORK, string][]) {
      const { rows } = await client.query<
        Partial<OldWork> & Pick<OldWork, 'id' | 'tenant' | 'failed' | 'created_at_ms'>
      >(sql);
      for (const row of rows) {
        const { id, tenant, preset, needs, callback_url, failed, due_at_ms: dueAtMs, created_at_ms } = row;
        const job =
          kind === 'webhook'
            ? webhookJob({ id, callbackUrl: callback_url! })
            : singleJob(kind, { id, tenant }, { ...(preset != null && { preset }), ...(needs != null && { needs }) });
        const startAfter = dueAtMs == null ? {} : { startAfter: new Date(Number(dueAtMs)) };
        move(job, newJob(job, await placeOf(), { failed, addedAtMs: Number(created_at_ms), ...startAfter }));
      }
    }
    for (const [name, inserts] of moved) {
      await boss.createQueue(name, tenantQueue(LEASE_SECONDS));
      await boss.insert(name, inserts, within);
    }
    for (const [exportId, addedAtMs] of patient)
      await boss.send(QUEUES.patience, { exportId }, { startAfter: new Date(addedAtMs + PATIENCE_MS), ...within });
    if (ids.length > 0) await boss.deleteJob(OLD_QUEUE, ids, within);
  } finally {
    // After a lost connection too, as in `migrateBoss`.
    await boss.stop({ graceful: false }).catch(() => {});
    await pool.end();
  }
}

/** pg-boss, as the migration knows it. */
export const JOB_ENGINE: JobEngine = { create: migrateBoss, moves: { 21: moveJobs } };
