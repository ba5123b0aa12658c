import { lookup as lookUp } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import { FirstSignal } from '../../first-signal.ts';
import { isPublicAddress } from './public-address.ts';

const TIMEOUT_MS = 20_000;
/** Answers are not read further: their status is all that counts. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** What became of one try. */
export type WebhookOutcome =
  | { readonly delivered: true; readonly status: number }
  | { readonly delivered: false; readonly reason: string; readonly final: boolean };

/** Names to addresses; the system's resolver, unless a test brings its own. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** What a delivery needs beside the message. */
export interface DeliveryOptions {
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly resolve?: Resolver;
}

/**
 * Posts a message once. Every address the name resolves to is checked, and the connection goes to a checked address
 * rather than to the name, so that a name that changes its mind in between gains nothing. Redirects are not followed. (C37)
 */
export async function sendWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, signal, resolve = systemResolver }: DeliveryOptions,
): Promise<WebhookOutcome> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  } catch {
    return { delivered: false, reason: 'the name does not resolve', final: false };
  }
  const [address] = addresses;
  if (address === undefined) return { delivered: false, reason: 'the name has no address', final: false };
  if (!allowPrivate && !addresses.every(isPublicAddress)) {
    return { delivered: false, reason: 'the name leads to an address that is not public', final: true };
  }
  return post(url, address, headers, body, signal);
}

function post(
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const { promise, resolve } = Promise.withResolvers<WebhookOutcome>();
  const stop = new FirstSignal(signal, AbortSignal.timeout(TIMEOUT_MS));
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'tiercut' },
    signal: stop.signal,
    agent: false,
    lookup: (_hostname, options, done) => {
      const family = isIPv6(address) ? 6 : 4;
      if (options.all) done(null, [{ address, family }]);
      else done(null, address, family);
    },
  });
  request.on('response', (response) => {
    const status = response.statusCode ?? 0;
    let read = 0;
    response.on('data', (bytes: Buffer) => {
      read += bytes.length;
      if (read > MOST_ANSWER_BYTES) response.destroy();
    });
    response.on('error', () => {});
    if (status >= 200 && status < 300) resolve({ delivered: true, status });
    // 410 is how a receiver says that it wants no more of this.
    else resolve({ delivered: false, reason: `the receiver answered ${status}`, final: status === 410 });
  });
  request.on('error', (error) => resolve({ delivered: false, reason: connectionFault(error), final: false }));
  request.end(body);
  return promise.finally(() => stop[Symbol.dispose]());
}

function connectionFault(error: Error & { code?: string }): string {
  return error.name === 'TimeoutError'
    ? 'the receiver took too long'
    : `the connection failed (${error.code ?? error.name})`;
}

async function systemResolver(hostname: string): Promise<string[]> {
  return (await lookUp(hostname, { all: true })).map(({ address }) => address);
}
