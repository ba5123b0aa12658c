import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { type ExportView, isFinal } from '../../exports/api/export-view.ts';
import { readFormFields, type Submission } from '../../exports/api/submission.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { requireForm } from '../multipart/boundary.ts';
import type { RouteContext } from '../server/route-context.ts';
import { waitWithin } from '../server/wait-within.ts';
import { publicAddress } from '../wire/absolute-addresses.ts';
import { negotiate } from '../wire/accept.ts';
import { exportMetadata, exportPath } from '../wire/export-metadata.ts';
import { waitOf } from '../wire/prefer.ts';
import { cancelledMeanwhile } from '../wire/problem.ts';
import { isStopped, replyFailure } from '../wire/reply-problem.ts';
import { sendOutput } from '../wire/send-output.ts';
import { findExport } from './find-export.ts';
import { admit, receiveForm, requestHash } from './receive-form.ts';

/** `POST /video/exports` (C1 to C10) */
export function createRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/exports', async (request, reply) => {
    const type = negotiate(request.headers.accept, ['application/json', 'video/mp4', 'text/html']);
    // Errors in the headers are returned before the client sends gigabytes.
    requireForm(request.headers['content-type']);
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    if (context.closing.aborted) throw shuttingDown();

    const patience = waitOf(request.headers.prefer, context.config.waitLimitSeconds);
    const asked = { idempotencyKey, waits: patience.seconds > 0 && type !== 'text/html' };
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
    if (patience.applied !== '') reply.header('preference-applied', patience.applied);
    if (patience.seconds === 0) {
      const view = await findExport(context.api, request.tenant, id);
      return replyAccepted(created ? asQueued(view) : view, reply);
    }
    const left = patience.seconds - (performance.now() - receivedAtMs) / 1000;
    return answerWhenRendered(id, type, Math.max(0, left), request, reply, context);
  });
}

/** The files are held only until the export is durable, not during the wait that follows. */
async function receiveAndSubmit(
  request: FastifyRequest,
  reply: FastifyReply,
  { idempotencyKey, waits }: Pick<Submission, 'idempotencyKey' | 'waits'>,
  context: RouteContext,
): Promise<{ readonly id: string; readonly created: boolean; readonly receivedAtMs: number }> {
  using admitted = await admit(request, { creates: true, idempotencyKey }, context);
  await using form = await receiveForm(request, reply, admitted, context);
  const receivedAtMs = performance.now();
  const { texts, uploads } = form;
  const tenant = request.tenant!;
  if (admitted.known) {
    const id = await context.api.repeated({
      tenant,
      idempotencyKey,
      requestHash: requestHash(form, context.config.limits),
    });
    // It was deleted while its content was sent again; none of that was kept.
    if (id === null) throw cancelledMeanwhile();
    return { id, created: false, receivedAtMs };
  }
  // From here on the service keeps the connection idle, while it probes the media.
  reply.raw.socket?.setTimeout(0);
  // A client that disconnects now has sent everything, so its export continues. (C8)
  const submitted = await context.api.submit(
    {
      tenant,
      texts,
      uploads,
      idempotencyKey,
      requestHash: requestHash(form, context.config.limits),
      ...readFormFields(texts),
      waits,
    },
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
  { api, config, closing }: RouteContext,
): Promise<FastifyReply> {
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
  if (end === 'over' && !isFinal(view.state)) return replyAccepted(view, reply);
  const output = type === 'video/mp4' ? await api.openOutput(id, preset) : null;
  if (output !== null) return sendOutput(output, request, reply, { inline: false, status: 201 });
  return reply.code(201).send(exportMetadata(view));
}

function replyAccepted(view: ExportView, reply: FastifyReply): FastifyReply {
  return reply.code(202).header('retry-after', '2').send(exportMetadata(view));
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

function readIdempotencyKey(header: string | string[] | undefined): string | null {
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
