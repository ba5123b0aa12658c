import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Database } from '../../store/database.ts';
import type { NewExport } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import { PRIORITY } from '../../store/job-queue.ts';
import { secondsOf } from '../../time.ts';
import type { Submission, SubmittedFile } from '../exports-api.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from '../run/output-work.ts';
import type { Uploads } from '../uploads.ts';
import { parseCallbackUrl } from '../webhooks/callback-url.ts';
import type { Admission } from './admission.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import type { PlannedOutput } from './planning.ts';
import type { RequestRules, RequestTexts } from './read-request.ts';

/** Of what a client calls its export, in characters. (C40) */
const LONGEST_EXTERNAL_ID = 200;

/** How much is taken in. */
export interface SubmitPolicy {
  /** Whether the other two shapes are rendered without being asked for. (C12) */
  readonly prerender: 'all' | 'selected';
  readonly allowPrivateCallbacks: boolean;
}

interface SubmitExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findByIdempotencyKey' | 'insert'>;
  readonly admission: Pick<Admission, 'requireRoom'>;
  readonly plans: Pick<PlanStore, 'keep' | 'keepRequest' | 'drop'>;
  readonly uploads: Pick<Uploads, 'hold' | 'keep' | 'drop'>;
  readonly work: OutputWork;
  readonly media: MediaCheck;
  readonly planner: Pick<Planner, 'outline' | 'plan'>;
  readonly rules: RequestRules;
  readonly policy: SubmitPolicy;
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
    const { rules, policy, media, planner, admission, now } = this.#ports;
    const known = await this.repeated(submission);
    if (known !== null) return { id: known, created: false };
    await admission.requireRoom(submission.tenant);

    const { tenant, texts, uploads, callbackUrl, externalId } = submission;
    if (callbackUrl !== null) parseCallbackUrl(callbackUrl, policy.allowPrivateCallbacks);
    if (externalId !== null) requireShort(externalId);
    const names = [...uploads.keys()];
    const { settings, fields } = await planner.outline(tenant, { texts, uploads: names }, signal);
    const found = await media.lookInto(tenant, fields, uploads, signal);
    const plans = await planner.plan(tenant, { texts, uploads: names, found }, signal);
    const used = new Map([...uploads].filter(([field]) => found.has(field)));

    const record = newExport(submission, plans, used, settings, rules, now());
    let kept = false;
    try {
      kept = await this.#keep(record, texts, plans, used);
      if (kept) return { id: record.id, created: true };
    } finally {
      if (!kept) await this.#discard(record);
    }
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

  /** Files first, then the record that makes an export of them, with its jobs. False where the key is taken. */
  async #keep(
    record: NewExport,
    texts: RequestTexts,
    plans: readonly PlannedOutput[],
    files: ReadonlyMap<string, SubmittedFile>,
  ): Promise<boolean> {
    const { database, records, uploads, plans: store, work, policy } = this.#ports;
    using _held = uploads.hold(record.uploads.map(({ hash }) => hash));
    await uploads.keep(files.values());
    await store.keepRequest(record.id, texts);
    for (const plan of plans) await store.keep(record.id, plan);
    const started = policy.prerender === 'selected' ? plans.slice(0, 1) : plans;
    for (const plan of started) work.holdParts(record, plan);
    // Awaited here: the uploads must be held until the record is written.
    return await database.transaction(async (tx) => {
      if (!(await records.insert(record, tx))) return false;
      for (const plan of started) {
        const priority = plan.preset === record.selectedPreset ? PRIORITY.selected : PRIORITY.other;
        await work.start(record, plan, priority, tx);
      }
      return true;
    });
  }

  /** An export that came to nothing leaves nothing: on a full disk above all, what is in nobody's record only harms. */
  async #discard({ id, uploads: used, outputs }: NewExport): Promise<void> {
    const { plans, uploads, work, log } = this.#ports;
    try {
      for (const { preset } of outputs) await work.letGoOfParts(id, preset);
      await plans.drop(
        id,
        outputs.map(({ preset }) => preset),
      );
      await uploads.drop(used.map(({ hash }) => hash));
    } catch (error) {
      // The reason it came to nothing is what counts; the next sweep finds the rest.
      log('warn', 'what a refused export left could not be removed', { error });
    }
  }
}

/** @throws `field.range` at `/external_id` (C40) */
function requireShort(externalId: string): void {
  if ([...externalId].length <= LONGEST_EXTERNAL_ID) return;
  const message = `external_id must be a text of at most ${LONGEST_EXTERNAL_ID} characters.`;
  throw new ExportError('invalid', 'field.range', message, { path: '/external_id' });
}

function newExport(
  submission: Submission,
  plans: readonly PlannedOutput[],
  uploads: ReadonlyMap<string, SubmittedFile>,
  settings: NewExport['settings'],
  { presets, engineVersion }: RequestRules,
  createdAtMs: number,
): NewExport {
  const id = randomUUID();
  const [selected] = plans as [PlannedOutput, ...PlannedOutput[]];
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
    externalId: submission.externalId,
    uploads: [...uploads].map(([field, { sha256, bytes }]) => ({ field, hash: sha256, bytes })),
    outputs: inOrder.map(({ preset, canvas, totalFrames }) => ({
      preset,
      width: canvas.width,
      height: canvas.height,
      totalFrames,
      engineVersion,
    })),
  };
}
