import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { EventView } from '../../exports/api/events-api.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import { shownText, shownValue } from '../../timeline/json/shown-value.ts';
import { isJson, readJsonBody } from '../multipart/read-json-body.ts';
import { BATCH } from '../replies/batch-replies.ts';
import { DELIVERIES, EVENT_DETAILS, EVENT_LIST, type EventData, removedData } from '../replies/event-replies.ts';
import { callbackMetadata } from '../replies/export-replies.ts';
import { cursorOf, parseEventQuery } from '../replies/list-query.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { findExport } from './export-output.ts';
import { continueReading } from './media.ts';

type Query = Record<string, string | string[]>;

/** The same for unknown events and other tenants'. (H19) */
function unknownEvent(): ExportError {
  return new ExportError(
    'missing',
    'event.unknown',
    'This event does not exist, or its export was deleted or has expired.',
  );
}

/**
 * Sends a page of the tenant's events, or of those of one export. (C93)
 *
 * @param path the address of the list, for that of its next page.
 */
export async function replyEvents(
  path: string,
  exportId: string | null,
  query: Query,
  {
    request,
    reply,
    api,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply } & Pick<RouteContext, 'api'>,
): Promise<unknown> {
  const { warnings, ...asked } = parseEventQuery(query);
  const { events, next } = await api.events.list(request.tenant!, { exportId, ...asked });
  reply.headers({ 'cache-control': 'no-store', vary: 'Accept' });
  if (next !== null) {
    const parameters = new URLSearchParams(exportId === null ? {} : { format: 'list' });
    for (const [name, value] of Object.entries({ ...query, cursor: cursorOf(next) }))
      if (/^(type|limit|cursor)$/.test(name) && typeof value === 'string' && value !== '') parameters.set(name, value);
    reply.header('link', `<${path}?${parameters}>; rel="next"`);
  }
  return EVENT_LIST.write({ events, next, warnings });
}

/** What a webhook about an event would send now. */
function dataOf({ subject, ...event }: EventView, publicUrl: RouteContext['config']['publicUrl']): EventData {
  if ('batch' in subject) return BATCH.write(subject.batch);
  return subject.view === null ? removedData(event, subject.state) : callbackMetadata(subject.view, publicUrl);
}

/** `/events`: what happened to the exports and batches of a tenant. (C93) */
export function eventRoutes(app: FastifyInstance, context: RouteContext): void {
  const { api, config, closing } = context;
  const write = (event: EventView | null) => {
    if (event === null) throw unknownEvent();
    return EVENT_DETAILS.write({ ...event, data: dataOf(event, config.publicUrl) });
  };
  app.route<{ Querystring: Query }>({
    method: ['GET', 'HEAD'],
    url: '/events',
    handler: (request, reply) => {
      negotiate(request.headers.accept, ['application/json']);
      return replyEvents('/events', null, request.query, { request, reply, api });
    },
  });
  app.route<{ Params: { event_id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/events/:event_id',
    handler: async (request, reply) => {
      negotiate(request.headers.accept, ['application/json']);
      reply.header('cache-control', 'no-store');
      return write(await api.events.find(request.tenant!, request.params.event_id));
    },
  });
  app.post<{ Params: { event_id: string } }>('/events/:event_id/deliveries', async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    reply.header('cache-control', 'no-store');
    const { event_id: id } = request.params;
    // Unknown before anything is said of the body.
    if ((await api.events.find(request.tenant!, id)) === null) throw unknownEvent();
    const webhook = await readMember('webhook', request, reply, context);
    return write(await api.events.resend(request.tenant!, id, webhook, closing));
  });
}

const DELIVERIES_URL = '/video/exports/:id/deliveries';
const BODY: JsonLimits = { maxBytes: 4096, maxDepth: 2, maxValues: 100 };

/** `GET` and `POST /video/exports/<id>/deliveries`: the deliveries of the webhook, and a new try. (C41) */
export function deliveriesRoutes(app: FastifyInstance, context: RouteContext): void {
  const { api, closing } = context;
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: DELIVERIES_URL,
    handler: async (request, reply) => {
      negotiate(request.headers.accept, ['application/json']);
      const { id } = await findExport(api, request.tenant, request.params.id);
      reply.header('cache-control', 'no-store');
      return DELIVERIES.write({ id, ...(await api.deliveries(id)) });
    },
  });
  app.post<{ Params: { id: string } }>(DELIVERIES_URL, async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    const { id } = await findExport(api, request.tenant, request.params.id);
    const eventId = await readMember('event_id', request, reply, context);
    reply.header('cache-control', 'no-store');
    if (eventId === null) return DELIVERIES.write({ id, ...(await api.redeliver(id, closing)) });
    const event = await api.events.find(request.tenant!, eventId);
    if (event?.exportId !== id) throw unknownEvent();
    await api.events.resend(request.tenant!, eventId, null, closing);
    return DELIVERIES.write({ id, ...(await api.deliveries(id)) });
  });
}

/** The one member of a JSON body; null without one, as a body is optional. */
async function readMember(
  known: 'event_id' | 'webhook',
  request: FastifyRequest,
  reply: FastifyReply,
  context: Pick<RouteContext, 'config' | 'closing'>,
): Promise<string | null> {
  if (!isJson(request.headers['content-type'])) return null;
  const members = await readSmallBody(request, reply, context);
  const issues = new IssueList();
  for (const name of Object.keys(members)) {
    // A body that names the event in another way must not send another event.
    if (name !== known) issues.error('', 'field.unknown', `The only member is ${known}, not ${shownText(name)}.`);
  }
  const value = members[known];
  if (value !== undefined && typeof value !== 'string')
    issues.error(`/${known}`, 'field.type', `${known} must be a text, not ${shownValue(value)}.`);
  issues.throwIfFailed();
  return typeof value === 'string' ? value : null;
}

/** Reads a body of a few members. */
export async function readSmallBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, closing }: Pick<RouteContext, 'config' | 'closing'>,
): Promise<Readonly<Record<string, unknown>>> {
  using ended = new FirstSignal(clientGone(reply), closing);
  return readJsonBody(request.raw, {
    json: BODY,
    patience: config.limits,
    signal: ended.signal,
    onReading: () => continueReading(request, reply),
  });
}
