import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import { unknownWebhook } from '../../exports/api/webhooks-api.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { isJson } from '../multipart/read-json-body.ts';
import { WEBHOOK, WEBHOOK_LIST } from '../replies/webhook-replies.ts';
import type { RouteContext } from '../server/route-context.ts';
import { readSmallBody } from './events.ts';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** @throws `webhook.address` */
function readName(text: string): string {
  if (NAME.test(text)) return text;
  const message = `The name of a webhook has 1 to 64 characters, a to z, 0 to 9, "-" and "_", not ${shownText(text)}.`;
  throw new ExportError('malformed', 'webhook.address', message);
}

function notJson(): ExportError {
  const message = 'The body must be JSON: { "url": "https://…", "events": […] }, with Content-Type: application/json.';
  return new ExportError('unsupported', 'request.not_json', message);
}

interface WebhookRequest {
  readonly Params: { readonly name: string };
}

/** `/webhooks`: the webhooks that a tenant has registered. (C96) */
export function webhookRoutes(app: FastifyInstance, context: RouteContext): void {
  const { webhooks } = context.api;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/webhooks',
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return WEBHOOK_LIST.write(await webhooks.list(request.tenant!));
    },
  });
  app.route<WebhookRequest>({
    method: ['GET', 'HEAD'],
    url: '/webhooks/:name',
    handler: async (request, reply) => {
      const webhook = await webhooks.find(request.tenant!, readName(request.params.name));
      if (webhook === null) throw unknownWebhook();
      reply.header('cache-control', 'no-store');
      return WEBHOOK.write({ ...webhook, secret: null });
    },
  });
  app.put<WebhookRequest>('/webhooks/:name', async (request, reply) => {
    const name = readName(request.params.name);
    if (!isJson(request.headers['content-type'])) throw notJson();
    const settings = await readSmallBody(request, reply, context);
    const { webhook, secret, isNew } = await webhooks.put(request.tenant!, name, settings);
    if (isNew) reply.code(201).header('location', `/webhooks/${name}`);
    reply.header('cache-control', 'no-store');
    return WEBHOOK.write({ ...webhook, secret });
  });
  app.delete<WebhookRequest>('/webhooks/:name', async (request, reply) => {
    if (!(await webhooks.remove(request.tenant!, readName(request.params.name)))) throw unknownWebhook();
    return reply.code(204).send();
  });
}
