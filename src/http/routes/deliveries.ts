import type { FastifyInstance } from 'fastify';
import type { Deliveries } from '../../exports/api/export-view.ts';
import type { RouteContext } from '../server/route-context.ts';
import { negotiate } from '../wire/accept.ts';
import { findExport } from './find-export.ts';

const URL = '/video/exports/:id/deliveries';

/** `GET` and `POST /video/exports/<id>/deliveries`: the deliveries of the webhook, and a new try. (C41) */
export function deliveriesRoutes(app: FastifyInstance, { api, closing }: RouteContext): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: URL,
    handler: async (request, reply) => {
      negotiate(request.headers.accept, ['application/json']);
      const { id } = await findExport(api, request.tenant, request.params.id);
      reply.header('cache-control', 'no-store');
      return deliveriesMetadata(id, await api.deliveries(id));
    },
  });
  app.post<{ Params: { id: string } }>(URL, async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    const { id } = await findExport(api, request.tenant, request.params.id);
    reply.header('cache-control', 'no-store');
    return deliveriesMetadata(id, await api.redeliver(id, closing));
  });
}

/** Without the address and the signature, because an address may contain a secret. */
function deliveriesMetadata(id: string, { state, nextAtMs, attempts }: Deliveries) {
  return {
    ok: true,
    export_id: id,
    callback_state: state,
    next_attempt_at: nextAtMs === null ? null : new Date(nextAtMs).toISOString(),
    deliveries: attempts.map(({ type, atMs, durationMs, delivered, status, reason }) => ({
      type,
      at: new Date(atMs).toISOString(),
      duration: durationMs / 1000,
      outcome: delivered ? 'delivered' : 'failed',
      status,
      detail: reason,
    })),
  };
}
