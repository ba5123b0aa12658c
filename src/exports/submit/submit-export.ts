import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type Attempt, type JobQueue, PRIORITY, singleJob } from '../../store/job-queue.ts';
import type { BatchRecords } from '../../store/records/batch-records.ts';
import type { DestinationRecords, DestinationTarget } from '../../store/records/destination-records.ts';
import type { ExportRecord, NewExport } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { FetchProgress, FetchRecords } from '../../store/records/fetch-records.ts';
import type { MediaRecord, MediaRecords } from '../../store/records/media-records.ts';
import { frames, secondsOf } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS, MEDIA_URLS } from '../../timeline/media-references.ts';
import { PROJECT_NOTES } from '../../timeline/project/project-notes.ts';
import { DESTINATIONS } from '../../timeline/request-documents.ts';
import { readFormFields, type SentTexts, type Submission } from '../api/submission.ts';
import type { Log } from '../log.ts';
import type { MediaFactsKeeper } from '../media/media-facts-keeper.ts';
import { requireKinds } from '../media/media-kind.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import type { GatheredFiles, RequestFile, RequestFiles } from '../media/request-files.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from '../run/output-work.ts';
import type { Uploads } from '../uploads.ts';
import type { Admission } from './admission.ts';
import { readDestinations } from './destinations.ts';
import {
  type FormPolicy,
  formFaults,
  readCallbackEvents,
  readMetadata,
  readWantedPresets,
  requireSelected,
} from './form-faults.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import { type PlannedOutput, type RequestOutline, storedPlans } from './planning.ts';
import { type RequestRules, selectedFirst } from './read-request.ts';
import { withSubtitleFiles } from './read-subtitles.ts';
import type { PaintedCheck } from './request-check.ts';

/** The limits of requests. */
export interface SubmitPolicy extends FormPolicy {
  /** Whether the other two presets are rendered without a request. (C12) */
  readonly prerender: 'all' | 'selected';
}

interface SubmitExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findByIdempotencyKey' | 'insert' | 'complete'>;
  readonly batches: Pick<BatchRecords, 'claim' | 'has'>;
  readonly fetches: Pick<FetchRecords, 'insert' | 'waits' | 'end'>;
  readonly jobs: Pick<JobQueue, 'enqueue' | 'complete'>;
  readonly destinations: Pick<DestinationRecords, 'insert'>;
  readonly admission: Pick<Admission, 'requireRoom' | 'requirePlace' | 'isNearlyFull'>;
  readonly plans: Pick<PlanStore, 'keep' | 'keepRequest' | 'readRequest' | 'drop'>;
  readonly uploads: Pick<Uploads, 'hold' | 'keep' | 'drop'>;
  readonly work: Pick<OutputWork, 'start'>;
  readonly media: Pick<MediaRecords, 'use'>;
  readonly quota: Pick<MediaQuota, 'requirePossible' | 'requireWithin'>;
  readonly files: RequestFiles;
  readonly facts: Pick<MediaFactsKeeper, 'factsToKeep'>;
  readonly check: MediaCheck;
  readonly planner: Pick<Planner, 'outline' | 'plan'>;
  readonly painted: PaintedCheck;
  readonly rules: RequestRules;
  readonly policy: SubmitPolicy;
  readonly now: () => number;
  readonly log: Log;
}

/** Creates exports. */
export class SubmitExport {
  readonly #ports: SubmitExportPorts;

  constructor(ports: SubmitExportPorts) {
    this.#ports = ports;
  }

  /**
   * Creates an export. Once it resolves, the export is durable. (C8)
   *
   * @throws ExportError with all errors of the request; `idempotency.conflict`, `queue.full`, `disk.full`.
   */
  async submit(submission: Submission, signal: AbortSignal): Promise<{ id: string; created: boolean }> {
    const known = await this.repeated(submission);
    if (known !== null) return { id: known, created: false };
    const { policy, rules, admission, files, quota, database } = this.#ports;
    const { tenant, texts, uploads } = submission;
    await admission.requireRoom(tenant);
    await quota.requirePossible(tenant, 0, database);
    const faults = formFaults(submission, policy, rules.presets);
    await using gathered = await files.gather(tenant, texts, uploads, faults, signal);
    const outline = await this.#outline(submission, gathered, signal);
    requireSelected(readWantedPresets(submission.presets, rules.presets), outline.settings);
    // The response does not wait for fetches: the export is durable before. (C66)
    const prepared =
      gathered.absent(outline) > 0
        ? this.#prepareToFetch(submission, gathered, outline)
        : await this.#prepare(submission, gathered, outline, signal);
    const { record } = prepared;
    const kept = await this.#keep(prepared, submission).catch(async (error: unknown) => {
      if (!mayBeKept(error)) await this.#discard(record);
      throw error;
    });
    if (kept) return { id: record.id, created: true };
    await this.#discard(record);
    // The row got its export from another feeder, or was cancelled.
    if (submission.batchRow !== undefined) return { id: record.id, created: false };
    // Another request with the same key won the race, and its export counts.
    const winner = await this.repeated(submission);
    if (winner === null) throw new Error('an export was refused for a key that nobody holds');
    return { id: winner, created: false };
  }

  /** The export of the same idempotency key; other content is refused. (C9) */
  async repeated({
    tenant,
    idempotencyKey,
    requestHash,
  }: Pick<Submission, 'tenant' | 'idempotencyKey' | 'requestHash'>): Promise<string | null> {
    const { records, database } = this.#ports;
    if (idempotencyKey === null) return null;
    const earlier = await records.findByIdempotencyKey(tenant, idempotencyKey, database);
    if (earlier === null) return null;
    if (earlier.requestHash === requestHash) return earlier.id;
    const message = 'This Idempotency-Key was used before with other content. Use a new key for a new request.';
    throw new ExportError('invalid', 'idempotency.conflict', message);
  }

  /**
   * Fetches the files of an accepted export, which then continues like one with sent files. Has no effect if the lease
   * was lost meanwhile. (C66)
   *
   * @throws ExportError with all errors of its addresses or its files.
   */
  async complete(
    accepted: ExportRecord,
    attempt: Attempt,
    signal: AbortSignal,
    onProgress: (progress: FetchProgress) => void,
  ): Promise<void> {
    const { database, records, media, uploads, fetches, jobs, files, plans: store } = this.#ports;
    const { id, tenant, createdAtMs } = accepted;
    const waits = await fetches.waits(id, database);
    const isOfBatch = await this.#ports.batches.has(id, database);
    const sent = await store.readRequest(id);
    // The record keeps its project.
    const submission = { ...accepted, ...readFormFields(sent), project: null, texts: sent, uploads: new Map(), waits };
    await using gathered = await files.gather(tenant, submission.texts, submission.uploads, new IssueList(), signal);
    const outline = await this.#outline(submission, gathered, signal);
    await gathered.fetch(outline, signal, onProgress);
    const { record, plans, texts, contents } = await this.#prepare(submission, gathered, outline, signal);
    using _held = uploads.hold(contents.map(({ sha256 }) => sha256));
    for (const plan of storedPlans(plans)) await store.keep(id, plan);
    // Before the record, so that a retry finds everything.
    await store.keepRequest(id, new Map([...texts, [MEDIA_REFS, referencesTo(gathered.files)]]));
    await database.transaction(
      async (tx) => {
        if (!(await jobs.complete(attempt, tx))) return;
        await fetches.end(id, tx);
        await records.complete({ ...record, id, createdAtMs }, tx);
        for (const content of contents) await media.use(content, createdAtMs, tx);
        await this.#start(accepted, plans, { ...submission, isOfBatch, sent: sentOf(accepted) }, tx);
      },
      { lockExport: id },
    );
  }

  #outline({ tenant, texts }: Submission, gathered: GatheredFiles, signal: AbortSignal): Promise<RequestOutline> {
    return gathered.withReferenceErrors(
      this.#ports.planner.outline(tenant, { texts, uploads: gathered.fields }, signal),
    );
  }

  /** The record of an export whose files are not fetched yet. */
  #prepareToFetch(submission: Submission, gathered: GatheredFiles, outline: RequestOutline): Prepared {
    const { rules, now } = this.#ports;
    const { tenant, texts, uploads } = submission;
    const { settings, title, warnings } = outline;
    const presets = selectedFirst(rules.presets, settings.preset).map(({ name, ...size }) => {
      const canvas = name === settings.preset ? settings : size;
      return { preset: name, canvas, title, warnings, rate: settings.rate, totalFrames: frames(0), shorts: [] };
    });
    const files = [...gathered.files];
    return {
      record: newExport(submission, presets, gathered.files, settings, rules, now()),
      plans: [],
      absent: gathered.absent(outline),
      // Files sent with the request are stored now, so the texts refer to them.
      texts: new Map([...texts, [MEDIA_REFS, referencesTo(gathered.files)]]),
      received: files.filter(([field]) => uploads.has(field)).map(([, file]) => file),
      contents: files.map(([, { sha256, bytes }]) => ({ tenant, sha256, bytes, facts: null })),
    };
  }

  /** Probes and plans the export; stores nothing. */
  async #prepare(
    submission: Submission,
    gathered: GatheredFiles,
    { settings, fields, subtitleFiles }: RequestOutline,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const { rules, check, planner, painted, facts, now } = this.#ports;
    const { tenant, texts, uploads } = submission;
    const request = { texts, uploads: gathered.fields };
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const { found, probed } = await check.probe(tenant, fields, gathered.files, signal);
    requireKinds(texts, found);
    const plans = await planner.plan(tenant, { ...request, texts: whole, found }, signal);
    const files = new Map(fields.map((field) => [field, gathered.files.get(field)!]));
    await painted.requireNoWarnings({ tenant, texts: whole, uploads: gathered.fields, files, found }, signal);
    const used = new Map([...gathered.files].filter(([field]) => found.has(field)));
    const record = newExport(submission, plans, used, settings, rules, now());
    const contents = new Map([...used.values()].map((file) => [file.sha256, file]));
    return {
      record,
      plans,
      absent: 0,
      // A replan does not need to know where they came from.
      texts: new Map([...whole].filter(([field]) => !OF_MEDIA.has(field))),
      received: [...used].filter(([field]) => uploads.has(field)).map(([, file]) => file),
      contents: [...contents.values()].map(({ sha256, bytes }) => {
        return { tenant, sha256, bytes, facts: facts.factsToKeep(probed.get(sha256)!) };
      }),
    };
  }

  /** Stores the files, then the record and its jobs. False if the key is taken. */
  async #keep(
    { record, texts, plans, absent, received, contents }: Prepared,
    submission: Submission,
  ): Promise<boolean> {
    const { database, records, media, uploads, fetches, jobs, batches, plans: store, admission } = this.#ports;
    const { waits, batchRow } = submission;
    const isOfBatch = batchRow !== undefined;
    const targets = this.#targetsOf(submission);
    using _held = uploads.hold(record.uploads.map(({ hash }) => hash));
    await uploads.keep(record.tenant, received);
    await store.keepRequest(record.id, withoutDestinations(texts));
    for (const plan of storedPlans(plans)) await store.keep(record.id, plan);
    const keep = async (tx: Transaction) => {
      if (batchRow !== undefined && !(await batches.claim(batchRow, record.id, tx))) return false;
      if (!(await records.insert(record, tx))) return false;
      await admission.requirePlace(record.tenant, tx);
      for (const content of contents) await media.use(content, record.createdAtMs, tx);
      await this.#ports.quota.requireWithin(record.tenant, tx);
      await this.#ports.destinations.insert(record, targets, tx);
      await this.#start(record, plans, { ...submission, isOfBatch, sent: new Set(targets.keys()) }, tx);
      if (absent === 0) return true;
      await fetches.insert({ id: record.id, tenant: record.tenant, waits, files: absent }, tx);
      await jobs.enqueue([singleJob('fetch', record, isOfBatch ? { priority: PRIORITY.batch } : {})], tx);
      return true;
    };
    // Awaited here because the uploads must be held until the record is written.
    const lockAllTenants = await admission.isNearlyFull(record.tenant);
    return await database.transaction(keep, { lockTenant: record.tenant, lockAllTenants });
  }

  #targetsOf({ destinations }: Pick<Submission, 'destinations'>): ReadonlyMap<string, DestinationTarget> {
    const { rules, policy } = this.#ports;
    return readDestinations(destinations, { presets: rules.presets, allowPrivate: policy.allowPrivateDestinations });
  }

  async #start(
    owner: Pick<ExportRecord, 'id' | 'tenant'>,
    plans: readonly PlannedOutput[],
    {
      waits,
      presets,
      sent,
      isOfBatch,
    }: Pick<Submission, 'waits' | 'presets'> & { readonly sent: ReadonlySet<string>; readonly isOfBatch: boolean },
    tx: Transaction,
  ): Promise<void> {
    const { work, policy, rules } = this.#ports;
    const wanted = readWantedPresets(presets, rules.presets);
    const all = wanted === null && policy.prerender === 'all';
    // A destination requests its preset. (C69)
    const started = plans.filter(
      ({ preset }, place) => all || place === 0 || sent.has(preset) || wanted?.has(preset) === true,
    );
    // The selected preset is rendered first, by itself. A video of one chunk that no client waits for is rendered for
    // all presets together, because a second child costs more.
    const isOneChunk = plans[0]?.chunks.length === 1;
    const first = waits || !isOneChunk ? started.slice(0, 1) : started;
    // A row of a batch is finished before the next one begins.
    const priority = isOfBatch ? { selected: PRIORITY.batch, other: PRIORITY.batch } : PRIORITY;
    await work.start(owner, first, priority.selected, tx);
    await work.start(owner, started.slice(first.length), priority.other, tx);
  }

  /** Removes the files of a refused export. Orphans do the most harm on a full disk. */
  async #discard({ id, uploads: used, outputs }: NewExport): Promise<void> {
    const { plans, uploads, log } = this.#ports;
    try {
      await plans.drop(
        id,
        outputs.map(({ preset }) => preset),
      );
      await uploads.drop(used.map(({ hash }) => hash));
    } catch (error) {
      // The caller gets the reason of the refusal; the next sweep removes the rest.
      log('warn', 'files of refused export not removed', { error });
    }
  }
}

/**
 * Whether the record may exist: the connection was lost before or after the commit, and the commit may even arrive
 * later. If the export exists, it needs its files; if not, the sweep removes them.
 */
function mayBeKept(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'store.unreachable';
}

/** The texts that say where files are: the record names the files. */
const OF_MEDIA: ReadonlySet<string> = new Set([MEDIA_REFS, MEDIA_URLS, PROJECT_NOTES]);

/** An export that is ready to be recorded. */
interface Prepared {
  readonly record: NewExport;
  readonly texts: SentTexts;
  readonly plans: readonly PlannedOutput[];
  /** How many of its files are still to fetch; it has no plans until then. */
  readonly absent: number;
  /** The files that were sent with the request. */
  readonly received: readonly RequestFile[];
  /** The content that it uses, without duplicates, with the known facts. */
  readonly contents: readonly Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes' | 'facts'>[];
}

/** The texts to store, without destinations: they are secrets that only their record has. (C69) */
function withoutDestinations(texts: SentTexts): SentTexts {
  return new Map([...texts].filter(([field]) => field !== DESTINATIONS));
}

/** The presets that have a destination. */
function sentOf({ outputs }: Pick<ExportRecord, 'outputs'>): ReadonlySet<string> {
  return new Set(outputs.filter(({ destination }) => destination !== null).map(({ preset }) => preset));
}

/** `media_refs` for stored files. */
function referencesTo(files: GatheredFiles['files']): string {
  return JSON.stringify(Object.fromEntries([...files].map(([field, { sha256 }]) => [field, sha256])));
}

const HOUR_MS = 3_600_000;

/** The part of a plan that the record of an export needs. */
interface RecordedPlan
  extends Pick<PlannedOutput, 'preset' | 'title' | 'rate' | 'totalFrames' | 'warnings' | 'shorts'> {
  readonly canvas: { readonly width: number; readonly height: number };
}

function newExport(
  submission: Submission,
  plans: readonly RecordedPlan[],
  uploads: ReadonlyMap<string, RequestFile>,
  settings: NewExport['settings'],
  { presets, engineVersion }: RequestRules,
  createdAtMs: number,
): NewExport {
  const id = randomUUID();
  const [selected] = plans as [RecordedPlan, ...RecordedPlan[]];
  const place = new Map(presets.map(({ name }, index) => [name, index]));
  const inOrder = plans.toSorted((a, b) => place.get(a.preset)! - place.get(b.preset)!);
  return {
    id,
    tenant: submission.tenant,
    createdAtMs,
    selectedPreset: selected.preset,
    settings,
    title: selected.title,
    fileName: settings.fileName,
    durationSeconds: secondsOf(selected.totalFrames, selected.rate),
    totalFrames: selected.totalFrames,
    warnings: selected.warnings,
    requestHash: submission.requestHash,
    idempotencyKey: submission.idempotencyKey,
    callbackUrl: submission.callbackUrl,
    callbackEvents: readCallbackEvents(submission.callbackEvents),
    externalId: submission.externalId,
    metadata: readMetadata(submission.metadata),
    project: submission.project,
    retentionMs: submission.retentionHours === null ? null : Number(submission.retentionHours) * HOUR_MS,
    uploads: [...uploads].map(([field, { sha256, bytes }]) => ({ field, hash: sha256, bytes })),
    outputs: [...inOrder.map((plan) => ({ ...plan, short: null })), ...inOrder.flatMap(({ shorts }) => shorts)].map(
      ({ preset, canvas: { width, height }, totalFrames, short }) => {
        return { preset, width, height, totalFrames, engineVersion, short };
      },
    ),
  };
}
