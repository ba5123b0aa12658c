import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { DestinationRecords, DestinationTarget } from '../../store/destinations/destination-records.ts';
import type { ExportRecord, NewExport } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { FetchProgress, FetchRecords } from '../../store/fetches/fetch-records.ts';
import { PRIORITY } from '../../store/job-queue.ts';
import type { MediaRecord, MediaRecords } from '../../store/media-records.ts';
import { frames, secondsOf } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS, MEDIA_URLS } from '../../timeline/media-references.ts';
import { DESTINATIONS } from '../../timeline/request-documents.ts';
import { readFormFields, type Submission } from '../exports-api.ts';
import type { Log } from '../log.ts';
import type { MediaFactsKeeper } from '../media/media-facts-keeper.ts';
import type { GatheredFiles, RequestFile, RequestFiles } from '../media/request-files.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from '../run/output-work.ts';
import type { Uploads } from '../uploads.ts';
import type { Admission } from './admission.ts';
import { readCallbackEvents } from './callback-events.ts';
import { readDestinations } from './destinations.ts';
import { type FormPolicy, formFaults } from './form-faults.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import { type PlannedOutput, type RequestOutline, storedPlans } from './planning.ts';
import { type RequestRules, type RequestTexts, selectedFirst } from './read-request.ts';
import { withSubtitleFiles } from './read-subtitles.ts';

const HOUR_MS = 3_600_000;

/** How much is taken in. */
export interface SubmitPolicy extends FormPolicy {
  /** Whether the other two presets are rendered without being asked for. (C12) */
  readonly prerender: 'all' | 'selected';
}

interface SubmitExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findByIdempotencyKey' | 'insert' | 'complete'>;
  readonly fetches: Pick<FetchRecords, 'insert' | 'end'>;
  readonly destinations: Pick<DestinationRecords, 'insert'>;
  readonly admission: Pick<Admission, 'requireRoom' | 'requirePlace' | 'isNearlyFull'>;
  readonly plans: Pick<PlanStore, 'keep' | 'keepRequest' | 'readRequest' | 'drop'>;
  readonly uploads: Pick<Uploads, 'hold' | 'keep' | 'drop'>;
  readonly work: Pick<OutputWork, 'start'>;
  readonly media: Pick<MediaRecords, 'use'>;
  readonly files: RequestFiles;
  readonly facts: Pick<MediaFactsKeeper, 'worthKeeping'>;
  readonly check: MediaCheck;
  readonly planner: Pick<Planner, 'outline' | 'plan'>;
  readonly rules: RequestRules;
  readonly policy: SubmitPolicy;
  /** An export waits for its files; called once that is durable. */
  readonly onFetchDue: () => void;
  readonly now: () => number;
  readonly log: Log;
}

/** Takes in exports. */
export class SubmitExport {
  readonly #ports: SubmitExportPorts;

  constructor(ports: SubmitExportPorts) {
    this.#ports = ports;
  }

  /**
   * Once it resolves, the export survives whatever happens to this process. (C8)
   *
   * @throws ExportError with everything that is wrong with the request; `idempotency.conflict`, `queue.full`, `disk.full`.
   */
  async submit(submission: Submission, signal: AbortSignal): Promise<{ id: string; created: boolean }> {
    const known = await this.repeated(submission);
    if (known !== null) return { id: known, created: false };
    const { policy, rules, admission, files } = this.#ports;
    const { tenant, texts, uploads } = submission;
    await admission.requireRoom(tenant);
    const faults = formFaults(submission, policy, rules.presets);
    await using gathered = await files.gather(tenant, texts, uploads, faults);
    const outline = await this.#judge(submission, gathered, signal);
    // What is fetched is not waited for: the export is durable before. (C66)
    const prepared =
      gathered.absent > 0
        ? this.#prepareToFetch(submission, gathered, outline)
        : await this.#prepare(submission, gathered, outline, signal);
    const { record } = prepared;
    const kept = await this.#keep(prepared, submission).catch(async (error: unknown) => {
      if (!mayBeKept(error)) await this.#discard(record);
      throw error;
    });
    if (kept) return { id: record.id, created: true };
    await this.#discard(record);
    // Someone else used the key at the same moment: theirs counts, and ours never was.
    const winner = await this.repeated(submission);
    if (winner === null) throw new Error('an export was refused for a key that nobody holds');
    return { id: winner, created: false };
  }

  /** The export made before under the same key; another content under it is refused. (C9) */
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
   * Fetches what an accepted export is waiting for; from then on it is as one whose files came with it. Nothing changes where the
   * claim on it was lost meanwhile. (C66)
   *
   * @throws ExportError with everything that is wrong with its addresses, or its files.
   */
  async complete(
    accepted: ExportRecord,
    { holder, waits }: { readonly holder: string; readonly waits: boolean },
    signal: AbortSignal,
    onProgress: (progress: FetchProgress) => void,
  ): Promise<void> {
    const { database, records, media, uploads, fetches, files, plans: store } = this.#ports;
    const { id, tenant, createdAtMs } = accepted;
    const sent = await store.readRequest(id);
    const submission = { ...accepted, ...readFormFields(sent), texts: sent, uploads: new Map(), waits };
    await using gathered = await files.gather(tenant, submission.texts, submission.uploads, new IssueList());
    const outline = await this.#judge(submission, gathered, signal);
    await gathered.fetch(signal, onProgress);
    const { record, plans, texts, contents } = await this.#prepare(submission, gathered, outline, signal);
    using _held = uploads.hold(contents.map(({ sha256 }) => sha256));
    for (const plan of storedPlans(plans)) await store.keep(id, plan);
    // Before the record: who has to begin again finds everything here.
    await store.keepRequest(id, new Map([...texts, [MEDIA_REFS, referencesTo(gathered.files)]]));
    await database.transaction(
      async (tx) => {
        if (!(await fetches.end(id, holder, tx))) return;
        await records.complete({ ...record, id, createdAtMs }, tx);
        for (const content of contents) await media.use(content, createdAtMs, tx);
        await this.#start(accepted, plans, { waits, sent: sentOf(accepted) }, tx);
      },
      { lockExport: id },
    );
  }

  #judge({ tenant, texts }: Submission, gathered: GatheredFiles, signal: AbortSignal): Promise<RequestOutline> {
    return gathered.judged(this.#ports.planner.outline(tenant, { texts, uploads: gathered.fields }, signal));
  }

  /** What can be said of an export before its files are here. */
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
      absent: gathered.absent,
      // Whatever came with the request is here from now on, and only referred to.
      texts: new Map([...texts, [MEDIA_REFS, referencesTo(gathered.files)]]),
      received: files.filter(([field]) => uploads.has(field)).map(([, file]) => file),
      contents: files.map(([, { sha256, bytes }]) => ({ tenant, sha256, bytes, facts: null })),
    };
  }

  /** Finds out what the export will be; nothing is kept so far. */
  async #prepare(
    submission: Submission,
    gathered: GatheredFiles,
    { settings, fields, subtitleFiles }: RequestOutline,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const { rules, check, planner, facts, now } = this.#ports;
    const { tenant, texts, uploads } = submission;
    const request = { texts, uploads: gathered.fields };
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const { found, lookedAt } = await check.lookInto(tenant, fields, gathered.files, signal);
    const plans = await planner.plan(tenant, { ...request, texts: whole, found }, signal);
    const used = new Map([...gathered.files].filter(([field]) => found.has(field)));
    const record = newExport(submission, plans, used, settings, rules, now());
    const contents = new Map([...used.values()].map((file) => [file.sha256, file]));
    return {
      record,
      plans,
      absent: 0,
      // The record says which files there are; where they came from is not for those who plan it anew.
      texts: new Map([...whole].filter(([field]) => field !== MEDIA_REFS && field !== MEDIA_URLS)),
      received: [...used].filter(([field]) => uploads.has(field)).map(([, file]) => file),
      contents: [...contents.values()].map(({ sha256, bytes }) => {
        return { tenant, sha256, bytes, facts: facts.worthKeeping(lookedAt.get(sha256)!) };
      }),
    };
  }

  /** Files first, then the record that makes an export of them, with its jobs. False where the key is taken. */
  async #keep(
    { record, texts, plans, absent, received, contents }: Prepared,
    submission: Submission,
  ): Promise<boolean> {
    const { database, records, media, uploads, fetches, plans: store, admission, onFetchDue } = this.#ports;
    const { waits } = submission;
    const targets = this.#targetsOf(submission);
    using _held = uploads.hold(record.uploads.map(({ hash }) => hash));
    await uploads.keep(record.tenant, received);
    await store.keepRequest(record.id, withoutDestinations(texts));
    for (const plan of storedPlans(plans)) await store.keep(record.id, plan);
    const keep = async (tx: Transaction) => {
      if (!(await records.insert(record, tx))) return false;
      await admission.requirePlace(record.tenant, tx);
      for (const content of contents) await media.use(content, record.createdAtMs, tx);
      await this.#ports.destinations.insert(record, targets, tx);
      await this.#start(record, plans, { waits, sent: new Set(targets.keys()) }, tx);
      if (absent === 0) return true;
      await fetches.insert({ id: record.id, tenant: record.tenant, waits, files: absent }, tx);
      tx.afterCommit(onFetchDue);
      return true;
    };
    // Awaited here: the uploads must be held until the record is written.
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
    { waits, sent }: { readonly waits: boolean; readonly sent: ReadonlySet<string> },
    tx: Transaction,
  ): Promise<void> {
    const { work, policy } = this.#ports;
    // A destination asks for its preset. (C69)
    const isAskedFor = ({ preset }: PlannedOutput, place: number) => place === 0 || sent.has(preset);
    const started = policy.prerender === 'selected' ? plans.filter(isAskedFor) : plans;
    // The selected one comes first, by itself. One chunk that nobody waits for is rendered for all of them: a second child costs more.
    const isOneChunk = plans[0]?.chunks.length === 1;
    const first = waits || !isOneChunk ? started.slice(0, 1) : started;
    await work.start(owner, first, PRIORITY.selected, tx);
    await work.start(owner, started.slice(first.length), PRIORITY.other, tx);
  }

  /** An export that came to nothing leaves nothing: on a full disk above all, what is in nobody's record only harms. */
  async #discard({ id, uploads: used, outputs }: NewExport): Promise<void> {
    const { plans, uploads, log } = this.#ports;
    try {
      await plans.drop(
        id,
        outputs.map(({ preset }) => preset),
      );
      await uploads.drop(used.map(({ hash }) => hash));
    } catch (error) {
      // The reason it came to nothing is what counts; the next sweep finds the rest.
      log('warn', 'files of refused export not removed', { error });
    }
  }
}

/**
 * The connection was lost, perhaps after the record was committed, perhaps before: nobody can say, and what was on its way may
 * arrive even later. If the export is there, it needs its files; if not, the sweep finds them.
 */
function mayBeKept(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'store.unreachable';
}

/** An export that is only to be written down. */
interface Prepared {
  readonly record: NewExport;
  readonly texts: RequestTexts;
  readonly plans: readonly PlannedOutput[];
  /** How many of its files are yet to be fetched: without them there are no plans. */
  readonly absent: number;
  /** Those of its files that came with the request. */
  readonly received: readonly RequestFile[];
  /** What it draws on, each once, with what is known of it. */
  readonly contents: readonly Pick<MediaRecord, 'tenant' | 'sha256' | 'bytes' | 'facts'>[];
}

/** The texts as they are kept: where videos are sent is a secret that only its record has. (C69) */
function withoutDestinations(texts: RequestTexts): RequestTexts {
  return new Map([...texts].filter(([field]) => field !== DESTINATIONS));
}

/** The presets that are sent somewhere. */
function sentOf({ outputs }: Pick<ExportRecord, 'outputs'>): ReadonlySet<string> {
  return new Set(outputs.filter(({ destination }) => destination !== null).map(({ preset }) => preset));
}

/** `media_refs` for files that are here. */
function referencesTo(files: GatheredFiles['files']): string {
  return JSON.stringify(Object.fromEntries([...files].map(([field, { sha256 }]) => [field, sha256])));
}

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
    retentionMs: submission.retentionHours === null ? null : Number(submission.retentionHours) * HOUR_MS,
    uploads: [...uploads].map(([field, { sha256, bytes }]) => ({ field, hash: sha256, bytes })),
    outputs: [...inOrder.map((plan) => ({ ...plan, short: null })), ...inOrder.flatMap(({ shorts }) => shorts)].map(
      ({ preset, canvas: { width, height }, totalFrames, short }) => {
        return { preset, width, height, totalFrames, engineVersion, short };
      },
    ),
  };
}
