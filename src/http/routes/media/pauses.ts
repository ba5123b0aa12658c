import type { FastifyInstance } from 'fastify';
import type { Pauses } from '../../../exports/api/pauses.ts';
import { FirstSignal } from '../../../platform/first-signal.ts';
import { PAUSES_FIELDS } from '../../../timeline/wanted/wanted-pauses.ts';
import { requireForm } from '../../multipart/boundary.ts';
import type { RouteContext } from '../../server/route-context.ts';
import { clientGone } from '../../server/wait-within.ts';
import { admit, receiveForm } from '../receive-form.ts';

const FORM = { plainFields: new Set<string>(PAUSES_FIELDS), hasDocuments: false };

/** `POST /video/pauses`: the pauses in the speech of a file; stores nothing. (C78) */
export function pausesRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/pauses', async (request, reply) => {
    requireForm(request.headers['content-type']);
    const tenant = request.tenant!;
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context, FORM);
    // From here on the service keeps the connection idle, while it searches the file.
    reply.raw.socket?.setTimeout(0);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    const { texts, uploads } = form;
    const { duration, pauses, speech } = await context.api.pauses({ tenant, texts, uploads }, ended.signal);
    reply.raw.socket?.setTimeout(context.config.socketTimeoutSeconds * 1000);
    reply.header('cache-control', 'no-store');
    return { ok: true, duration, pauses: pauses.map(toMillis), speech: speech.map(toMillis) };
  });
}

/** Milliseconds are precise enough. */
function toMillis({ start, end }: Pauses['pauses'][number]): Pauses['pauses'][number] {
  return { start: Math.round(start * 1000) / 1000, end: Math.round(end * 1000) / 1000 };
}
