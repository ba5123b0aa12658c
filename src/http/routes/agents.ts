import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TiercutClient } from '../../../packages/client/src/client.ts';
import { Connection } from '../../../packages/client/src/connection.ts';
import { ExportError } from '../../errors.ts';
import { AgentServer, PROTOCOL_VERSIONS, RunningRequests } from '../../mcp/agent-server.ts';
import { errorMessage, RpcError, type RpcMessage, readMessage } from '../../mcp/json-rpc.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { isJson, readJsonBytes } from '../multipart/read-json-body.ts';
import { sentKey } from '../server/identify.ts';
import { ownFetch } from '../server/own-fetch.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';

/** A message is parsed by the service itself, so it is small. A larger project is stored, or sent to the other addresses. */
const MAX_MESSAGE_BYTES = 2 ** 20;
const MAX_MESSAGE_VALUES = 50_000;
/** What is around the documents in a message. */
const ENVELOPE_DEPTH = 3;

const SESSION = 'mcp-session-id';
const VERSION = 'mcp-protocol-version';

/** `POST /mcp`: the Model Context Protocol over HTTP. Each message is one request, and each tool uses the other routes. (C75) */
export function agentRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config, closing, documents, waits } = context;
  const running = new RunningRequests();
  const server = new AgentServer({
    deployment: config,
    hasFiles: false,
    onBug: (error) => app.log.error({ err: error }, 'tool of an agent failed'),
  });
  const json = {
    ...config.limits,
    maxBytes: Math.min(MAX_MESSAGE_BYTES, config.limits.maxJsonBytes),
    maxDepth: config.limits.maxJsonDepth + ENVELOPE_DEPTH,
    maxValues: Math.min(MAX_MESSAGE_VALUES, config.limits.maxJsonValues),
  };

  app.post('/mcp', { config: { reads: true } }, async (request, reply) => {
    negotiate(request.headers.accept, ['application/json']);
    if (!isJson(request.headers['content-type'])) {
      throw new ExportError('unsupported', 'request.not_json', 'A message must be application/json.');
    }
    requireVersion(request.headers[VERSION]);
    const client = sessionOf(request);
    using memory = documents.lease(request.tenant!);
    using ended = new FirstSignal(clientGone(reply), closing);
    const body = await readJsonBytes(request.raw, {
      memory,
      maxBytes: json.maxBytes,
      patience: config.limits,
      signal: ended.signal,
      onReading: () => {
        if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
      },
    });
    reply.header('cache-control', 'no-store');
    let message: RpcMessage;
    try {
      message = readMessage(new TextDecoder().decode(body), json);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      request.problem = error.code;
      return reply.code(400).send(errorMessage(error));
    }
    if (message.kind === 'notification' && message.method === 'notifications/cancelled' && client !== null) {
      running.cancel(client, message.params.requestId);
    }
    if (message.kind !== 'request') return reply.code(202).send();
    if (message.method === 'initialize') reply.header(SESSION, newSession(request));
    using _place = message.method === 'tools/call' ? waits.enter(request) : null;
    using run = running.begin(client ?? request.id, message.id);
    using stopped = new FirstSignal(ended.signal, run.signal);
    const answer = await server.answer(message, { ...placeOf(app, request), signal: stopped.signal });
    reply.raw.socket?.setTimeout(config.socketTimeoutSeconds * 1000);
    return reply.send(answer);
  });
}

/** The routes of this service, as the client of the request may use them. The agent decides about further tries. */
function placeOf(app: FastifyInstance, request: FastifyRequest) {
  const options = { url: 'http://tiercut.invalid', fetch: ownFetch(app, request), retry: 0 };
  request.raw.socket.setTimeout(0);
  return { client: new TiercutClient(options), connection: new Connection(options), files: null };
}

function requireVersion(sent: string | string[] | undefined): void {
  if (sent === undefined || PROTOCOL_VERSIONS.includes(String(sent))) return;
  const message = `The header MCP-Protocol-Version must be one of ${PROTOCOL_VERSIONS.join(', ')}, not ${shownText(String(sent))}.`;
  throw new ExportError('malformed', 'mcp.version', message);
}

/**
 * A session says which requests are of one client, whose ids are its own: it cancels only these. Nothing of it is stored,
 * so every node knows it: it is signed with the key of its client.
 */
function newSession(request: FastifyRequest): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${signature(id, request)}`;
}

/** The session of a request; null: it has none. @throws `mcp.session` for one that is not of this key. */
function sessionOf(request: FastifyRequest): string | null {
  const sent = request.headers[SESSION];
  if (sent === undefined) return null;
  const [, id = '', given = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(String(sent)) ?? [];
  const own = signature(id, request);
  if (given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own))) {
    return `${request.tenant} ${id}`;
  }
  throw new ExportError('missing', 'mcp.session', 'There is no such session. Start one with initialize.');
}

function signature(id: string, { tenant, headers }: FastifyRequest): string {
  return createHmac('sha256', `tiercut mcp ${sentKey(headers)}`)
    .update(`${tenant} ${id}`)
    .digest('base64url');
}
