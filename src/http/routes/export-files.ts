import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CaptionFormat, Poster } from '../../exports/api/open-output.ts';
import { sha256 } from '../../platform/sha256.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { PUBLISHING_KIT, posterPath } from '../replies/export-replies.ts';
import { notReady, unknownExport } from '../replies/problem.ts';
import type { RouteContext } from '../server/route-context.ts';
import { hasTag } from '../server/send-media.ts';
import { clientGone } from '../server/wait-within.ts';
import { answerWhenReady } from './download.ts';
import { findExport } from './export-output.ts';

const TYPES = {
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
} as const satisfies Record<CaptionFormat, string>;

/**
 * `GET /video/exports/<id>/captions.vtt` and `captions.srt`: all subtitles of the video. (C43)
 * Needs no key, like downloads, because a player's `<track>` sends none.
 */
export function captionsRoutes(app: FastifyInstance, { api }: RouteContext): void {
  for (const format of ['vtt', 'srt'] as const) {
    app.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: `/video/exports/:id/captions.${format}`,
      config: { open: true },
      handler: async (request, reply) => {
        const { id } = await findExport(api, null, request.params.id);
        const captions = await api.captions(id, format);
        if (captions === null) throw notReady('captions');
        const etag = `"${sha256(captions)}"`;
        reply.headers({ etag, 'cache-control': 'private, no-cache', 'cross-origin-resource-policy': 'cross-origin' });
        const known = request.headers['if-none-match'];
        if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
        return reply.type(TYPES[format]).send(captions);
      },
    });
  }
}

/**
 * `GET /video/exports/<id>/chapters`: one line for each chapter, to paste below a video. Needs no key, like downloads.
 * (C28, C81)
 */
export function chaptersRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id/chapters',
    config: { open: true },
    handler: async (request, reply) => {
      const { id } = await findExport(api, null, request.params.id);
      const chapters = await api.chapters(id);
      if (chapters === null) throw notReady('chapters');
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(chapters);
    },
  });
}

/** `GET /video/exports/<id>/publish.json`: title, description, chapters and tags, for the export's tenant. (R40) */
export function publishingRoutes(app: FastifyInstance, { api, closing }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/video/exports/:id/publish.json', async (request, reply) => {
    const tenant = request.tenant!;
    const { id } = await findExport(api, tenant, request.params.id);
    using ended = new FirstSignal(clientGone(reply), closing);
    const kit = await api.publishingKit(tenant, id, ended.signal);
    if (kit === null) throw notReady('publishing kit');
    return reply.header('cache-control', 'no-store').send(PUBLISHING_KIT.write({ id, ...kit }));
  });
}

/**
 * `GET /video/exports/<id>/documents`: what was sent, in the form of a create, for the export's tenant. (C94)
 * The texts are not parsed: a long one would hold up other requests.
 */
export function documentsRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/video/exports/:id/documents', async (request, reply) => {
    const tenant = request.tenant!;
    const { id } = await findExport(api, tenant, request.params.id);
    const documents = await api.documents(tenant, id);
    if (documents === null) throw unknownExport();
    const { texts, media } = documents;
    const media_refs = Object.fromEntries(media);
    const head = JSON.stringify({ ok: true, export_id: id, media_refs });
    const members = [...texts].flatMap(([name, text]) => [`,${JSON.stringify(name)}:`, withoutMark(text)]);
    const json = Buffer.concat([head.slice(0, -1), ...members, '}'].map((part) => Buffer.from(part)));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(json);
  });
}

/** A byte order mark is allowed at the start of a document, but not inside another one. */
function withoutMark(text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** `GET /video/exports/<id>/poster`: the finished board as a JPEG; waits like a download. (C28) */
export function posterRoutes(app: FastifyInstance, context: RouteContext): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id/poster',
    config: { open: true },
    handler: async (request, reply) => {
      const { id, settings } = await findExport(context.api, null, request.params.id);
      const wanted = { id, output: settings.preset, address: posterPath(id), what: 'poster' } as const;
      const open = () => context.api.poster(id);
      return answerWhenReady(
        wanted,
        { open, send: (ready) => sendPoster(ready, request, reply) },
        request,
        reply,
        context,
      );
    },
  });
}

function sendPoster({ jpeg, sha256 }: Poster, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = `"${sha256}"`;
  reply.headers({ etag, 'cache-control': 'private, max-age=300', 'cross-origin-resource-policy': 'cross-origin' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  return reply.type('image/jpeg').send(jpeg);
}
