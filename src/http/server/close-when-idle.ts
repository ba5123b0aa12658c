import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a slow reader may take for the rest of its response when the service closes. */
const LONGEST_MS = 10_000;

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
    setTimeout(() => server.closeAllConnections(), LONGEST_MS).unref();
  });
}
