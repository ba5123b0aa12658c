import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { hasTag } from '../wire/byte-ranges.ts';
import { notReady } from '../wire/problem.ts';
import { findExport } from './find-export.ts';

/** `GET /video/exports/<id>/poster`: the finished board as a JPEG. (C28) */
export function posterRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id/poster',
    config: { open: true },
    handler: async (request, reply) => {
      const { id } = await findExport(api, null, request.params.id);
      const poster = await api.poster(id);
      if (poster === null) throw notReady('poster');
      const etag = `"${poster.sha256}"`;
      reply.headers({ etag, 'cache-control': 'private, max-age=300', 'cross-origin-resource-policy': 'cross-origin' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      return reply.type('image/jpeg').send(poster.jpeg);
    },
  });
}
