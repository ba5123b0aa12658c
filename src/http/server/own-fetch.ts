import { type IncomingMessage, request as sendRequest } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Who sends a request, and from where: what the routes know a client by. */
const IDENTITY = [
  'authorization',
  'x-api-key',
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** Statuses that have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * A `fetch` of this service's own addresses, without a network: as the client of `request`, so keys, scopes, limits and
 * tenants are those of every route. Bodies are texts.
 */
export function ownFetch(app: FastifyInstance, request: FastifyRequest): typeof fetch {
  const identity = Object.fromEntries(
    IDENTITY.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
  );
  const { remoteAddress } = request.socket;
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const { pathname, search } = new URL(String(input));
    const text = typeof body === 'string' ? body : '';
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = sendRequest(
      {
        method,
        path: `${pathname}${search}`,
        headers: {
          ...identity,
          ...Object.fromEntries(new Headers(headers)),
          ...(text !== '' && { 'content-length': Buffer.byteLength(text) }),
        },
        ...(signal && { signal }),
        createConnection: () => connectTo(app, remoteAddress),
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(text);
    return responseOf(await promise);
  };
}

/** The client's end of a connection to the server of `app`. */
function connectTo(app: FastifyInstance, remoteAddress: string | undefined): Duplex {
  const [client, server] = duplexPair();
  // What the routes use of a socket.
  const setTimeout = () => server;
  app.server.emit(
    'connection',
    Object.assign(server, { remoteAddress, setTimeout, timeout: 0, bytesRead: 0, destroySoon: () => server.end() }),
  );
  return client;
}

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode!;
  const lines = Object.entries(message.headers).flatMap(([name, value]) => {
    return [value ?? []].flat().map((each): [string, string] => [name, each]);
  });
  const headers = new Headers(lines);
  if (EMPTY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { status, headers });
}
