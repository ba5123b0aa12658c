import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ExportError } from '../../errors.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Transaction } from '../../store/database.ts';
import type { NewExport } from '../../store/export-record.ts';
import { secondsOf } from '../../time.ts';
import { planKey, uploadKey } from '../export-keys.ts';
import type { Submission, SubmittedFile } from '../exports-api.ts';
import type { ExportsContext } from '../exports-context.ts';
import { unpinParts } from '../run/part-pins.ts';
import { PRIORITY } from '../run/priority.ts';
import { startOutput } from '../run/start-output.ts';
import { parseCallbackUrl } from '../webhooks/callback-url.ts';
import { findFacts, planOutputs, readRequest } from './read-request.ts';

/**
 * Takes in an export: once it resolves, the export survives whatever happens to this process. (C8)
 *
 * @throws ExportError with everything that is wrong with the request; `idempotency.conflict`, `queue.full`, `disk.full`.
 */
export async function submitExport(
  submission: Submission,
  context: ExportsContext,
  signal: AbortSignal,
): Promise<{ id: string; created: boolean }> {
  const known = await repeated(submission, context);
  if (known !== null) return { id: known, created: false };
  await requireRoom(context);

  const { texts, uploads, callbackUrl } = submission;
  if (callbackUrl !== null) parseCallbackUrl(callbackUrl, context.policy.allowPrivateCallbacks);
  const request = readRequest(texts, uploads.keys(), context.rules);
  const files = new Map([...uploads].map(([field, { path, sha256 }]) => [field, { path, hash: sha256 }]));
  const facts = await context.probing.run(submission.tenant, signal, () => findFacts(request, files, context, signal));
  const plans = planOutputs(request, facts, context.rules);
  const used = new Map([...uploads].filter(([field]) => facts.has(field)));

  const id = randomUUID();
  const record = newExport(id, submission, plans, used, request.settings, context);
  let kept = false;
  try {
    kept = await keep(record, plans, used, context);
    if (kept) return { id, created: true };
  } finally {
    if (!kept) await discard(record, context);
  }
  // Someone else used the key at the same moment: theirs counts, and ours never was.
  const winner = await repeated(submission, context);
  if (winner === null) throw new Error('an export was refused for a key that nobody holds');
  return { id: winner, created: false };
}

/** The export made before under the same key; another content under it is refused. (C9) */
async function repeated(submission: Submission, { records, database }: ExportsContext): Promise<string | null> {
  const { tenant, idempotencyKey, requestHash } = submission;
  if (idempotencyKey === null) return null;
  const earlier = await records.findByIdempotencyKey(tenant, idempotencyKey, database);
  if (earlier === null) return null;
  if (earlier.requestHash === requestHash) return earlier.id;
  const message = 'This Idempotency-Key was used before with other content. Use a new key for a new request.';
  throw new ExportError('invalid', 'idempotency.conflict', message);
}

/** Turns exports away before they cost anything: when too many wait, and when the disk runs full. */
async function requireRoom({ records, database, blobs, policy }: ExportsContext): Promise<void> {
  if ((await records.countWaiting(database)) >= policy.maxWaiting) {
    const message = `${policy.maxWaiting} exports are waiting already. Try again later.`;
    throw new ExportError('unavailable', 'queue.full', message);
  }
  const space = await blobs.space();
  if (space === null) return;
  const needed = Math.max(policy.minFreeDiskBytes, (space.totalBytes * policy.minFreeDiskPercent) / 100);
  if (space.freeBytes < needed) {
    throw new ExportError(
      'unavailable',
      'disk.full',
      'There is not enough room on the disk for another export. Try again later.',
    );
  }
}

/** Files first, then the record that makes an export of them, with its jobs. False where the key is taken. */
async function keep(
  record: NewExport,
  plans: readonly RenderPlan[],
  uploads: ReadonlyMap<string, SubmittedFile>,
  context: ExportsContext,
): Promise<boolean> {
  using _held = context.pins.pin(record.uploads.map(({ hash }) => hash));
  await keepUploads(uploads.values(), context);
  await keepPlans(record.id, plans, context);
  // Awaited here: the uploads must be held until the record is written.
  return await context.database.transaction(async (tx) => {
    if (!(await context.records.insert(record, tx))) return false;
    await startOutputs(record.id, plans, context, tx);
    return true;
  });
}

/** An export that came to nothing leaves nothing: on a full disk above all, what is in nobody's record only harms. */
async function discard({ id, uploads, outputs }: NewExport, context: ExportsContext): Promise<void> {
  const { blobs, database, records, pins, log } = context;
  try {
    for (const { preset } of outputs) {
      await blobs.delete(planKey(id, preset));
      await unpinParts(id, preset, context);
    }
    await pins.exclusively(async () => {
      const inUse = await records.uploadsInUse(database);
      for (const { hash } of uploads) if (!inUse.has(hash) && !pins.has(hash)) await blobs.delete(uploadKey(hash));
    });
  } catch (error) {
    // The reason it came to nothing is what counts; the next sweep finds the rest.
    log('warn', 'what a refused export left could not be removed', { error });
  }
}

/** The same content is kept once, however often it is uploaded. */
async function keepUploads(files: Iterable<SubmittedFile>, { blobs, pins }: ExportsContext): Promise<void> {
  for (const { path, sha256 } of files) {
    const key = uploadKey(sha256);
    await pins.exclusively(async () => {
      if ((await blobs.info(key)) === null) await blobs.adopt(key, path);
    });
  }
}

async function keepPlans(id: string, plans: readonly RenderPlan[], { blobs }: ExportsContext): Promise<void> {
  for (const plan of plans) {
    await blobs.put(planKey(id, plan.preset), Readable.from([JSON.stringify(plan)]), new AbortController().signal);
  }
}

function newExport(
  id: string,
  submission: Submission,
  plans: readonly RenderPlan[],
  uploads: ReadonlyMap<string, SubmittedFile>,
  settings: NewExport['settings'],
  { now, rules }: ExportsContext,
): NewExport {
  const [selected] = plans as [RenderPlan, ...RenderPlan[]];
  const place = new Map(rules.presets.map(({ name }, index) => [name, index]));
  const inOrder = plans.toSorted((a, b) => place.get(a.preset)! - place.get(b.preset)!);
  return {
    id,
    tenant: submission.tenant,
    createdAtMs: now(),
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
    uploads: [...uploads].map(([field, { sha256, bytes }]) => ({ field, hash: sha256, bytes })),
    outputs: inOrder.map(({ preset, canvas, totalFrames }) => ({
      preset,
      width: canvas.width,
      height: canvas.height,
      totalFrames,
      planKey: planKey(id, preset),
    })),
  };
}

async function startOutputs(
  id: string,
  [selected, ...others]: readonly RenderPlan[],
  context: ExportsContext,
  tx: Transaction,
): Promise<void> {
  await startOutput(id, selected!, PRIORITY.selected, context, tx);
  if (context.policy.prerender === 'selected') return;
  for (const plan of others) await startOutput(id, plan, PRIORITY.other, context, tx);
}
