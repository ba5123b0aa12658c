import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenOutput } from '../../exports/api/open-output.ts';
import { downloadPath, publicAddress, shortPath } from '../replies/export-replies.ts';
import { readPreferences } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { waitWithin } from '../server/wait-within.ts';
import { findExport, isOwnExport, replyUnready, requirePreset, requireShort, sendOutput } from './export-output.ts';

interface DownloadRequest {
  readonly Params: { readonly id: string; readonly preset: string };
  readonly Querystring: { readonly inline?: string };
}

interface ShortRequest extends Pick<DownloadRequest, 'Querystring'> {
  readonly Params: { readonly id: string; readonly number: string };
}

/** `GET|HEAD /video/exports/<id>/download/<preset>` (C12, C27) and `…/shorts/<n>` (C52) */
export function downloadRoutes(app: FastifyInstance, context: RouteContext): void {
  app.route<DownloadRequest>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id/download/:preset',
    config: { open: true },
    handler: async (request, reply) => {
      const { api, config } = context;
      const { id } = await findExport(api, null, request.params.id);
      const preset = requirePreset(config.presets, request.params.preset);
      // The preset of an alias.
      reply.header('content-location', downloadPath(id, preset));
      return answer({ id, output: preset, address: downloadPath(id, preset) }, request, reply, context);
    },
  });
  app.route<ShortRequest>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id/shorts/:number',
    config: { open: true },
    handler: async (request, reply) => {
      const view = await findExport(context.api, null, request.params.id);
      const { preset, number } = requireShort(view, request.params.number);
      const { id } = view;
      return answer({ id, output: preset, address: shortPath(id, number) }, request, reply, context);
    },
  });
}

/** The requested output, and the address of what a client waits for. */
interface Wanted {
  readonly id: string;
  readonly output: string;
  readonly address: string;
}

function answer(
  wanted: Wanted,
  request: FastifyRequest<Pick<DownloadRequest, 'Querystring'>>,
  reply: FastifyReply,
  context: RouteContext,
): Promise<FastifyReply> {
  const inline = request.query.inline !== undefined;
  const { id, output, address } = wanted;
  const asked = { id, output, address: `${address}${inline ? '?inline' : ''}`, what: 'video' } as const;
  const open = () => context.api.openOutput(id, output);
  const send = (ready: OpenOutput) => sendOutput(ready, request, reply, { inline, status: 200 });
  return answerWhenReady(asked, { open, send }, request, reply, context);
}

/** Sends what belongs to an output at once, or when that is rendered. (C27) */
export async function answerWhenReady<T>(
  { id, output: preset, address: path, what }: Wanted & { readonly what: 'video' | 'poster' },
  { open, send }: { open(): Promise<T | null>; send(ready: T): FastifyReply | Promise<FastifyReply> },
  request: FastifyRequest,
  reply: FastifyReply,
  { api, config, waits, closing }: RouteContext,
): Promise<FastifyReply> {
  const ready = await open();
  if (ready !== null) return send(ready);
  const { waitSeconds } = readPreferences(request.headers.prefer);
  const seconds = Math.min(waitSeconds ?? Number.POSITIVE_INFINITY, config.waitLimitSeconds);
  const place = seconds === 0 ? null : waits.enter(request);
  const end = await waitWithin((signal) => api.waitFor(id, preset, signal), { seconds, reply, closing }).finally(() =>
    place?.[Symbol.dispose](),
  );
  reply.headers({ 'cache-control': 'no-store', vary: 'Prefer' });
  if (end === 'gone') return reply.code(202).send();
  const rendered = await open();
  if (rendered !== null) return send(rendered);
  const address = publicAddress(path, config.publicUrl);
  const waited = waitSeconds === null ? null : seconds;
  const own = await isOwnExport(api, request.tenant, id);
  return replyUnready(await findExport(api, null, id), { preset, what, waited, address, own }, request, reply);
}
