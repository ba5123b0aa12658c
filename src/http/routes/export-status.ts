import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { type ExportView, isFinal } from '../../exports/api/export-view.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { type ExportPageOptions, exportPage } from '../pages/export-page.ts';
import { EXPORT, exportPath, PROGRESS_EVENT, removedMetadata } from '../replies/export-replies.ts';
import { PAGE_POLICY } from '../server/cross-origin.ts';
import { requiredTenant } from '../server/identify.ts';
import { negotiate, readPreferences } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { hasTag } from '../server/send-media.ts';
import { clientGone, waitWithin } from '../server/wait-within.ts';
import { replyEvents } from './events.ts';
import { findExport } from './export-output.ts';

/** Equal for the same body; it contains the state revision, which says what a client has seen. (C40) */
function statusTag({ stateRevision }: Pick<ExportView, 'stateRevision'>, body: string): string {
  return `"${stateRevision}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** The newest state among these tags; null if none of them is ours. */
function seenStateRevision(header: string | undefined): number | null {
  const revisions = [...(header ?? '').matchAll(/"(\d{1,15})\.[\w-]{22}"/g)].map(([, revision]) => Number(revision));
  return revisions.length === 0 ? null : Math.max(...revisions);
}

/**
 * `GET /video/exports/<id>`: the metadata, or a page for people. (C26)
 * A browser sends no key when it opens an address, so the page needs none, like downloads; the metadata is only for the
 * export's tenant.
 */
export function statusRoutes(app: FastifyInstance, context: RouteContext): void {
  const { api } = context;
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id',
    config: { open: true },
    handler: async (request, reply) => {
      const type = negotiate(request.headers.accept, ['application/json', 'text/html']);
      if (type === 'text/html') {
        const view = await findExport(api, null, request.params.id);
        reply.headers({ vary: 'Accept', 'cache-control': 'no-store', 'content-security-policy': PAGE_POLICY });
        reply.type('text/html; charset=utf-8');
        const chapters = await api.chapters(view.id);
        const visitor = await visitorOf(view.id, request, context);
        return exportPage(EXPORT.write(view), { chapters, settled: view.settled, visitor });
      }
      const view = await findExport(api, requiredTenant(request), request.params.id);
      return replyStatus(await waitForNews(view, request, reply, context), request, reply);
    },
  });
}

/** Whether the viewer of the page may read events; the session cookie identifies the viewer. (C51) */
async function visitorOf(
  id: string,
  { tenant }: FastifyRequest,
  { api, config }: RouteContext,
): Promise<ExportPageOptions['visitor']> {
  if (config.apiKeys.length === 0) return 'anybody';
  return tenant !== null && (await api.get(tenant, id)) !== null ? 'signed-in' : 'stranger';
}

/**
 * With `Prefer: wait=N`, waits until the state differs from the one that the client has seen, or the time is over.
 * `If-None-Match` says what the client has seen; without it, the current state counts, and an ended export is returned
 * at once. (C40, RFC 7240)
 */
async function waitForNews(
  view: ExportView,
  request: FastifyRequest,
  reply: FastifyReply,
  { api, config, waits, closing }: RouteContext,
): Promise<ExportView> {
  const { waitSeconds } = readPreferences(request.headers.prefer);
  if (waitSeconds === null) return view;
  const seconds = Math.min(waitSeconds, config.waitLimitSeconds);
  reply.header('preference-applied', `wait=${seconds}`);
  const seen = seenStateRevision(request.headers['if-none-match']);
  const isNews = (now: ExportView) => now.settled || now.stateRevision > (seen ?? view.stateRevision);
  if (seconds === 0 || isNews(view) || (seen === null && isFinal(view.state))) return view;
  using _place = waits.enter(request);
  const watch = async (signal: AbortSignal) => {
    for await (const now of api.follow(view.id, signal)) if (isNews(now)) return;
  };
  await waitWithin(watch, { seconds, reply, closing });
  return findExport(api, request.tenant, view.id);
}

function replyStatus(view: ExportView, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = JSON.stringify(EXPORT.write(view));
  const etag = statusTag(view, body);
  reply.headers({ vary: 'Accept, Prefer', 'cache-control': 'private, no-cache', etag });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

interface EventLinesOptions {
  /** The `Last-Event-ID` of a client that reconnects; null for a new one. */
  readonly lastSeen: string | null;
  readonly heartbeatMs: number;
  /** The export as it was before the follow. */
  readonly found: ExportView;
  /** Ends `views` before the export does: the client has disconnected, or the service shuts down. */
  readonly ended: AbortSignal;
}

/** The revision and numbers that the client has. */
interface SentView {
  readonly revision: number;
  /** null after a reconnect, because they are unknown. */
  readonly figures: string | null;
}

/** Live progress has no revision of its own: its events have the ids between the last revision and the next one. */
const IDS_PER_REVISION = 1_000_000;

/** The revision that a reconnected client has seen; null if its id is not from this export. */
function lastSeenRevision(lastSeen: string | null, { revision }: ExportView): number | null {
  const seen = Math.floor(idOf(lastSeen) / IDS_PER_REVISION);
  return seen === 0 || seen > revision ? null : seen;
}

/** 0 is not the id of an event: revisions start at 1. */
function idOf(lastSeen: string | null): number {
  return lastSeen !== null && /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : 0;
}

/**
 * The lines of an event stream: `state` with all metadata when more than numbers have changed, `progress` with the
 * numbers otherwise, and periodic comments so that no proxy closes the connection. The ids rise and contain the
 * revision, so that a client that reconnects gets only what it has missed. If the export is removed meanwhile, a last
 * `state` says so; an end without it means that the client should reconnect.
 */
async function* eventLines(
  views: AsyncIterable<ExportView>,
  { lastSeen, heartbeatMs, found, ended }: EventLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const iterator = views[Symbol.asyncIterator]();
  let sent: SentView | null = null;
  let latest = found;
  let lastId = lastSeenRevision(lastSeen, found) === null ? 0 : idOf(lastSeen);
  const nextId = (revision: number) => {
    lastId = Math.max(revision * IDS_PER_REVISION, lastId + 1);
    return lastId;
  };
  yield 'retry: 2000\n\n';
  try {
    let next = iterator.next();
    for (;;) {
      const step = await firstOf(next, heartbeatMs);
      if (step === 'heartbeat') {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) {
        const isRemoved = !ended.aborted && !(sent !== null && latest.settled);
        if (isRemoved) yield eventText(nextId(latest.revision + 1), 'state', removedMetadata(latest));
        return;
      }
      const view = step.value;
      latest = view;
      const seen = lastSeenRevision(lastSeen, view);
      const before: SentView | null = sent ?? (seen === null ? null : { revision: seen, figures: null });
      const figures = figuresOf(view);
      if (before === null || view.stateRevision > before.revision) {
        yield eventText(nextId(view.revision), 'state', EXPORT.write(view));
      } else if (view.revision > before.revision || (before.figures ?? figures) !== figures) {
        yield eventText(nextId(view.revision), 'progress', PROGRESS_EVENT.write(EXPORT.write(view)));
      }
      sent = { revision: view.revision, figures };
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

async function firstOf<T>(next: Promise<T>, heartbeatMs: number): Promise<T | 'heartbeat'> {
  let timer: NodeJS.Timeout | undefined;
  const heartbeat = new Promise<'heartbeat'>((resolve) => {
    timer = setTimeout(resolve, heartbeatMs, 'heartbeat');
  });
  try {
    return await Promise.race([next, heartbeat]);
  } finally {
    clearTimeout(timer);
  }
}

function eventText(id: number, event: 'state' | 'progress', data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Includes frames that are not recorded yet and are in no revision. */
function figuresOf(view: ExportView): string {
  const { outputs, shorts } = EXPORT.write(view);
  return [...Object.values(outputs), ...shorts].map(({ progress }) => progress).join();
}

const URL = '/video/exports/:id/events';

function unknownFormat(format: string | string[]): ExportError {
  const message = `format must be "list" or "stream", not ${shownText(String(format))}.`;
  return new ExportError('invalid', 'field.choice', message, { path: '/format' });
}

/**
 * `GET /video/exports/<id>/events`: `progress` and `state` as Server-Sent Events, until the export is settled; with
 * `?format=list`, its events so far. (C26, C93)
 */
export function eventsRoutes(app: FastifyInstance, { api, config, waits, closing }: RouteContext): void {
  app.get<{ Params: { id: string }; Querystring: Record<string, string | string[]> }>(URL, async (request, reply) => {
    const { format, ...query } = request.query;
    if (format !== undefined && format !== 'stream') {
      if (format !== 'list') throw unknownFormat(format);
      negotiate(request.headers.accept, ['application/json']);
      const { id } = await findExport(api, request.tenant, request.params.id);
      return replyEvents(`${exportPath(id)}/events`, id, query, { request, reply, api });
    }
    negotiate(request.headers.accept, ['text/event-stream']);
    const view = await findExport(api, request.tenant, request.params.id);
    const given = request.headers['last-event-id'];
    const lastSeen = typeof given === 'string' ? given : null;
    // Browsers reconnect when a stream ends; 204 tells them to stop.
    if (view.settled && lastSeenRevision(lastSeen, view) === view.revision) return reply.code(204).send();
    const place = waits.enter(request);
    const ended = new FirstSignal(clientGone(reply), closing);
    reply.raw.once('close', () => {
      ended[Symbol.dispose]();
      place[Symbol.dispose]();
    });
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
