import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { BatchRecord, BatchRecords, BatchRow, NewBatch, NewRow } from '../../store/records/batch-records.ts';
import type { RecordedError } from '../../store/records/export-record.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import {
  type BatchesApi,
  type BatchListing,
  type BatchSubmission,
  type BatchView,
  type CheckedRow,
  MAX_BATCHES,
  type RowListing,
} from '../api/batches-api.ts';
import type { OpenRevision } from '../api/projects-api.ts';
import { plainTexts, readFormFields } from '../api/submission.ts';
import type { DescribedBatch } from '../deliver/webhook-deliveries.ts';
import type { Log } from '../log.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import type { Removals } from '../retention/removals.ts';
import { settleEach } from '../settle-each.ts';
import { type FormPolicy, formFaults } from '../submit/form-faults.ts';
import type { Planner } from '../submit/planner.ts';
import type { RequestRules } from '../submit/read-request.ts';
import type { RowIssues } from '../submit/row-issues.ts';
import type { MediaOfRows } from './media-of-rows.ts';

/** Feeders of all nodes listen to it. */
export const BATCH_NEWS = 'batches';

/** Builds the metadata JSON of a batch. */
export type DescribeBatch = (view: BatchView) => object;

interface KeepBatchesPorts {
  readonly database: Database;
  readonly batches: BatchRecords;
  readonly quota: Pick<MediaQuota, 'requirePossible' | 'requireWithin'>;
  /** The current revision of a project; null if the tenant has none of this id. */
  readonly openProject: (tenant: string, id: string) => Promise<OpenRevision | null>;
  readonly planner: Pick<Planner, 'batchForm' | 'batch'>;
  readonly mediaOfRows: Pick<MediaOfRows, 'faults'>;
  readonly removals: Pick<Removals, 'remove'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly rules: Pick<RequestRules, 'presets'>;
  readonly policy: FormPolicy & { readonly retentionMs: number };
  /** The JSON of a batch. */
  readonly describe: DescribeBatch;
  readonly now: () => number;
  readonly log: Log;
}

const CHOICES = ['skip', 'refuse'] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Accepts batches, and shows, repeats and cancels them. (C85) */
export class KeepBatches {
  readonly #ports: KeepBatchesPorts;

  constructor(ports: KeepBatchesPorts) {
    this.#ports = ports;
  }

  /** See BatchesApi. */
  async create(
    submission: BatchSubmission,
    signal: AbortSignal,
  ): Promise<{ readonly batch: BatchView; readonly created: boolean }> {
    const { tenant, idempotencyKey, requestHash, rows, isCsv } = submission;
    const known = await this.#repeated(submission);
    if (known !== null) return { batch: await this.#view(known), created: false };
    const { database, batches, planner, quota, now, rules, policy, changes } = this.#ports;
    await quota.requirePossible(tenant, rows.length, database);
    const texts = plainTexts(submission.texts);
    const fields = readFormFields(texts);
    const faults = formFaults(fields, policy, rules.presets);
    let [refuses, projectId] = [false, ''];
    faults.collect(() => {
      refuses = readOnError(texts.get('on_error') ?? 'skip') === 'refuse';
    });
    faults.collect(() => {
      projectId = readProjectId(texts.get('project'));
    });
    faults.throwIfFailed();
    const project = await this.#ports.openProject(tenant, projectId);
    if (project === null) {
      const message = 'project: this project does not exist or was deleted.';
      throw new ExportError('missing', 'project.unknown', message, { path: '/project' });
    }
    const settings = texts.get('settings') ?? null;
    const document = await buffer(await project.stream());
    const checked = await planner.batch(tenant, { project: document, settings, rows, isCsv }, signal);
    const ready = withFaults(checked.rows, await this.#ports.mediaOfRows.faults(tenant, checked));
    requireRight(ready, refuses);
    const stored = checked.media.flatMap(({ place }) => (place.kind === 'stored' ? [place.sha256] : []));
    const batch: NewBatch = {
      media: [...new Set(stored)],
      id: randomUUID(),
      ...{ tenant, createdAtMs: now(), projectId, revision: project.revision, total: checked.rows.length },
      ...{ columns: checked.columns, template: checked.template, requestHash, idempotencyKey },
      fields: {
        presets: fields.presets,
        metadata: fields.metadata,
        callbackUrl: fields.callbackUrl,
        callbackEvents: fields.callbackEvents,
        retentionHours: fields.retentionHours,
      },
    };
    const kept = await database.transaction(
      async (tx) => {
        if ((await batches.countRunning(tenant, tx)) >= MAX_BATCHES) throw tooMany();
        if (!(await batches.insert(batch, ready.map(newRow), tx))) return false;
        await quota.requireWithin(tenant, tx);
        return true;
      },
      { lockTenant: tenant },
    );
    if (!kept) {
      const winner = await this.#repeated(submission);
      if (winner === null) throw new Error('a batch was refused for a key that nobody holds');
      return { batch: await this.#view(winner), created: false };
    }
    changes.notify(BATCH_NEWS);
    return { batch: await this.#view((await batches.find(tenant, batch.id, database))!), created: true };
  }

  /** See BatchesApi. */
  async list(tenant: string, listing: BatchListing): ReturnType<BatchesApi['list']> {
    const { batches, database } = this.#ports;
    // One more than requested shows whether there is a next page.
    const found = await batches.list(tenant, { ...listing, limit: listing.limit + 1 }, database.committed);
    const shown = found.slice(0, listing.limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      batches: await Promise.all(shown.map((batch) => this.#view(batch))),
      next: last === undefined ? null : { createdAtMs: last.createdAtMs, id: last.id },
    };
  }

  /** See BatchesApi. */
  async get(tenant: string, id: string): Promise<BatchView | null> {
    const { batches, database } = this.#ports;
    const found = UUID.test(id) ? await batches.find(tenant, id.toLowerCase(), database.committed) : null;
    return found && this.#view(found);
  }

  /** See BatchesApi. */
  async ended(tenant: string, id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Listens before the look, so that no end in between is missed.
      const end = this.#ports.changes.listen(id.toLowerCase());
      signal.addEventListener('abort', end.stop, { once: true });
      try {
        if ((await this.get(tenant, id))?.state !== 'running') return;
        if (!signal.aborted) await end.next;
      } finally {
        signal.removeEventListener('abort', end.stop);
        end.stop();
      }
    }
  }

  /** See BatchesApi. */
  async rows(tenant: string, id: string, listing: RowListing): Promise<readonly BatchRow[] | null> {
    const { batches, database } = this.#ports;
    if ((await this.get(tenant, id)) === null) return null;
    return batches.rows(id.toLowerCase(), listing, database.committed);
  }

  /** See BatchesApi. */
  async retry(tenant: string, id: string): Promise<BatchView | null> {
    const { batches, database, changes } = this.#ports;
    const known = await this.get(tenant, id);
    if (known === null) return null;
    const retry = async (tx: Transaction) => {
      if (known.state !== 'running' && (await batches.countRunning(tenant, tx)) >= MAX_BATCHES) throw tooMany();
      return batches.retry(known.id, tx);
    };
    const again = await database.transaction(retry, { lockTenant: tenant });
    if (again === 0) {
      throw new ExportError('invalid', 'batch.nothing_failed', 'No row of this batch has failed or was cancelled.');
    }
    changes.notify(BATCH_NEWS);
    return this.get(tenant, id);
  }

  /** See BatchesApi. */
  async cancel(tenant: string, id: string): Promise<boolean> {
    const { batches, database, removals, changes, now, policy, log } = this.#ports;
    const known = await this.get(tenant, id);
    if (known === null) return false;
    const endedAtMs = now();
    const times = { endedAtMs, expiresAtMs: endedAtMs + policy.retentionMs };
    await database.transaction((tx) => batches.cancel(tenant, known.id, times, tx), { lockTenant: tenant });
    for (const news of [BATCH_NEWS, known.id]) changes.notify(news);
    await removeCancelled(await batches.leftOfCancelled(known.id, database), removals, log);
    return true;
  }

  /** What a message about a batch of any tenant has; null if there is none of this id. */
  async described(id: string): Promise<DescribedBatch | null> {
    const { batches, database, describe } = this.#ports;
    const batch = await batches.findOfAny(id, database.committed);
    if (batch === null) return null;
    const view = await this.#view(batch);
    return { view, metadata: describe(view) };
  }

  async #repeated({
    tenant,
    idempotencyKey,
    requestHash,
  }: Pick<BatchSubmission, 'tenant' | 'idempotencyKey' | 'requestHash'>): Promise<BatchRecord | null> {
    const { batches, database } = this.#ports;
    if (idempotencyKey === null) return null;
    const earlier = await batches.findByKey(tenant, idempotencyKey, database);
    if (earlier === null || earlier.requestHash === requestHash) return earlier;
    const message = 'This Idempotency-Key was used before with other content. Use a new key for a new request.';
    throw new ExportError('invalid', 'idempotency.conflict', message);
  }

  async #view(batch: BatchRecord): Promise<BatchView> {
    const { batches, database, now } = this.#ports;
    const counts = await batches.counts(batch.id, database.committed);
    const done = counts.completed + counts.failed;
    const ended = done + counts.cancelled + counts.invalid;
    const left = batch.total - ended;
    const each = (now() - batch.createdAtMs) / Math.max(1, done);
    const estimatedEndMs = batch.state === 'running' && done > 0 ? Math.round(now() + left * each) : null;
    return { ...batch, counts, progress: ended / batch.total, estimatedEndMs };
  }
}

/** Removes exports of cancelled batches. One that cannot be removed is tried again by the feeder. */
export async function removeCancelled(
  left: Awaited<ReturnType<BatchRecords['leftOfCancelled']>>,
  removals: Pick<Removals, 'remove'>,
  log: Log,
): Promise<void> {
  await settleEach(
    left,
    async ({ tenant, exportId }) => void (await removals.remove(tenant, exportId)),
    ({ exportId }, error) => log('error', 'export of a batch not cancelled', { exportId, error }),
  );
}

/** Only the media of rows that were right so far are looked at. */
function withFaults(rows: readonly CheckedRow[], faults: RowIssues): readonly CheckedRow[] {
  return rows.map((row, index) => (row.issues.length > 0 ? row : { ...row, issues: faults.of(index) }));
}

/** @throws ExportError with all errors, if no row is right, or if one is wrong and `refuses` is set. */
function requireRight(rows: readonly CheckedRow[], refuses: boolean): void {
  if (!refuses && rows.some(({ issues }) => issues.length === 0)) return;
  const all = new IssueList();
  for (const { path, code, message } of rows.flatMap(({ issues }) => issues)) all.error(path, code, message);
  all.throwIfFailed();
}

function newRow({ video, values, issues }: CheckedRow): NewRow {
  const [first] = issues;
  if (first === undefined) return { video, values, error: null };
  const many = issues.length > 1;
  const message = many ? `The row has ${issues.length} errors.` : first.message;
  const error: RecordedError = { kind: 'invalid', code: many ? 'request.invalid' : first.code, message, issues };
  return { video, values, error };
}

function readOnError(text: string): (typeof CHOICES)[number] {
  const found = CHOICES.find((one) => one === text);
  if (found !== undefined) return found;
  const message = `on_error must be ${CHOICES.join(' or ')}, not ${shownText(text)}.`;
  throw new ExportError('invalid', 'field.choice', message, { path: '/on_error' });
}

function readProjectId(text: string | undefined): string {
  if (text !== undefined && UUID.test(text)) return text.toLowerCase();
  const message = text === undefined ? 'is missing: it must be' : `must be`;
  const found = text === undefined ? '' : `, not ${shownText(text)}`;
  const code = text === undefined ? 'field.required' : 'field.format';
  throw new ExportError('invalid', code, `project ${message} the UUID of a project${found}.`, { path: '/project' });
}

function tooMany(): ExportError {
  const message = `You have ${MAX_BATCHES} batches that have not ended. Try again when one has.`;
  return new ExportError('unavailable', 'batch.too_many', message);
}
