import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { FirstSignal } from '../../platform/first-signal.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { negotiate } from '../wire/accept.ts';
import { eventLines, lastSeenRevision } from '../wire/event-lines.ts';
import { findExport } from './find-export.ts';

/**
 * `GET /video/exports/<id>/events`: `progress` and `state` as Server-Sent Events, until the export is settled. (C26)
 */
export function eventsRoutes(app: FastifyInstance, { api, config, closing }: RouteContext): void {
  app.get<{ Params: { id: string } }>('/video/exports/:id/events', async (request, reply) => {
    negotiate(request.headers.accept, ['text/event-stream']);
    const view = await findExport(api, request.tenant, request.params.id);
    const given = request.headers['last-event-id'];
    const lastSeen = typeof given === 'string' ? given : null;
    // Browsers reconnect when a stream ends; 204 tells them to stop.
    if (view.settled && lastSeenRevision(lastSeen, view) === view.revision) return reply.code(204).send();
    const ended = new FirstSignal(clientGone(reply), closing);
    reply.raw.once('close', () => ended[Symbol.dispose]());
    const lines = eventLines(api.follow(view.id, ended.signal), {
      lastSeen,
      heartbeatMs: config.heartbeatSeconds * 1000,
      found: view,
      ended: ended.signal,
    });
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // Pulled at the client's speed: a slow client misses steps, and nothing is buffered for it.
    return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }));
  });
}
