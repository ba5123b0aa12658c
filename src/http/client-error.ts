import type { Socket } from 'node:net';
import { ExportError } from '../errors.ts';
import { problemHeaders, problemOf } from './problem.ts';

const REFUSALS: Readonly<Record<string, ExportError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ExportError('unavailable', 'request.too_slow', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ExportError('malformed', 'request.headers_too_large', 'The headers are too large.'),
};
const NOT_HTTP = new ExportError('malformed', 'request.malformed', 'The request is not one that HTTP allows.');

/** Answers bytes that are no request: there is no route, no hook and no reply object, only the socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(REFUSALS[error.code ?? ''] ?? NOT_HTTP);
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(problem.status),
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => {
    socket.destroy();
  });
}
