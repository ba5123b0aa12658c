import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { type ExportView, isFinal } from '../../exports/api/export-view.ts';
import { type JsonBytes, readFormFields, type Submission } from '../../exports/api/submission.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { downloadPath, EXPORT, exportPath, publicAddress, VALIDATION } from '../replies/export-replies.ts';
import { cancelledMeanwhile, isStopped, replyFailure } from '../replies/problem.ts';
import { negotiate, readPreferences, STRICTLY, waitOf } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone, waitWithin } from '../server/wait-within.ts';
import { findExport, sendOutput } from './export-output.ts';
import { type FormTaker, SENT_DOCUMENTS, STORED_PROJECT } from './form-taker.ts';
import { admit, strictly } from './receive-form.ts';

/** `POST /video/exports` (C1 to C10), and the same of a stored project (C84) */
export function createRoutes(app: FastifyInstance, context: RouteContext): void {
  for (const form of [SENT_DOCUMENTS, STORED_PROJECT]) createRoute(app, form, context);
}

function createRoute(app: FastifyInstance, form: FormTaker, context: RouteContext): void {
  app.post(`${form.base}/exports`, async (request, reply) => {
    const type = negotiate(request.headers.accept, ['application/json', 'video/mp4', 'text/html']);
    // Errors in the headers are returned before the client sends gigabytes.
    form.require(request.headers['content-type']);
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    if (context.closing.aborted) throw shuttingDown();

    const patience = waitOf(request.headers.prefer, context.config.waitLimitSeconds);
    // A refusal says that it was strict.
    const handling = readPreferences(request.headers.prefer).strict ? STRICTLY : '';
    if (handling !== '') reply.header('preference-applied', handling);
    const asked = { idempotencyKey, waits: patience.seconds > 0 && type !== 'text/html', form };
    using _place = asked.waits ? context.waits.enter(request) : null;
    const { id, created, receivedAtMs } = await receiveAndSubmit(request, reply, asked, context).catch(
      (error: unknown) => {
        throw context.closing.aborted && isStopped(error) ? shuttingDown() : error;
      },
    );
    request.exportId = id;
    reply.headers({
      location: publicAddress(exportPath(id), context.config.publicUrl),
      'cache-control': 'no-store',
      vary: 'Accept, Prefer',
    });
    if (!created) reply.header('idempotency-replayed', 'true');
    if (type === 'text/html') return reply.code(303).send();
    const applied = [patience.applied, handling].filter((one) => one !== '').join(', ');
    if (applied !== '') reply.header('preference-applied', applied);
    if (patience.seconds === 0) {
      const view = await findExport(context.api, request.tenant, id);
      return replyAccepted(created ? asQueued(view) : view, type, reply, context);
    }
    const left = patience.seconds - (performance.now() - receivedAtMs) / 1000;
    return await answerWhenRendered(id, type, Math.max(0, left), request, reply, context);
  });
}

/** The files are held only until the export is durable, not during the wait that follows. */
async function receiveAndSubmit(
  request: FastifyRequest,
  reply: FastifyReply,
  { idempotencyKey, waits, form: taker }: Pick<Submission, 'idempotencyKey' | 'waits'> & { readonly form: FormTaker },
  context: RouteContext,
): Promise<{ readonly id: string; readonly created: boolean; readonly receivedAtMs: number }> {
  using admitted = await admit(request, { creates: true, idempotencyKey }, context);
  await using form = await taker.take(request, reply, admitted, context);
  const receivedAtMs = performance.now();
  const texts = strictly(form.texts, request.headers.prefer);
  const { uploads } = form;
  const tenant = request.tenant!;
  // Only compared for the same key.
  const hash = () => context.api.hashOf({ tenant, texts, uploads }, context.closing);
  const requestHash = idempotencyKey === null ? '' : (form.requestHash ?? (await hash()));
  if (admitted.known) {
    const id = await context.api.repeated({ tenant, idempotencyKey, requestHash });
    // It was deleted while its content was sent again; none of that was kept.
    if (id === null) throw cancelledMeanwhile();
    return { id, created: false, receivedAtMs };
  }
  // From here on the service keeps the connection idle, while it probes the media.
  reply.raw.socket?.setTimeout(0);
  // A client that disconnects now has sent everything, so its export continues. (C8)
  const submitted = await context.api.submit(
    { tenant, texts, uploads, idempotencyKey, requestHash, ...readFormFields(texts), project: form.source, waits },
    context.closing,
  );
  return { ...submitted, receivedAtMs };
}

async function answerWhenRendered(
  id: string,
  type: 'application/json' | 'video/mp4',
  seconds: number,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
): Promise<FastifyReply> {
  const { api, config, closing } = context;
  const preset = (await findExport(api, request.tenant, id)).settings.preset;
  const end = await waitWithin((signal) => api.waitFor(id, preset, signal), {
    seconds,
    reply,
    closing,
  });
  reply.raw.socket?.setTimeout(config.socketTimeoutSeconds * 1000);
  if (end === 'gone') return reply.code(202).send();
  const view = await api.get(request.tenant, id);
  if (view === null || view.state === 'cancelled') throw cancelledMeanwhile();
  if (view.failure !== null) return replyFailure(view.failure, request, reply);
  if (end === 'over' && !isFinal(view.state)) return replyAccepted(view, type, reply, context);
  if (type === 'application/json') return reply.code(201).send(EXPORT.write(view));
  const output = await api.openOutput(id, preset);
  if (output === null) return replyAccepted(view, type, reply, context);
  return sendOutput(output, request, reply, { inline: false, status: 201 });
}

/** The metadata; for a client that wants the video, the address of the download, which waits for it. (C7) */
function replyAccepted(
  view: ExportView,
  type: 'application/json' | 'video/mp4',
  reply: FastifyReply,
  { config }: RouteContext,
): FastifyReply {
  if (type === 'video/mp4') {
    const address = publicAddress(downloadPath(view.id, view.settings.preset), config.publicUrl);
    return reply.code(303).header('location', address).send();
  }
  return reply.code(202).header('retry-after', '2').send(EXPORT.write(view));
}

/** A new export as it was when it became durable: a worker may have been faster than this response. (C8) */
function asQueued(view: ExportView): ExportView {
  const outputs = view.outputs.map((output) => ({
    ...output,
    ...({ state: output.state === 'idle' ? 'idle' : 'queued', progress: 0, bytes: null, sha256: null } as const),
    destination: output.destination && ({ state: 'waiting', attempts: 0, error: null } as const),
  }));
  // No client can have requested a short yet.
  return { ...view, state: 'queued', progress: 0, outputs, expiresAtMs: null, failure: null };
}

/** @throws `request.idempotency_key` */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  const found = typeof header === 'string' ? `a text of ${header.length}: ${shownText(header)}` : 'several';
  const message = `Idempotency-Key must be one text of 1 to 255 printable ASCII characters, not ${found}.`;
  throw new ExportError('malformed', 'request.idempotency_key', message);
}

function shuttingDown(): ExportError {
  const message = 'The service is shutting down and accepts no new exports. Try again in a moment.';
  return new ExportError('unavailable', 'service.closing', message);
}

/** `POST /video/exports/validate`: the errors of a create, or its warnings and plan; stores nothing. (C30) */
export function validateRoutes(app: FastifyInstance, context: RouteContext): void {
  validateRoute(app, '/video/exports/validate', SENT_DOCUMENTS, context);
  validateRoute(app, `${STORED_PROJECT.base}/validate`, STORED_PROJECT, context);
}

function validateRoute(app: FastifyInstance, address: string, taker: FormTaker, context: RouteContext): void {
  app.post(address, async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    taker.require(request.headers['content-type']);
    if (readPreferences(request.headers.prefer).strict) reply.header('preference-applied', STRICTLY);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await taker.take(request, reply, admitted, context);
    const texts = strictly(form.texts, request.headers.prefer);
    const { uploads } = form;
    reply.raw.socket?.setTimeout(0);
    const checked = { tenant: request.tenant!, texts, uploads };
    const found = await context.api.validate(checked, clientGone(reply));
    reply.header('cache-control', 'no-store');
    const { timeline_data, plan, plan_json, ...told } = VALIDATION.write(found);
    return reply.type('application/json; charset=utf-8').send(withMembers(told, { timeline_data, plan, plan_json }));
  });
}

/** A JSON object with further members that are JSON texts already. */
function withMembers(told: object, members: Readonly<Record<string, JsonBytes | null>>): Buffer {
  const parts = Object.entries(members).flatMap(([name, json]) => [`,"${name}":`, json ?? 'null']);
  const pieces = [JSON.stringify(told).slice(0, -1), ...parts, '}'];
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
