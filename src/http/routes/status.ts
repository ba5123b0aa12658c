import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExportView, isFinal } from '../../exports/api/export-view.ts';
import { type ExportPageOptions, exportPage } from '../pages/export-page.ts';
import type { RouteContext } from '../server/route-context.ts';
import { PAGE_POLICY } from '../server/security-headers.ts';
import { waitWithin } from '../server/wait-within.ts';
import { negotiate } from '../wire/accept.ts';
import { hasTag } from '../wire/byte-ranges.ts';
import { exportMetadata } from '../wire/export-metadata.ts';
import { readPreferences } from '../wire/prefer.ts';
import { keyRequired } from '../wire/problem.ts';
import { seenStateRevision, statusTag } from '../wire/status-tag.ts';
import { findExport } from './find-export.ts';

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
        return exportPage(exportMetadata(view), { chapters, settled: view.settled, visitor });
      }
      if (request.tenant === null) throw keyRequired();
      const view = await findExport(api, request.tenant, request.params.id);
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
  { api, config, closing }: RouteContext,
): Promise<ExportView> {
  const { waitSeconds } = readPreferences(request.headers.prefer);
  if (waitSeconds === null) return view;
  const seconds = Math.min(waitSeconds, config.waitLimitSeconds);
  reply.header('preference-applied', `wait=${seconds}`);
  const seen = seenStateRevision(request.headers['if-none-match']);
  const isNews = (now: ExportView) => now.settled || now.stateRevision > (seen ?? view.stateRevision);
  if (seconds === 0 || isNews(view) || (seen === null && isFinal(view.state))) return view;
  const watch = async (signal: AbortSignal) => {
    for await (const now of api.follow(view.id, signal)) if (isNews(now)) return;
  };
  await waitWithin(watch, { seconds, reply, closing });
  return findExport(api, request.tenant, view.id);
}

function replyStatus(view: ExportView, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = JSON.stringify(exportMetadata(view));
  const etag = statusTag(view, body);
  reply.headers({ vary: 'Accept, Prefer', 'cache-control': 'private, no-cache', etag });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}
