import type { FastifyReply } from 'fastify';
import { FirstSignal } from '../../platform/first-signal.ts';

/** Aborts when the client goes away before it has its answer. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** How a wait ended: what was waited for came, we stopped waiting, or nobody is there any more. */
type WaitEnd = 'done' | 'over' | 'gone';

interface WaitOptions {
  readonly seconds: number;
  readonly reply: FastifyReply;
  /** Ends the wait as its time limit would. */
  readonly closing: AbortSignal;
}

/** Waits for `work`, at most so long. The connection may be silent meanwhile: that is our doing, not the client's. */
export async function waitWithin(
  work: (signal: AbortSignal) => Promise<void>,
  { seconds, reply, closing }: WaitOptions,
): Promise<WaitEnd> {
  const gone = clientGone(reply);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  using ended = new FirstSignal(limit.signal, gone, closing);
  const { signal } = ended;
  const { socket } = reply.raw;
  const silence = socket?.timeout;
  socket?.setTimeout(0);
  try {
    await work(signal);
    return gone.aborted ? 'gone' : 'done';
  } catch (error) {
    if (!signal.aborted) throw error;
    return gone.aborted ? 'gone' : 'over';
  } finally {
    clearTimeout(timer);
    if (silence !== undefined) socket?.setTimeout(silence);
  }
}
