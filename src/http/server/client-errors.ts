import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExportError } from '../../errors.ts';
import { problemHeaders, problemOf } from '../wire/problem.ts';

const REFUSALS: Readonly<Record<string, ExportError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ExportError('unavailable', 'request.too_slow', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ExportError('malformed', 'request.headers_too_large', 'The headers are too large.'),
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
