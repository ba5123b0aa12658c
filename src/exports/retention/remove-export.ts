import { ExportError } from '../../errors.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import { isTerminal } from '../../store/export-state.ts';
import { outputKey, planKey, posterKey, uploadKey } from '../export-keys.ts';
import type { ExportsContext } from '../exports-context.ts';
import { finishExport } from '../run/end-export.ts';
import { unpinParts } from '../run/part-pins.ts';

/** Cancels what runs and removes every file. False where the tenant has no such export. (C29) */
export async function removeExport(tenant: string, id: string, context: ExportsContext): Promise<boolean> {
  const { database, records } = context;
  const record = await records.findOfTenant(tenant, id, database);
  if (record === null || record.state === 'expired' || record.state === 'cancelled') return false;
  await forgetExport(record, context);
  return true;
}

/**
 * Removes an export: first, in one step, it is gone for everybody; then its files go, and its record last. A crash on the
 * way leaves a record that says so, and `finishRemovals` goes on from there.
 */
export async function forgetExport(record: ExportRecord, context: ExportsContext): Promise<void> {
  const { id } = record;
  await withdraw(id, context);
  context.running.stop(id, new ExportError('cancelled', 'render.cancelled', 'The export was deleted.'));
  await clear(record, context);
  context.changes.notify(id);
}

/** After a start: removals that a dead process has begun are brought to their end. */
export async function finishRemovals(context: ExportsContext): Promise<void> {
  const { records, database } = context;
  for (const state of ['expired', 'cancelled'] as const) {
    for (const id of await records.listByState(state, database)) {
      const record = await records.find(id, database);
      if (record !== null) await clear(record, context);
    }
  }
}

async function withdraw(id: string, context: ExportsContext): Promise<void> {
  const { database, records, jobs } = context;
  await database.transaction(async (tx) => {
    const record = await records.find(id, tx);
    if (record === null || record.state === 'expired') return;
    await jobs.cancel(id, tx);
    const wasUnderWay = !isTerminal(record.state);
    if (wasUnderWay) await finishExport(id, 'cancelled', context, tx);
    // Whoever asked to be told of the end still is: the record stays, unseen, until its time is up.
    if (!wasUnderWay || record.callbackUrl === null) await records.setState(id, 'expired', tx);
  });
}

/** Removes the files, and the record unless someone is still to be told. */
async function clear(record: ExportRecord, context: ExportsContext): Promise<void> {
  const { database, records } = context;
  await removeFiles(record, context);
  await database.transaction(async (tx) => {
    const now = await records.find(record.id, tx);
    if (now?.state === 'expired') await records.delete(record.id, tx);
  });
}

async function removeFiles(record: ExportRecord, context: ExportsContext): Promise<void> {
  const { id, outputs } = record;
  const { database, records, blobs, pins, progress } = context;
  for (const { preset } of outputs) {
    await blobs.delete(outputKey(id, preset));
    await blobs.delete(planKey(id, preset));
    await unpinParts(id, preset, context);
  }
  await blobs.delete(posterKey(id));
  await pins.exclusively(async () => {
    for (const hash of await records.uploadsOnlyOf(id, database)) {
      if (!pins.has(hash)) await blobs.delete(uploadKey(hash));
    }
  });
  progress.forget(
    id,
    outputs.map(({ preset }) => preset),
  );
}
