import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { CaptionsView } from '../../exports/api/speech-api.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { type CaptionSegment, captionsAsSrt, captionsAsVtt } from '../../speech/captions/caption-words.ts';
import { requireWords } from '../../speech/captions/language-clarity.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName } from '../../speech/models/caption-models.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { CAPTIONS_FIELDS, PAUSES_FIELDS } from '../../timeline/wanted-fields.ts';
import { requireForm } from '../multipart/read-multipart.ts';
import { publicAddress } from '../replies/export-replies.ts';
import {
  CAPTION_LANGUAGES,
  CAPTION_MODELS_LIST,
  CAPTIONS,
  captionsPath,
  INSTALLED_MODEL,
  PAUSES,
} from '../replies/media-replies.ts';
import { replyFailure, warningsHeader } from '../replies/problem.ts';
import { negotiate, waitOf } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone, waitWithin } from '../server/wait-within.ts';
import { admit, receiveForm } from './receive-form.ts';

const FILES = { 'text/vtt': captionsAsVtt, 'application/x-subrip': captionsAsSrt } as const satisfies Record<
  string,
  (segments: readonly CaptionSegment[]) => string
>;
const TYPES = ['application/json', 'text/vtt', 'application/x-subrip'] as const;
type CaptionsType = (typeof TYPES)[number];

const CAPTIONS_FORM = { plainFields: new Set<string>(CAPTIONS_FIELDS), hasDocuments: false };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** `POST /video/captions`, `GET` and `DELETE /video/captions/<id>`, and the languages: captions from speech. (C77) */
export function speechCaptionsRoutes(app: FastifyInstance, context: RouteContext): void {
  const { speech, config, waits, closing } = context;

  app.post('/video/captions', async (request, reply) => {
    const type = negotiate(request.headers.accept, TYPES);
    requireForm(request.headers['content-type']);
    speech.requireModel();
    const patience = waitOf(request.headers.prefer, config.waitLimitSeconds);
    using _place = patience.seconds > 0 ? waits.enter(request) : null;
    const id = await receiveAndSubmit(request, reply, context);
    reply.headers({ location: publicAddress(captionsPath(id), config.publicUrl), 'cache-control': 'no-store' });
    if (patience.applied !== '') reply.header('preference-applied', patience.applied);
    return await replyWithin(id, 201, patience.seconds, type, request, reply);
  });

  app.get('/video/captions/languages', async (_, reply) => {
    return reply.header('cache-control', 'no-store').send(CAPTION_LANGUAGES.write(speech.languages()));
  });

  app.get('/video/captions/models', async (_, reply) => {
    return reply.header('cache-control', 'no-store').send(CAPTION_MODELS_LIST.write(speech.models()));
  });

  app.route<{ Params: { model: string } }>({
    method: 'PUT',
    url: '/video/captions/models/:model',
    config: { operator: true },
    handler: async (request, reply) => {
      const installed = speech.installModel(modelOf(request.params.model));
      return reply
        .code(installed.state === 'installed' ? 200 : 202)
        .header('cache-control', 'no-store')
        .send(INSTALLED_MODEL.write(installed));
    },
  });

  app.get<{ Params: { captions_id: string } }>('/video/captions/:captions_id', async (request, reply) => {
    const type = negotiate(request.headers.accept, TYPES);
    const id = idOf(request.params.captions_id);
    const { applied, seconds } = waitOf(request.headers.prefer ?? 'respond-async', config.waitLimitSeconds);
    using _place = seconds > 0 ? waits.enter(request) : null;
    reply.header('cache-control', 'no-store');
    if (request.headers.prefer !== undefined && applied !== '') reply.header('preference-applied', applied);
    return await replyWithin(id, 200, seconds, type, request, reply);
  });

  app.delete<{ Params: { captions_id: string } }>('/video/captions/:captions_id', async (request, reply) => {
    const id = idOf(request.params.captions_id);
    if (!(await speech.remove(request.tenant!, id))) throw unknownCaptions();
    return reply.code(204).send();
  });

  async function find(request: FastifyRequest, id: string): Promise<CaptionsView> {
    const view = await speech.get(request.tenant!, id);
    if (view === null) throw unknownCaptions();
    return view;
  }

  async function replyWithin(
    id: string,
    status: 200 | 201,
    seconds: number,
    type: CaptionsType,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const wait = (signal: AbortSignal) => speech.waitFor(request.tenant!, id, signal);
    const end = seconds === 0 ? 'over' : await waitWithin(wait, { seconds, reply, closing });
    reply.raw.socket?.setTimeout(config.socketTimeoutSeconds * 1000);
    if (end === 'gone') return reply.code(202).send();
    const view = await find(request, id);
    const { transcript, failure } = view;
    reply.header('vary', 'Accept, Prefer');
    // The state of failed captions can be read; there is no file of them.
    if (failure !== null && (status === 201 || type !== 'application/json'))
      return replyFailure(failure, request, reply);
    if (transcript === null && failure === null) {
      return reply
        .code(status === 201 || type !== 'application/json' ? 202 : 200)
        .header('retry-after', '2')
        .send(CAPTIONS.write(view));
    }
    if (type === 'application/json' || transcript === null) return reply.code(status).send(CAPTIONS.write(view));
    requireWords(transcript, view.warnings);
    reply.headers(warningsHeader(view.warnings));
    return reply.code(status).type(`${type}; charset=utf-8`).send(FILES[type](transcript.segments));
  }
}

function modelOf(text: string): CaptionModelName {
  const name = CAPTION_MODEL_NAMES.find((each) => each === text);
  if (name !== undefined) return name;
  const message = `There is no speech model ${shownText(text)}. The models are ${CAPTION_MODEL_NAMES.join(' and ')}.`;
  throw new ExportError('missing', 'captions.unknown_model', message);
}

/** An invalid id is not searched for. */
function idOf(text: string): string {
  if (!UUID.test(text)) throw unknownCaptions();
  return text;
}

/** The files belong to the request; the captions are stored by then. */
async function receiveAndSubmit(request: FastifyRequest, reply: FastifyReply, context: RouteContext): Promise<string> {
  using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
  await using form = await receiveForm(request, reply, admitted, context, CAPTIONS_FORM);
  // From here on the service keeps the connection idle, while it probes the media.
  reply.raw.socket?.setTimeout(0);
  const { texts, uploads } = form;
  return await context.speech.submit({ tenant: request.tenant!, texts, uploads }, context.closing);
}

function unknownCaptions(): ExportError {
  const message = 'These captions do not exist or have expired.';
  return new ExportError('missing', 'captions.unknown', message);
}

const PAUSES_FORM = { plainFields: new Set<string>(PAUSES_FIELDS), hasDocuments: false };

/** `POST /video/pauses`: the pauses in the speech of a file; stores nothing. (C78) */
export function pausesRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/pauses', async (request, reply) => {
    requireForm(request.headers['content-type']);
    const tenant = request.tenant!;
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context, PAUSES_FORM);
    // From here on the service keeps the connection idle, while it searches the file.
    reply.raw.socket?.setTimeout(0);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    const { texts, uploads } = form;
    const found = await context.api.pauses({ tenant, texts, uploads }, ended.signal);
    reply.raw.socket?.setTimeout(context.config.socketTimeoutSeconds * 1000);
    reply.header('cache-control', 'no-store');
    return PAUSES.write(found);
  });
}
