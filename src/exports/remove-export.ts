import { ExportError } from '../errors.ts';
import type { ExportRecord } from '../store/export-record.ts';
import { isTerminal } from '../store/export-state.ts';
import { finishExport } from './end-export.ts';
import { outputKey, planKey, posterKey, uploadKey } from './export-keys.ts';
import type { ExportsContext } from './exports-context.ts';
import { unpinParts } from './part-pins.ts';

/** Cancels what runs and removes every file. False where the tenant has no such export. (C29) */
export async function removeExport(tenant: string, id: string, context: ExportsContext): Promise<boolean> {
  const { database, records, jobs, running, changes } = context;
  const record = await records.findOfTenant(tenant, id, database);
  if (record === null || record.state === 'expired' || record.state === 'cancelled') return false;
  await database.transaction(async (tx) => {
    await jobs.cancel(id, tx);
    // Whoever asked to be told of the end still is: the record stays, unseen, until it has been.
    if (record.callbackUrl !== null && !isTerminal(record.state)) await finishExport(id, 'cancelled', context, tx);
  });
  running.stop(id, new ExportError('cancelled', 'render.cancelled', 'The export was deleted.'));
  if (record.callbackUrl === null || isTerminal(record.state)) await forgetExport(record, context);
  else await removeFiles(record, context);
  changes.notify(id);
  return true;
}

/** Removes an export's record and every file that is its own. */
export async function forgetExport(record: ExportRecord, context: ExportsContext): Promise<void> {
  const { database, records, jobs } = context;
  // Files first: a crash in between leaves a record whose files the next sweep finds gone, never files without a record.
  await removeFiles(record, context);
  await database.transaction(async (tx) => {
    await jobs.cancel(record.id, tx);
    await records.delete(record.id, tx);
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
