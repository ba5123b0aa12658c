import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../errors.ts';
import { smallChunksOf } from './multipart/batched-request.ts';
import { problemHeaders, problemOf } from './replies/problem.ts';

const REFUSALS: Readonly<Record<string, ExportError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ExportError('unavailable', 'request.too_slow', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ExportError(
    'malformed',
    'request.headers_too_large',
    'The address and the headers together are too large: at most 16 KiB are allowed.',
  ),
};
const NOT_HTTP = new ExportError('malformed', 'request.malformed', 'The request is not valid HTTP.');

/** Responds to bytes that are not a request: there is no route, no hook and no reply object, only the socket. */
export class ClientErrors {
  readonly #latest = new WeakMap<Socket, ServerResponse>();

  /** Tracks which response is in progress on which connection. */
  watch(server: Server): void {
    const remember = (request: IncomingMessage, response: ServerResponse) => this.#latest.set(request.socket, response);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, remember);
  }

  readonly answer = (error: Error & { code?: string }, socket: Socket): void => {
    const latest = this.#latest.get(socket);
    const unfinished = latest !== undefined && !latest.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // A response written now would be read as the response to the previous request, or as a part of it.
    else if (unfinished && (latest.headersSent || latest.req.complete)) socket.destroySoon();
    else socket.end(refusalText(error), () => socket.destroy());
  };
}

function refusalText({ code }: { code?: string }): string {
  const problem = problemOf(REFUSALS[code ?? ''] ?? NOT_HTTP);
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(problem.status),
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** More than any client needs in a header that is parsed. */
const LONGEST_HEADER = 4096;

/**
 * The headers that are parsed. `Idempotency-Key` and `Content-Length` have limits of their own, a longer `Range` is
 * ignored (C27), and `Cookie` also has what other services on the same host have set.
 */
const PARSED: readonly string[] = [
  'accept',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'authorization',
  'content-encoding',
  'content-range',
  'content-type',
  'expect',
  'host',
  'if-match',
  'if-none-match',
  'if-range',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'prefer',
  'sec-fetch-dest',
  'sec-fetch-site',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** 431 for a header that is too long to be parsed (RFC 6585, 5); the response names it. (H42) */
export function limitHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const tooLong = PARSED.find((name) => String(headers[name] ?? '').length > LONGEST_HEADER);
    if (tooLong === undefined) return;
    const { length } = String(headers[tooLong]);
    const message = `The header ${tooLong} has ${length} characters; at most ${LONGEST_HEADER} are allowed.`;
    throw new ExportError('malformed', 'request.headers_too_large', message);
  });
}

/** How long a slow reader may take for the rest of its response when the service closes. */
const LONGEST_CLOSING_MS = 10_000;

/**
 * Keeps closing short: a connection without a request is closed at once, one with a request after its response, and the
 * rest after a while.
 * Node's own `closeIdleConnections` keeps connections that have never carried a request, which browsers and pools open
 * in advance.
 */
export function closeWhenIdle(server: Server, closing: AbortSignal): void {
  /** Open connections, and how many bytes each had read at the end of its last request. */
  const sockets = new Map<Socket, number>();
  const busy = new Set<Socket>();
  const leave = (socket: Socket): void => {
    const hasBegun = socket.bytesRead > (sockets.get(socket) ?? 0);
    if (closing.aborted && !busy.has(socket) && !hasBegun) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    sockets.set(socket, 0);
    socket.once('close', () => sockets.delete(socket));
    leave(socket);
  });
  const enter = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    busy.add(socket);
    response.once('close', () => {
      busy.delete(socket);
      if (sockets.has(socket)) sockets.set(socket, socket.bytesRead);
      leave(socket);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, enter);
  closing.addEventListener('abort', () => {
    for (const socket of sockets.keys()) leave(socket);
    setTimeout(() => server.closeAllConnections(), LONGEST_CLOSING_MS).unref();
  });
}

/** How much of an unwanted body is still read, and for how long, so that the client can read its response. */
const MAX_BYTES = 64 * 2 ** 20;
const LONGEST_READING_MS = 5000;
/** Small HTTP chunks cost about a microsecond each. */
const MAX_SMALL_CHUNKS = 20_000;

/** Whether the request's body is still arriving. */
export function isStillSending(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return !request.complete && !request.destroyed && (encoding !== undefined || Number(length ?? 0) > 0);
}

/**
 * A response that is sent before the request was read completely. All its bytes are sent at once, but it ends, and the
 * connection closes, only when the client has stopped sending or a limit is reached.
 * If the connection closed at once, the kernel would send a reset for the arriving bytes, and a reset can overtake the
 * response.
 */
export function lingeringAnswer(payload: string | Buffer, request: IncomingMessage): Readable {
  const answer = new Readable({ read() {} });
  answer.push(payload);
  let left = MAX_BYTES;
  const chunksBefore = smallChunksOf(request);
  const timer = setTimeout(end, LONGEST_READING_MS);
  function end() {
    clearTimeout(timer);
    request.off('data', count).off('end', end).off('close', end);
    request.pause();
    answer.push(null);
  }
  function count(chunk: Buffer) {
    left -= chunk.length;
    if (left < 0 || smallChunksOf(request) - chunksBefore > MAX_SMALL_CHUNKS) end();
  }
  request.on('data', count).once('end', end).once('close', end);
  request.on('error', () => undefined);
  request.resume();
  answer.once('close', () => clearTimeout(timer));
  return answer;
}
