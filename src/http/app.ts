import type { Writable } from 'node:stream';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from 'fastify';
import { ExportError } from '../errors.ts';
import { sha256 } from '../platform/sha256.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { ClientErrors, closeWhenIdle, isStillSending, limitHeaders, lingeringAnswer } from './connections.ts';
import { limitRequests } from './limit-requests.ts';
import { BatchedRequest } from './multipart/batched-request.ts';
import { DocumentMemory } from './multipart/body-reader.ts';
import { fontRoutes, wordRoutes } from './pages/font-routes.ts';
import { isAbort, replyProblem, unknownExport } from './replies/problem.ts';
import { agentRoutes } from './routes/agents.ts';
import { batchRoutes } from './routes/batches.ts';
import { sessionRoutes } from './routes/browser-session.ts';
import { createRoutes, validateRoutes } from './routes/create.ts';
import { downloadRoutes } from './routes/download.ts';
import { deliveriesRoutes, eventRoutes } from './routes/events.ts';
import {
  captionsRoutes,
  chaptersRoutes,
  documentsRoutes,
  posterRoutes,
  publishingRoutes,
} from './routes/export-files.ts';
import { eventsRoutes, statusRoutes } from './routes/export-status.ts';
import { deleteRoutes, listRoutes } from './routes/exports.ts';
import { exportThumbnailRoutes, framesRoutes, thumbnailsRoutes } from './routes/frames.ts';
import { hlsRoutes } from './routes/hls.ts';
import { mediaRoutes } from './routes/media.ts';
import { metaRoutes, usageRoutes } from './routes/meta.ts';
import { pagesRoutes, studioRoutes } from './routes/pages.ts';
import { draftRoutes, projectArchiveRoutes, projectLinkRoutes, projectRoutes } from './routes/projects.ts';
import { pausesRoutes, speechCaptionsRoutes } from './routes/speech.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { allowCrossOrigin, refuseCrossSite, SECURITY_HEADERS } from './server/cross-origin.ts';
import { trustedHops } from './server/http-config.ts';
import { ApiKeys, type EndedSessions, identify, KeyRing, Sessions } from './server/identify.ts';
import type { RouteContext } from './server/route-context.ts';
import { OpenWaits } from './server/wait-within.ts';

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
  publishingRoutes,
  documentsRoutes,
  framesRoutes,
  thumbnailsRoutes,
  exportThumbnailRoutes,
  pausesRoutes,
  speechCaptionsRoutes,
  deliveriesRoutes,
  eventRoutes,
  webhookRoutes,
  mediaRoutes,
  projectRoutes,
  projectArchiveRoutes,
  projectLinkRoutes,
  draftRoutes,
  batchRoutes,
  usageRoutes,
  sessionRoutes,
  agentRoutes,
  metaRoutes,
  pagesRoutes,
  fontRoutes,
  wordRoutes,
  studioRoutes,
];

/** What the app needs; the caller disposes the metrics. */
export interface AppOptions extends Omit<RouteContext, 'keys' | 'sessions' | 'documents' | 'waits' | 'closing'> {
  readonly endedSessions: EndedSessions;
  /** Keys that can change; those of the configuration if absent. */
  readonly ring?: KeyRing;
  /** The log: one JSON object for each line. `silent` is a level, too. */
  readonly log: { readonly level: string; readonly stream?: Writable };
}

/**
 * The service over HTTP, not yet listening. Closing it ends the waits of creates and followers at once (their work
 * continues elsewhere) and lets other responses finish.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { api, media, projects, batches, drafts, speech, config, metrics, endedSessions, log } = options;
  const { ring = new KeyRing(config.apiKeys) } = options;
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
  const keys = new ApiKeys(ring);
  const sessions = new Sessions(ring, endedSessions, config.sessionSeconds);
  const context: RouteContext = {
    api,
    media,
    projects,
    batches,
    drafts,
    speech,
    config,
    metrics,
    keys,
    sessions,
    documents: new DocumentMemory(config),
    waits: new OpenWaits(config),
    closing: closing.signal,
  };
  app.addHook('preClose', async () => closing.abort());
  closeWhenIdle(app.server, closing.signal);

  clientErrors.watch(app.server);
  acceptRawBodies(app);
  continueOnlyWhenReading(app);
  addCommonHeaders(app, context);
  limitHeaders(app);
  refuseExpectations(app);
  refuseEncodings(app);
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

/** Bodies are read as they are sent: a packed one would fail as a document that is not text, far from the cause. (C33) */
function refuseEncodings(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || /^(?:identity)?$/i.test(encoding)) return;
    reply.header('accept-encoding', 'identity');
    const message = `The body must be sent without a Content-Encoding, not as ${shownText(encoding)}.`;
    throw new ExportError('unsupported', 'request.content_encoding', message);
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
    const { method, params, tenant, problem } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    metrics.countRequest(method, route, reply.statusCode, seconds);
    const exportId = (params as { id?: string } | undefined)?.id ?? request.exportId;
    const code = problem === null ? {} : { code: problem };
    request.log.info({ method, route, status: reply.statusCode, seconds, tenant, exportId, ...code }, 'request');
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

/** Below an export's address all unknown addresses look the same, whether the export exists or not. (H19) */
function nothingAt(path: string): ExportError {
  if (path.startsWith('/video/exports/')) return unknownExport();
  return new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
}

function badAddress(cause: unknown): ExportError {
  const message = 'The URL is not valid: its percent-encoding is broken, or a part of its path is too long.';
  return new ExportError('malformed', 'request.bad_address', message, { cause });
}

function noSchemas(): never {
  throw new Error('no route has a schema of Fastify');
}

/** A UUID of version 4, but not that of the request, which is returned to the client and grants no access. */
const EXPORT_ID = /(?<!"reqId":")\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

/**
 * A log line without export ids, because they open downloads: each is replaced by the start of its SHA-256, the same in
 * every line. Covers every way an id can get into a line, such as a path in a system error.
 */
export function withoutExportIds(line: string): string {
  return line.replace(EXPORT_ID, (id) => `#${sha256(id).slice(0, 12)}`);
}

/** The codes of a client that disconnected. */
const HUNG_UP = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Logs responses that break off because of a fault of the service. Fastify's own request lines are off. */
class ResponseLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { readonly code?: string }, request: FastifyRequest): void {
    if (isAbort(error) || HUNG_UP.has(error.code ?? '')) return;
    request.log.error({ err: error, code: error.code }, 'response broken off');
  }
}

/** The methods of each address, for 405 and its `Allow` header. */
class AllowedMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];
  readonly #byUrl = new Map<string, Set<string>>();

  /** Adds a route in the router's notation: `:name` matches one segment of the path. */
  add(url: string, methods: readonly string[]): void {
    let known = this.#byUrl.get(url);
    if (known === undefined) {
      known = new Set();
      this.#byUrl.set(url, known);
      const steps = url.split('/').map((step) => (step.startsWith(':') ? '[^/]+' : RegExp.escape(step)));
      this.#routes.push({ pattern: new RegExp(`^${steps.join('/')}$`), methods: known });
    }
    for (const method of methods) known.add(method);
  }

  /** The methods at `path`; empty if there is no such address. */
  at(path: string): readonly string[] {
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}
