import type { FastifyReply } from 'fastify';
import { FirstSignal } from '../../platform/first-signal.ts';

/** Aborts when the client disconnects before its response. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The end of a wait: the work is done, the time is over, or the client has disconnected. */
type WaitEnd = 'done' | 'over' | 'gone';

interface WaitOptions {
  readonly seconds: number;
  readonly reply: FastifyReply;
  /** Ends the wait like its time limit. */
  readonly closing: AbortSignal;
}

/** Waits for `work`, up to a limit. The connection may be idle meanwhile, because the service is the one that waits. */
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
