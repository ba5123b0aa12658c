import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { computed, effect, signal } from '@preact/signals';
import { type Batch, type BatchRow, TiercutError } from '../../../../packages/client/src/client.ts';
import { videoNames } from '../../document/episode-table.ts';
import type { EpisodeRow } from '../../document/project.ts';
import { filesToSend, rowsToSend, templateToSend } from '../../document/table-request.ts';
import { newProjectId, projectId } from '../../keeping/autosave.ts';
import type { BatchToSend, KeptBatch } from '../../keeping/kept-project.ts';
import { readProject, saveBeside } from '../../keeping/project-store.ts';
import { studioConfig } from '../../kit/assets.ts';
import { say } from '../../kit/messages.ts';
import { mediaFile } from '../../media/media-store.ts';
import { service, uploadMedia } from '../../session/service.ts';
import { allCame, decided, readOnly } from '../../session/session.ts';
import * as texts from '../../texts/en/table.ts';
import { chosenRows, readyRows, table } from './open-rows.ts';
import { RowPages } from './row-pages.ts';
import { lookForFiles } from './table-files.ts';
import { formatsToMake } from './table-formats.ts';

/** The state of the batch of the open table. */
type BatchStep =
  | { readonly step: 'none' }
  | { readonly step: 'sending'; readonly bytes: number; readonly of: number }
  | { readonly step: 'made'; readonly kept: KeptBatch; readonly batch: Batch; readonly lines: readonly BatchLine[] }
  | { readonly step: 'failed'; readonly message: string };

/** A video of the last batch, or of one before it. */
export interface BatchLine {
  readonly row: BatchRow;
  /** The id of its row in the table. */
  readonly id: number;
  readonly formats: readonly string[];
  /** Whether it is of the last batch. */
  readonly isLast: boolean;
}

export const batchStep = signal<BatchStep>({ step: 'none' });
/** The progress of rows that are rendered now, by export. */
export const shares = signal<ReadonlyMap<string, number>>(new Map());
/** Whether the batch takes the place of the grid. */
export const batchShown = signal(false);

/**
 * Which rows are exported: all that are right, those that are not in the last batch as they are now, the selected ones, or the one with
 * this id.
 */
type WhichRows = 'all' | 'changed' | 'chosen' | number;
export const whichRows = signal<WhichRows>('all');

let leaving = new AbortController();
/** The batch that is sent or followed. */
const kept = signal<KeptBatch | null>(null);
/** Aborted when the user cancels; `leaving` also when another project is opened. */
let cancelling = new AbortController();

const PAUSE_MS = 1000;

/** What all videos of the table depend on. */
const templateDigest = computed(() =>
  digestOf(JSON.stringify([templateToSend(decided.value, formatsToMake(), studioConfig.presets), formatsToMake()])),
);

const digests = new WeakMap<EpisodeRow, string>();

/** Equal for rows with equal cells. */
function digestOfRow(row: EpisodeRow): string {
  const known = digests.get(row);
  if (known !== undefined) return known;
  const values = Object.entries(row.values).sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = digestOf(JSON.stringify([row.video, values]));
  digests.set(row, digest);
  return digest;
}

/** A short digest of a text. */
function digestOf(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, 24);
}

function digestFor(row: EpisodeRow): string {
  return `${templateDigest.value}${digestOfRow(row)}`;
}

/** Rows whose video is not made, or was made of other values. */
const changedRows = computed(() => {
  const now = batchStep.value;
  if (now.step !== 'made') return readyRows.value;
  const failed = new Set(now.lines.filter(({ row }) => isUnmade(row)).map(({ id }) => id));
  const sent = new Map<number, string>();
  for (const { rows, digests } of [...(now.kept.earlier ?? []), now.kept]) {
    for (const [index, id] of rows.entries()) sent.set(id, digests?.[index] ?? '');
  }
  return readyRows.value.filter((row) => failed.has(row.id) || sent.get(row.id) !== digestFor(row));
});

function isUnmade({ state }: BatchRow): boolean {
  return state === 'failed' || state === 'cancelled' || state === 'invalid';
}

/** The rows that the button exports. */
export const rowsToExport = computed<readonly EpisodeRow[]>(() => {
  if (whichRows.value === 'changed') return changedRows.value;
  if (whichRows.value === 'all') return readyRows.value;
  if (typeof whichRows.value === 'number') return readyRows.value.filter(({ id }) => id === whichRows.value);
  const chosen = new Set(chosenRows.value);
  return readyRows.value.filter((row) => chosen.has(row));
});

/** Uploads the files that the service lacks, sends the template and its rows, and follows the batch. */
export async function startBatch(): Promise<void> {
  const last = kept.value;
  const signal = begin();
  const cancelled = cancelling.signal;
  const id = projectId.value;
  batchStep.value = { step: 'sending', bytes: 0, of: 0 };
  batchShown.value = true;
  try {
    await allCame(signal);
    // Rows with a file that is nowhere are wrong from here on, and the others are exported.
    await lookForFiles(rowsToExport.value, signal);
    const [project, rows, formats] = [decided.value, rowsToExport.value, formatsToMake()];
    if (rows.length === 0) throw new Refused(texts.noneLeft);
    const document = templateToSend(project, formats, studioConfig.presets);
    const next: KeptBatch = {
      ...{ id: null, template: newProjectId(), formats },
      rows: rows.map((row) => row.id),
      digests: rows.map(digestFor),
      request: {
        key: newProjectId(),
        document: JSON.stringify(document),
        rows: rowsToSend(document, rows, videoNames(table.value)),
        files: filesToSend(project, rows),
      },
      earlier: whichRows.value === 'all' ? [] : earlierOf(last),
      before: last !== null && last.id === null ? (last.before ?? null) : last,
    };
    if (last !== null && last.id === null) await takeBack(last);
    kept.value = next;
    await saveBeside(id, { batch: next });
    await sendAndFollow(id, next, signal, cancelled);
  } catch (error) {
    if (!signal.aborted) batchStep.value = { step: 'failed', message: messageOf(error) };
    if (cancelled.aborted) showLast(id);
  }
}

/** Sends what could not be sent again, exactly as it was, so that no video is made twice. */
export async function sendAgain(): Promise<void> {
  const last = kept.value;
  if (last?.request === undefined) return startBatch();
  const signal = begin();
  await resume(projectId.value, last, signal, cancelling.signal);
}

function begin(): AbortSignal {
  leaving.abort();
  leaving = new AbortController();
  cancelling = new AbortController();
  return AbortSignal.any([leaving.signal, cancelling.signal]);
}

/** The batches whose videos stay in the list beside those of a new one. */
function earlierOf(last: KeptBatch | null): readonly KeptBatch[] {
  if (last === null) return [];
  if (last.id === null) return earlierOf(last.before ?? null);
  const { earlier = [], ...own } = last;
  const sent = new Set(own.rows);
  return [...earlier.filter(({ rows }) => rows.some((id) => !sent.has(id))), own].slice(-MAX_EARLIER);
}

/** Each costs a few requests when the table is opened. */
const MAX_EARLIER = 50;

async function resume(id: string, last: KeptBatch, signal: AbortSignal, cancelled: AbortSignal): Promise<void> {
  batchStep.value = { step: 'sending', bytes: 0, of: 0 };
  try {
    await sendAndFollow(id, last, signal, cancelled);
  } catch (error) {
    if (!signal.aborted) batchStep.value = { step: 'failed', message: messageOf(error) };
    if (cancelled.aborted) showLast(id);
  }
}

/** Shows the batch before one that was cancelled, unless something else was begun. */
function showLast(id: string): void {
  if (projectId.value === id && batchStep.value.step === 'none') void pickUp(id);
}

/** @param signal aborted if the project is left, too. @param cancelled aborted if the batch is not wanted any more. */
async function sendAndFollow(id: string, batch: KeptBatch, signal: AbortSignal, cancelled: AbortSignal): Promise<void> {
  const made = await send(batch, batch.request!, signal, cancelled).catch(async (error: unknown) => {
    // A request that was refused would be refused again; one without a response may have made the batch.
    const isRefused = error instanceof Refused || (error instanceof TiercutError && error.status >= 400);
    if (cancelled.aborted || (isRefused && !signal.aborted)) await dropUnsent(id, batch);
    throw error;
  });
  if (made === null) {
    await dropUnsent(id, batch);
    cancelled.throwIfAborted();
    return;
  }
  const { request: _request, before: _before, ...sent } = { ...batch, id: made.batch_id };
  await saveBeside(id, { batch: sent });
  signal.throwIfAborted();
  kept.value = sent;
  whichRows.value = 'all';
  batchStep.value = { step: 'made', kept: sent, batch: made, lines: [] };
  await follow(sent, signal);
}

/** @returns null if it was cancelled meanwhile. */
async function send(
  { template, formats }: KeptBatch,
  { key, document, rows, files }: BatchToSend,
  signal: AbortSignal,
  cancelled: AbortSignal,
): Promise<Batch | null> {
  await sendFiles(files, signal);
  await service.projects.save(template, document, { signal }).catch((error: unknown) => {
    // It was saved before, and has not changed since.
    if (!(error instanceof TiercutError) || (error.status !== 428 && error.status !== 412)) throw error;
  });
  signal.throwIfAborted();
  // From here on the service may have the batch: a request that is broken off would leave it unknown.
  const batch = await service.batches.create({ project: template, rows, presets: formats }, { idempotencyKey: key });
  if (!cancelled.aborted) return batch;
  await service.batches.cancel(batch.batch_id).catch(() => null);
  return null;
}

/** Forgets a batch that is not made. The videos of those before it stay. */
async function dropUnsent(id: string, batch: KeptBatch): Promise<void> {
  const { template, before } = batch;
  // Not if the next one is kept already.
  if (kept.value === batch) {
    kept.value = before ?? null;
    await saveBeside(id, { batch: kept.value });
  }
  await service.projects.delete(template).catch(() => null);
}

/** Cancels a batch of which it is not known whether the service has it. */
async function takeBack({ template }: KeptBatch): Promise<void> {
  const { batches } = await service.batches.list({ project: template }).catch(() => ({ batches: [] }));
  for (const { batch_id } of batches) await service.batches.cancel(batch_id).catch(() => null);
  await service.projects.delete(template).catch(() => null);
}

/** A batch that cannot be made as the table is now; the message says why. */
class Refused extends Error {}

function messageOf(error: unknown): string {
  if (error instanceof TiercutError) return error.errors[0]?.message ?? error.message;
  return error instanceof Refused ? error.message : texts.pageFault;
}

async function sendFiles(files: BatchToSend['files'], signal: AbortSignal): Promise<void> {
  const of = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const hashes = files.map(({ hash }) => hash);
  const known = await service.known(hashes, { signal });
  let before = 0;
  for (const { hash, name, bytes } of files) {
    const file = await mediaFile(hash);
    if (file === null && !known.get(hash)?.stored) throw new Refused(texts.fileMissing(name));
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
async function follow(batch: KeptBatch, signal: AbortSignal): Promise<void> {
  const pages = new RowPages(service.batches, batch.id!);
  const earlier = await earlierLines(batch, signal);
  let before = '';
  let own: readonly BatchLine[] = [];
  for (;;) {
    const view = await service.batches.get(batch.id!, { signal });
    const counts = JSON.stringify(view.counts);
    if (counts !== before) {
      const rows = await pages.look(signal);
      own = rows.map((row) => ({ row, id: batch.rows[row.row]!, formats: batch.formats, isLast: true }));
    }
    before = counts;
    batchStep.value = { step: 'made', kept: batch, batch: view, lines: [...own, ...earlier] };
    if (view.state !== 'running') {
      shares.value = new Map();
      // Its rows have exports of their own.
      await service.projects.delete(batch.template, { signal }).catch(() => null);
      return;
    }
    await showShares(own, signal);
    await pause(signal);
  }
}

/** The videos of earlier batches whose rows are not in a later one. */
async function earlierLines({ earlier = [], rows }: KeptBatch, signal: AbortSignal): Promise<readonly BatchLine[]> {
  const later = new Set(rows);
  const lines: BatchLine[] = [];
  for (const batch of earlier.toReversed()) {
    if (batch.id === null) continue;
    const found = await new RowPages(service.batches, batch.id).look(signal).catch((error: unknown) => {
      // The service has forgotten it.
      if (error instanceof TiercutError && error.status === 404) return [];
      throw error;
    });
    for (const row of found) {
      const id = batch.rows[row.row]!;
      if (!later.has(id)) lines.push({ row, id, formats: batch.formats, isLast: false });
    }
    for (const id of batch.rows) later.add(id);
  }
  return lines;
}

/** Only a few rows are rendered at a time. (C85) */
async function showShares(lines: readonly BatchLine[], signal: AbortSignal): Promise<void> {
  const now = lines.filter(({ row }) => row.state === 'rendering' && row.export_id !== null).slice(0, 8);
  const views = await Promise.all(now.map(({ row }) => service.status(row.export_id!, { signal }).catch(() => null)));
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
    await service.batches.cancel(now.kept.id!).catch(() => null);
    return;
  }
  batchStep.value = { step: 'none' };
  batchShown.value = false;
  cancelling.abort();
}

/** Cancels the video of a line that has begun. */
export async function cancelLine({ row }: BatchLine): Promise<void> {
  if (row.export_id !== null) await service.delete(row.export_id).catch(() => null);
}

/** Makes failed and cancelled rows again, with the values that were sent. */
export async function retryRows(): Promise<void> {
  const now = batchStep.value;
  if (now.step !== 'made') return;
  const signal = begin();
  try {
    const batch = await service.batches.retry(now.kept.id!, { signal });
    batchStep.value = { ...now, batch };
    await follow(now.kept, signal);
  } catch (error) {
    if (!signal.aborted) say(messageOf(error), 'bad');
  }
}

/** Exports the row of a line as it is now. */
export async function exportLine({ id }: BatchLine): Promise<void> {
  whichRows.value = id;
  await startBatch();
}

let picksUp = false;

/** Shows the batch of every project that is opened from now on, as long as the service has it. */
export function pickUpBatches(): void {
  if (picksUp) return;
  picksUp = true;
  effect(() => {
    const id = projectId.value;
    leaving.abort();
    batchStep.value = { step: 'none' };
    batchShown.value = false;
    whichRows.value = 'all';
    kept.value = null;
    if (id !== '') void pickUp(id);
  });
}

async function pickUp(id: string): Promise<void> {
  const signal = begin();
  const cancelled = cancelling.signal;
  const last = (await readProject(id))?.batch ?? null;
  if (last === null || signal.aborted) return;
  kept.value = last;
  // Another tab sends it.
  if (last.id === null) return readOnly.value ? undefined : resume(id, last, signal, cancelled);
  try {
    await follow(last, signal);
  } catch (error) {
    if (error instanceof TiercutError && error.status === 404) await forgetLast(id, last);
  }
}

/** The service has forgotten a batch; those before it are older. */
async function forgetLast(id: string, { id: batch }: KeptBatch): Promise<void> {
  if (kept.value?.id === batch) kept.value = null;
  await saveBeside(id, { batch: null });
}
