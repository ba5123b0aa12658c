import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { HttpConfig } from './http-config.ts';

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

/**
 * Counts the connections that are open and wait: event streams, and requests that wait for a render. Each holds memory
 * as long as its client likes. The limit is for one tenant; without a key, for one address. (H61)
 */
export class OpenWaits {
  readonly #max: number;
  readonly #hasKeys: boolean;
  readonly #open = new Map<string, number>();

  constructor({ maxOpenWaits, apiKeys }: Pick<HttpConfig, 'maxOpenWaits' | 'apiKeys'>) {
    this.#max = maxOpenWaits;
    this.#hasKeys = apiKeys.length > 0;
  }

  /** Whether one more may wait. */
  hasRoom(request: Pick<FastifyRequest, 'tenant' | 'ip'>): boolean {
    return (this.#open.get(this.#ownerOf(request)) ?? 0) < this.#max;
  }

  /** Takes a place; disposing gives it back, once. @throws `wait.too_many` */
  enter(request: Pick<FastifyRequest, 'tenant' | 'ip'>): Disposable {
    if (!this.hasRoom(request)) throw this.#tooMany();
    const owner = this.#ownerOf(request);
    this.#open.set(owner, (this.#open.get(owner) ?? 0) + 1);
    let isIn = true;
    return {
      [Symbol.dispose]: () => {
        if (!isIn) return;
        isIn = false;
        const left = this.#open.get(owner)! - 1;
        if (left === 0) this.#open.delete(owner);
        else this.#open.set(owner, left);
      },
    };
  }

  #ownerOf({ tenant, ip }: Pick<FastifyRequest, 'tenant' | 'ip'>): string {
    return tenant === null || !this.#hasKeys ? `address ${ip}` : `tenant ${tenant}`;
  }

  #tooMany(): ExportError {
    const message =
      `You have ${this.#max} open connections that wait, such as event streams and waits for a render: the maximum. ` +
      'Close some, or read the state with GET /video/exports/<id>.';
    return new ExportError('unavailable', 'wait.too_many', message);
  }
}
