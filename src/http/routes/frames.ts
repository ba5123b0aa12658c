import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FrameFormat, FramePicture, ThumbnailFormat } from '../../exports/api/exports-api.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { FRAME_FIELDS, THUMBNAIL_FIELDS } from '../../timeline/wanted-fields.ts';
import { requireForm } from '../multipart/read-multipart.ts';
import { parseThumbnailQuery } from '../replies/list-query.ts';
import { notReady, warningsHeader } from '../replies/problem.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { findExport } from './export-output.ts';
import { type FormTaker, SENT_DOCUMENTS, STORED_PROJECT } from './form-taker.ts';
import { admit, receiveForm } from './receive-form.ts';

const FORMATS = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const satisfies Record<
  string,
  FrameFormat
>;
const TYPES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

/** A frame takes less than a second, so a refused client can retry soon. */
const RETRY_SECONDS = '1';

const FORM = { plainFields: new Set<string>(FRAME_FIELDS), hasDocuments: true };

/** `POST /video/frames`: one frame of the video that a create would make; stores nothing. (C39, C84) */
export function framesRoutes(app: FastifyInstance, context: RouteContext): void {
  for (const form of [SENT_DOCUMENTS, STORED_PROJECT]) frameRoute(app, form, context);
}

function frameRoute(app: FastifyInstance, taker: FormTaker, context: RouteContext): void {
  app.post(`${taker.base}/frames`, async (request, reply) => {
    const type = negotiate(request.headers.accept, TYPES);
    taker.require(request.headers['content-type']);
    using _place = placeOf(request, reply, context);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await taker.take(request, reply, admitted, context, FORM);
    const wanted = { tenant: request.tenant!, texts: form.texts, uploads: form.uploads, format: FORMATS[type] };
    const picture = await unhurried(reply, context, (signal) => context.api.frame(wanted, signal));
    reply.headers({ ...headersOf(picture), 'cache-control': 'no-store', vary: 'Accept' }).type(type);
    // Returned instead of sent, so that the uploads are removed before the response.
    return picture.bytes;
  });
}

const THUMBNAIL_FORMATS = { 'image/jpeg': 'jpeg', 'image/png': 'png' } as const satisfies Record<
  string,
  ThumbnailFormat
>;
const THUMBNAIL_TYPES = Object.keys(THUMBNAIL_FORMATS) as (keyof typeof THUMBNAIL_FORMATS)[];

const THUMBNAIL_FORM = { plainFields: new Set<string>(THUMBNAIL_FIELDS), hasDocuments: true };

/** `POST /video/thumbnails`: a thumbnail of documents, without a render; stores nothing. (C92) */
export function thumbnailsRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/thumbnails', async (request, reply) => {
    const type = negotiate(request.headers.accept, THUMBNAIL_TYPES);
    requireForm(request.headers['content-type']);
    using _place = placeOf(request, reply, context);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context, THUMBNAIL_FORM);
    const wanted = {
      tenant: request.tenant!,
      texts: form.texts,
      uploads: form.uploads,
      format: THUMBNAIL_FORMATS[type],
    };
    const picture = await unhurried(reply, context, (signal) => context.api.thumbnail(wanted, signal));
    replyPicture(reply, type, picture);
    return picture.bytes;
  });
}

/** `GET /video/exports/<id>/thumbnail`: a thumbnail of an export, for its tenant. (C92) */
export function exportThumbnailRoutes(app: FastifyInstance, context: RouteContext): void {
  const { api } = context;
  app.get<{ Params: { id: string }; Querystring: Record<string, string | string[]> }>(
    '/video/exports/:id/thumbnail',
    async (request, reply) => {
      const type = negotiate(request.headers.accept, THUMBNAIL_TYPES);
      const { texts, warnings } = parseThumbnailQuery(request.query);
      const tenant = request.tenant!;
      const { id } = await findExport(api, tenant, request.params.id);
      using _place = placeOf(request, reply, context);
      const wanted = { tenant, id, texts, format: THUMBNAIL_FORMATS[type] };
      const picture = await unhurried(reply, context, (signal) => api.exportThumbnail(wanted, signal));
      if (picture === null) throw notReady('thumbnail');
      replyPicture(reply, type, { ...picture, warnings: [...warnings, ...picture.warnings] });
      return picture.bytes;
    },
  );
}

/** A place among the pictures that are in progress. @throws `frame.too_many`, which says when to retry */
function placeOf(request: FastifyRequest, reply: FastifyReply, { api }: RouteContext): Disposable {
  reply.header('retry-after', RETRY_SECONDS);
  const place = api.admitFrame(request.tenant!);
  reply.removeHeader('retry-after');
  return place;
}

/** Waits for a picture on a connection that is idle meanwhile, unless the client goes or the service ends. */
async function unhurried<Picture>(
  reply: FastifyReply,
  { config, closing }: RouteContext,
  make: (signal: AbortSignal) => Promise<Picture>,
): Promise<Picture> {
  reply.raw.socket?.setTimeout(0);
  using ended = new FirstSignal(clientGone(reply), closing);
  const picture = await make(ended.signal);
  reply.raw.socket?.setTimeout(config.socketTimeoutSeconds * 1000);
  return picture;
}

function replyPicture(reply: FastifyReply, type: string, { warnings }: Pick<FramePicture, 'warnings'>): void {
  reply.headers({ ...warningsHeader(warnings), 'cache-control': 'no-store', vary: 'Accept' }).type(type);
}

function headersOf({ frame, totalFrames, seconds, warnings }: FramePicture): Record<string, string> {
  return {
    'tiercut-frame': String(frame),
    'tiercut-frames': String(totalFrames),
    'tiercut-time': String(Number(seconds.toFixed(6))),
    // `POST /video/exports/validate` returns them all.
    ...warningsHeader(warnings),
  };
}
