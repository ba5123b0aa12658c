import type { Writable } from 'node:stream';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { ExportError } from '../errors.ts';
import { BatchedRequest } from './multipart/batched-request.ts';
import { fontRoutes } from './pages/font-routes.ts';
import { wordRoutes } from './pages/word-routes.ts';
import { captionsRoutes } from './routes/captions.ts';
import { chaptersRoutes } from './routes/chapters.ts';
import { createRoutes } from './routes/create.ts';
import { deleteRoutes } from './routes/delete.ts';
import { deliveriesRoutes } from './routes/deliveries.ts';
import { downloadRoutes } from './routes/download.ts';
import { draftRoutes } from './routes/drafts/drafts.ts';
import { eventsRoutes } from './routes/events.ts';
import { framesRoutes } from './routes/frames.ts';
import { hlsRoutes } from './routes/hls.ts';
import { listRoutes } from './routes/list.ts';
import { mediaRoutes } from './routes/media/media.ts';
import { pausesRoutes } from './routes/media/pauses.ts';
import { speechCaptionsRoutes } from './routes/media/speech-captions.ts';
import { metaRoutes } from './routes/meta.ts';
import { pagesRoutes } from './routes/pages.ts';
import { posterRoutes } from './routes/poster.ts';
import { projectLinkRoutes } from './routes/projects/links.ts';
import { projectRoutes } from './routes/projects/projects.ts';
import { sessionRoutes } from './routes/session.ts';
import { statusRoutes } from './routes/status.ts';
import { studioRoutes } from './routes/studio.ts';
import { usageRoutes } from './routes/usage.ts';
import { validateRoutes } from './routes/validate.ts';
import { AllowedMethods } from './server/allowed-methods.ts';
import { ApiKeys } from './server/api-keys.ts';
import { ClientErrors } from './server/client-errors.ts';
import { closeWhenIdle } from './server/close-when-idle.ts';
import { allowCrossOrigin } from './server/cors.ts';
import { identify } from './server/identify.ts';
import { refuseCrossSite } from './server/known-requesters.ts';
import { limitRequests } from './server/limit-requests.ts';
import { isStillSending, lingeringAnswer } from './server/linger.ts';
import { ResponseLog, withoutExportIds } from './server/log-lines.ts';
import type { RouteContext } from './server/route-context.ts';
import { SECURITY_HEADERS } from './server/security-headers.ts';
import { type EndedSessions, Sessions } from './server/sessions.ts';
import { trustedHops } from './server/trusted-hops.ts';
import { unknownExport } from './wire/problem.ts';
import { replyProblem } from './wire/reply-problem.ts';

/** The routes, one line each. */
const ROUTES: readonly ((app: FastifyInstance, context: RouteContext) => void)[] = [
  createRoutes,
  validateRoutes,
  listRoutes,
  statusRoutes,
  eventsRoutes,
  deleteRoutes,
  downloadRoutes,
  posterRoutes,
  hlsRoutes,
  chaptersRoutes,
  captionsRoutes,
  framesRoutes,
  pausesRoutes,
  speechCaptionsRoutes,
  deliveriesRoutes,
  mediaRoutes,
  projectRoutes,
  projectLinkRoutes,
  draftRoutes,
  usageRoutes,
  sessionRoutes,
  metaRoutes,
  pagesRoutes,
  fontRoutes,
  wordRoutes,
  studioRoutes,
];

/** What the app needs; the caller disposes the metrics. */
export interface AppOptions extends Omit<RouteContext, 'keys' | 'sessions' | 'closing'> {
  readonly endedSessions: EndedSessions;
  /** The log: one JSON object for each line. `silent` is a level, too. */
  readonly log: { readonly level: string; readonly stream?: Writable };
}

/**
 * The service over HTTP, not yet listening. Closing it ends the waits of creates and followers at once (their work
 * continues elsewhere) and lets other responses finish.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { api, media, projects, drafts, speech, config, metrics, endedSessions, log } = options;
  const clientErrors = new ClientErrors();
  const app = fastify({
    logger: {
      level: log.level,
      ...(log.stream && { stream: log.stream }),
      ...(log.level !== 'debug' && { hooks: { streamWrite: withoutExportIds } }),
    },
    logController: new ResponseLog(),
    genReqId: () => crypto.randomUUID(),
    trustProxy: trustedHops(config.trustProxy),
    connectionTimeout: config.socketTimeoutSeconds * 1000,
    // A backstop for bodies that no route reads; the multipart reader is stricter and returns our own errors.
    requestTimeout: (config.limits.uploadTimeoutSeconds + config.limits.headersTimeoutSeconds) * 1000,
    http: {
      IncomingMessage: BatchedRequest,
      headersTimeout: config.limits.headersTimeoutSeconds * 1000,
      connectionsCheckingInterval: Math.min(1000, config.limits.headersTimeoutSeconds * 500),
    },
    clientErrorHandler: clientErrors.answer,
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these responses.
      addReplyHeaders(request, reply);
      replyProblem(badAddress(error), request, reply);
    },
    // Requests are checked by our own schemas, so Fastify's validator and serializer are not loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const closing = new AbortController();
  const keys = new ApiKeys(config.apiKeys);
  const sessions = new Sessions(config.apiKeys, endedSessions, config.sessionSeconds);
  const context: RouteContext = {
    api,
    media,
    projects,
    drafts,
    speech,
    config,
    metrics,
    keys,
    sessions,
    closing: closing.signal,
  };
  app.addHook('preClose', async () => closing.abort());
  closeWhenIdle(app.server, closing.signal);

  clientErrors.watch(app.server);
  acceptRawBodies(app);
  continueOnlyWhenReading(app);
  addCommonHeaders(app, context);
  refuseExpectations(app);
  answerUnknownAddresses(app);
  app.setErrorHandler((error, request, reply) => replyProblem(error, request, reply));
  refuseCrossSite(app, config);
  identify(app, context);
  await limitRequests(app, config);
  await allowCrossOrigin(app, config.corsOrigins);

  for (const routes of ROUTES) routes(app, context);
  return app;
}

/** Fastify parses no body: the routes that need one read it as a stream. */
function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** `Expect: 100-continue`: sends 100 Continue when the body is about to be read, not before. */
function continueOnlyWhenReading(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.routing(request, response));
}

/**
 * Any other expectation: Node would return 417 without a body. HTTP/1.0 has no expectations, so they are ignored there.
 */
function refuseExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.addHook('onRequest', async ({ raw: { headers, httpVersionMinor } }) => {
    if (headers.expect === undefined || httpVersionMinor === 0 || /^100-continue$/i.test(headers.expect)) return;
    const message = 'The Expect header must be 100-continue.';
    throw new ExportError('invalid', 'request.expectation', message);
  });
}

/** Adds the common headers to every response, and counts it. */
function addCommonHeaders(app: FastifyInstance, { metrics }: RouteContext): void {
  app.addHook('onRequest', async (request, reply) => addReplyHeaders(request, reply));
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isStillSending(request.raw)) return payload;
    reply.header('connection', 'close');
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    return lingeringAnswer(payload, request.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, params, tenant } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    metrics.countRequest(method, route, reply.statusCode, seconds);
    const exportId = (params as { id?: string } | undefined)?.id ?? request.exportId;
    request.log.info({ method, route, status: reply.statusCode, seconds, tenant, exportId }, 'request');
  });
}

function addReplyHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS).header('x-request-id', id);
}

/** 404 for unknown addresses, 405 for known ones with another method. */
function answerUnknownAddresses(app: FastifyInstance): void {
  const allowed = new AllowedMethods();
  app.addHook('onRoute', ({ url, method }) => allowed.add(url, [method].flat()));
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = allowed.at(path);
    if (methods.length === 0) return replyProblem(nothingAt(path), request, reply);
    reply.header('allow', methods.join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const message = `This address takes ${methods.join(', ')}, not ${request.method}.`;
    return replyProblem(new ExportError('invalid', 'request.method', message), request, reply);
  });
}

/** Below an export's address all unknown addresses look the same, whether the export exists or not. (C33) */
function nothingAt(path: string): ExportError {
  if (path.startsWith('/video/exports/')) return unknownExport();
  return new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
}

function badAddress(cause: unknown): ExportError {
  const message = 'The URL is not valid: its percent-encoding is broken, or it is too long.';
  return new ExportError('malformed', 'request.bad_address', message, { cause });
}

function noSchemas(): never {
  throw new Error('no route has a schema of Fastify');
}
