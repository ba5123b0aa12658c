import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { parseUsageQuery } from '../wire/list-query.ts';

/** `GET /usage`: the usage of the tenant, by UTC day. (C74) */
export function usageRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Querystring: Record<string, string | string[]> }>({
    method: ['GET', 'HEAD'],
    url: '/usage',
    handler: async (request, reply) => {
      const { from, to, warnings } = parseUsageQuery(request.query, Date.now());
      const days = await api.usage(request.tenant!, from, to);
      reply.header('cache-control', 'no-store');
      return {
        ok: true,
        from,
        to,
        days: days.map(({ day, exports, renderedSeconds, bytesStored, bytesSent }) => ({
          day,
          exports,
          rendered_seconds: renderedSeconds,
          bytes_stored: bytesStored,
          bytes_sent: bytesSent,
        })),
        warnings,
      };
    },
  });
}
