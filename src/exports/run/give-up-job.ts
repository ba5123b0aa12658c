import type { Transaction } from '../../store/database.ts';
import type { RecordedError } from '../../store/export-record.ts';
import { isTerminal } from '../../store/export-state.ts';
import type { Job } from '../../store/job-queue.ts';
import type { ExportsContext } from '../exports-context.ts';
import { finishExport } from './end-export.ts';
import { unpinParts } from './part-pins.ts';

/**
 * What follows when a job has failed for good: its output is lost, and with the output that was asked for the whole
 * export. (C34) The parts that are rendered already stay pinned: `letGo` once the transaction is through.
 */
export async function giveUpJob(
  { exportId, preset }: Job,
  error: RecordedError,
  context: ExportsContext,
  tx: Transaction,
): Promise<void> {
  const { records, outputs, jobs } = context;
  const record = await records.find(exportId, tx);
  if (record === null) return;
  if (!isTerminal(record.state) && (preset === null || preset === record.selectedPreset)) {
    await finishExport(exportId, { error }, context, tx);
    await jobs.cancel(exportId, tx);
    return;
  }
  const output = record.outputs.find((candidate) => candidate.preset === preset);
  const underWay = output?.state === 'queued' || output?.state === 'rendering';
  if (underWay && preset !== null) await outputs.fail(exportId, preset, error, tx);
}

/** Lets the cache drop what outputs that have failed had pinned. */
export async function letGo(exportIds: Iterable<string>, context: ExportsContext): Promise<void> {
  for (const id of new Set(exportIds)) {
    const record = await context.records.find(id, context.database);
    for (const { preset, state } of record?.outputs ?? []) {
      if (state === 'failed') await unpinParts(id, preset, context);
    }
  }
}
