import { effect, signal } from '@preact/signals';
import { type Batch, type BatchRow, TiercutError } from '../../../../packages/client/src/client.ts';
import { filesToSend, rowsToSend, templateToSend } from '../../document/table-request.ts';
import { newProjectId, projectId } from '../../keeping/autosave.ts';
import type { KeptBatch } from '../../keeping/kept-project.ts';
import { readProject, saveBeside } from '../../keeping/project-store.ts';
import { studioConfig } from '../../kit/assets.ts';
import { mediaFile } from '../../media/media-store.ts';
import { service, uploadMedia } from '../../session/service.ts';
import { allCame, decided } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { readyRows, table } from './open-rows.ts';
import { formatsToMake } from './table-formats.ts';

/** The state of the batch of the open table. */
type BatchStep =
  | { readonly step: 'none' }
  | { readonly step: 'sending'; readonly bytes: number; readonly of: number }
  | { readonly step: 'made'; readonly kept: KeptBatch; readonly batch: Batch; readonly rows: readonly BatchRow[] }
  | { readonly step: 'failed'; readonly message: string };

export const batchStep = signal<BatchStep>({ step: 'none' });
/** The progress of rows that are rendered now, by export. */
export const shares = signal<ReadonlyMap<string, number>>(new Map());
/** Whether the batch takes the place of the grid. */
export const batchShown = signal(false);

let leaving = new AbortController();

const PAUSE_MS = 1000;

/** Uploads the files that the service lacks, sends the template and its rows, and follows the batch. */
export async function startBatch(): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  batchStep.value = { step: 'sending', bytes: 0, of: 0 };
  batchShown.value = true;
  try {
    await allCame(signal);
    const [project, rows, formats, id] = [decided.value, readyRows.value, formatsToMake(), projectId.value];
    const numbers = new Map(table.value.rows.map((row, index) => [row.id, index + 1]));
    await sendFiles(filesToSend(project, rows), signal);
    const template = templateToSend(project, formats, studioConfig.presets);
    const copy = newProjectId();
    await service.projects.save(copy, JSON.stringify(template), { signal });
    const sent = rowsToSend(template, rows, (row) => row.video || texts.unnamed(numbers.get(row.id)!));
    const batch = await service.batches
      .create({ project: copy, rows: sent, presets: formats }, { signal })
      .catch(async (error: unknown) => {
        await service.projects.delete(copy).catch(() => null);
        throw error;
      });
    const kept = { id: batch.batch_id, template: copy, rows: rows.map((row) => row.id), formats };
    await saveBeside(id, { batch: kept });
    batchStep.value = { step: 'made', kept, batch, rows: [] };
    await follow(kept, signal);
  } catch (error) {
    if (signal.aborted) return;
    batchStep.value = { step: 'failed', message: messageOf(error) };
  }
}

class MissingFile extends Error {}

function messageOf(error: unknown): string {
  if (error instanceof TiercutError) return error.errors[0]?.message ?? error.message;
  return error instanceof MissingFile ? error.message : texts.pageFault;
}

async function sendFiles(files: ReturnType<typeof filesToSend>, signal: AbortSignal): Promise<void> {
  const of = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const known = await service.known(
    files.map(({ hash }) => hash),
    { signal },
  );
  let before = 0;
  for (const { hash, name, bytes } of files) {
    const file = await mediaFile(hash);
    if (file === null && !known.get(hash)?.stored) throw new MissingFile(texts.fileMissing(name));
    if (file !== null) {
      const start = before;
      const onProgress = (sent: number) => {
        batchStep.value = { step: 'sending', bytes: start + sent, of };
      };
      await uploadMedia(hash, file, { signal, known, onProgress });
    }
    before += bytes;
  }
}

/** Shows the batch until its last row has ended. */
async function follow(kept: KeptBatch, signal: AbortSignal): Promise<void> {
  let before = '';
  for (;;) {
    const batch = await service.batches.get(kept.id, { signal });
    const counts = JSON.stringify(batch.counts);
    let rows = batchStep.value.step === 'made' ? batchStep.value.rows : [];
    if (counts !== before) {
      rows = [];
      for await (const row of service.batches.rows(kept.id, { signal })) rows = [...rows, row];
    }
    before = counts;
    batchStep.value = { step: 'made', kept, batch, rows };
    if (batch.state !== 'running') {
      shares.value = new Map();
      // Its rows have exports of their own.
      await service.projects.delete(kept.template, { signal }).catch(() => null);
      return;
    }
    await showShares(rows, signal);
    await pause(signal);
  }
}

/** Only a few rows are rendered at a time. (C85) */
async function showShares(rows: readonly BatchRow[], signal: AbortSignal): Promise<void> {
  const now = rows.filter(({ state, export_id }) => state === 'rendering' && export_id !== null).slice(0, 8);
  const views = await Promise.all(now.map((row) => service.status(row.export_id!, { signal }).catch(() => null)));
  const found = views.flatMap((view) => (view === null ? [] : [[view.export_id, view.progress] as const]));
  shares.value = new Map(found);
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Cancels what has not ended, or stops sending. */
export async function cancelBatch(): Promise<void> {
  const now = batchStep.value;
  if (now.step === 'made') {
    await service.batches.cancel(now.kept.id).catch(() => null);
    return;
  }
  leaving.abort();
  batchStep.value = { step: 'none' };
  batchShown.value = false;
}

/** Makes failed and cancelled rows again. */
export async function retryRows(): Promise<void> {
  const now = batchStep.value;
  if (now.step !== 'made') return;
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  try {
    const batch = await service.batches.retry(now.kept.id, { signal });
    batchStep.value = { ...now, batch };
    await follow(now.kept, signal);
  } catch (error) {
    if (!signal.aborted) batchStep.value = { step: 'failed', message: messageOf(error) };
  }
}

/** Shows the batch of every project that is opened, as long as the service has it. @returns a function that ends it */
export function pickUpBatches(): () => void {
  let of: string | null = null;
  return effect(() => {
    const id = projectId.value;
    if (id === of) return;
    of = id;
    leaving.abort();
    leaving = new AbortController();
    batchStep.value = { step: 'none' };
    batchShown.value = false;
    if (id !== '') void pickUp(id, leaving.signal);
  });
}

async function pickUp(id: string, signal: AbortSignal): Promise<void> {
  const kept = (await readProject(id))?.batch ?? null;
  if (kept === null || signal.aborted) return;
  try {
    await follow(kept, signal);
  } catch (error) {
    if (error instanceof TiercutError && error.status === 404) await saveBeside(id, { batch: null });
  }
}
