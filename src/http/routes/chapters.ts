import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { notReady } from '../wire/problem.ts';
import { findExport } from './find-export.ts';

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
