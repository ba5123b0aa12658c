import type { FastifyInstance } from 'fastify';
import { EXPORT_LIST } from '../replies/export-replies.ts';
import { cursorOf, nextQuery, parseListQuery } from '../replies/list-query.ts';
import { unknownExport } from '../replies/problem.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { findExport, requirePreset } from './export-output.ts';

/** `GET /video/exports`: the tenant's exports, newest first, by page. (C40) */
export function listRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Querystring: Record<string, string | string[]> }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports',
    handler: async (request, reply) => {
      negotiate(request.headers.accept, ['application/json']);
      const { listing, warnings } = parseListQuery(request.query);
      const { exports, next } = await api.list(request.tenant!, listing);
      reply.headers({ 'cache-control': 'no-store', vary: 'Accept' });
      const cursor = next === null ? null : cursorOf(next);
      if (cursor !== null) reply.header('link', `</video/exports?${nextQuery(request.query, cursor)}>; rel="next"`);
      return EXPORT_LIST.write({ exports, next, warnings });
    },
  });
}

/**
 * `DELETE /video/exports/<id>`: cancels its work and removes every file; `…/outputs/<preset>`: stops one preset. (C29)
 */
export function deleteRoutes(app: FastifyInstance, { api, config }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/video/exports/:id', async (request, reply) => {
    const { id } = await findExport(api, request.tenant, request.params.id);
    if (!(await api.remove(request.tenant!, id))) throw unknownExport();
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string; preset: string } }>(
    '/video/exports/:id/outputs/:preset',
    async (request, reply) => {
      const { id } = await findExport(api, request.tenant, request.params.id);
      const preset = requirePreset(config.presets, request.params.preset);
      if (!(await api.stop(request.tenant!, id, preset))) throw unknownExport();
      return reply.code(204).send();
    },
  );
}
