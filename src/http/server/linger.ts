import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { smallChunksOf } from '../multipart/batched-request.ts';

/** How much of a body nobody wants we still take, and for how long, so that the client gets to read its answer. */
const MOST_BYTES = 64 * 2 ** 20;
const LONGEST_MS = 5000;
/** Small HTTP chunks cost about a microsecond each. */
const MOST_SMALL_CHUNKS = 20_000;

/** Whether the request's body is still under way. */
export function isStillSending(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return !request.complete && !request.destroyed && (encoding !== undefined || Number(length ?? 0) > 0);
}

/**
 * An answer given before the request was read to its end: all its bytes go out at once, but it only ends, and the
 * connection is only closed, when the client has stopped sending or a bound is reached.
 *
 * Closing at once would make the kernel send a reset for the bytes still arriving, and a reset can overtake the answer.
 */
export function lingeringAnswer(payload: string | Buffer, request: IncomingMessage): Readable {
  const answer = new Readable({ read() {} });
  answer.push(payload);
  let left = MOST_BYTES;
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
    if (left < 0 || smallChunksOf(request) - chunksBefore > MOST_SMALL_CHUNKS) end();
  }
  request.on('data', count).once('end', end).once('close', end);
  request.on('error', () => undefined);
  request.resume();
  answer.once('close', () => clearTimeout(timer));
  return answer;
}
