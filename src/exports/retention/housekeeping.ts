import type { ExportRecord, RecordedError } from '../../store/export-record.ts';
import { uploadKey } from '../export-keys.ts';
import type { ExportsContext } from '../exports-context.ts';
import type { PlanStore } from '../plan-store.ts';
import { giveUpJob, letGo } from '../run/give-up-job.ts';
import { pinParts } from '../run/part-pins.ts';
import { forgetExport } from './remove-export.ts';

/** A file younger than this may belong to a request that is still being taken in. */
const ORPHAN_AGE_MS = 3_600_000;

/** After a start: work that a dead process held goes back into the queue. (C35) */
export async function recover(context: ExportsContext): Promise<void> {
  const { database, records, outputs } = context;
  await sweepJobs(context);
  const interrupted = await records.listByState('rendering', database);
  for (const id of interrupted) {
    await database.transaction(async (tx) => {
      const record = await records.find(id, tx);
      if (record?.state !== 'rendering') return;
      await records.setState(id, 'queued', tx);
      for (const { preset } of record.outputs) await outputs.setState(id, preset, 'queued', tx);
    });
  }
  context.log('info', 'recovered', { interrupted: interrupted.length });
}

/** After a start: what unfinished outputs have rendered so far stays in the cache until they are put together. */
export async function pinUnfinished(context: ExportsContext, plans: PlanStore): Promise<void> {
  for (const { exportId, preset } of await context.outputs.listUnderWay(context.database)) {
    pinParts(exportId, await plans.read(exportId, preset), context);
  }
}

const DIED_TOO_OFTEN: RecordedError = {
  kind: 'internal',
  code: 'render.crashed',
  message: 'The export could not be rendered: its render ended unexpectedly, again and again.',
  issues: [],
};

/** Leases that ran out: their jobs are tried again, or given up where that has happened too often. (C35) */
export async function sweepJobs(context: ExportsContext): Promise<void> {
  const { database, jobs, changes } = context;
  const failed = await database.transaction(async (tx) => {
    const given = await jobs.sweep(tx);
    for (const job of given) await giveUpJob(job, DIED_TOO_OFTEN, context, tx);
    return given;
  });
  for (const { exportId } of failed) changes.notify(exportId);
  await letGo(
    failed.map(({ exportId }) => exportId),
    context,
  );
}

/** Removes what has outlived its retention. (C35) */
export async function expire(context: ExportsContext): Promise<void> {
  const { database, records, now, log } = context;
  for (const id of await records.listExpired(now(), database)) {
    const record = await records.find(id, database);
    if (record === null) continue;
    await forgetExport(record, context);
    log('info', 'an export expired', { exportId: id });
  }
}

/** Removes files that no record mentions: what a crash between a file and its record leaves behind. */
export async function sweepOrphans(context: ExportsContext, minAgeMs = ORPHAN_AGE_MS): Promise<number> {
  const { database, records, blobs, pins, now } = context;
  let removed = await pins.exclusively(async () => {
    const inUse = await records.uploadsInUse(database);
    let gone = 0;
    for await (const { key, modifiedAtMs } of blobs.list('uploads/')) {
      const hash = key.slice('uploads/'.length);
      if (inUse.has(hash) || pins.has(hash) || now() - modifiedAtMs < minAgeMs) continue;
      await blobs.delete(uploadKey(hash));
      gone += 1;
    }
    return gone;
  });
  const known = new Map<string, ExportRecord | null>();
  for (const prefix of ['exports/', 'plans/']) {
    for await (const { key, modifiedAtMs } of blobs.list(prefix)) {
      const id = key.slice(prefix.length).split('/')[0]!;
      if (!known.has(id)) known.set(id, await records.find(id, database));
      if (known.get(id) !== null || now() - modifiedAtMs < minAgeMs) continue;
      await blobs.delete(key);
      removed += 1;
    }
  }
  return removed;
}
