import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { smallChunksOf } from '../multipart/batched-request.ts';

/** How much of an unwanted body is still read, and for how long, so that the client can read its response. */
const MAX_BYTES = 64 * 2 ** 20;
const LONGEST_MS = 5000;
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
  const timer = setTimeout(end, LONGEST_MS);
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
