import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { negotiate } from '../wire/accept.ts';
import { exportMetadata } from '../wire/export-metadata.ts';
import { cursorOf, parseListQuery } from '../wire/list-query.ts';

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
      if (cursor !== null) reply.header('link', `<${nextPage(request.query, cursor)}>; rel="next"`);
      return { ok: true, exports: exports.map(exportMetadata), next: cursor, warnings };
    },
  });
}

/** The address of the next page of the same query. (RFC 8288) */
function nextPage({ state, external_id, limit }: Record<string, string | string[]>, cursor: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ state, external_id, limit, cursor })) {
    if (typeof value === 'string' && value !== '') query.set(name, value);
  }
  return `/video/exports?${query}`;
}
