import type { FastifyInstance } from 'fastify';
import { requireForm } from '../multipart/boundary.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { negotiate } from '../wire/accept.ts';
import { settingsMetadata } from '../wire/export-metadata.ts';
import { admit, receiveForm } from './receive-form.ts';

/** `POST /video/exports/validate`: the errors of a create, or its warnings and plan; stores nothing. (C30) */
export function validateRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/exports/validate', async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    requireForm(request.headers['content-type']);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context);
    const { texts, uploads } = form;
    reply.raw.socket?.setTimeout(0);
    const checked = { tenant: request.tenant!, texts, uploads };
    const { settings, timelineData, durationSeconds, planJson, ...rest } = await context.api.validate(
      checked,
      clientGone(reply),
    );
    reply.header('cache-control', 'no-store');
    const described = { duration: durationSeconds, timeline_data: timelineData, ...rest, plan_json: planJson };
    return { ok: true, settings: settingsMetadata(settings), ...described };
  });
}
