import { lookup as lookUp } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import { FirstSignal } from '../../platform/first-signal.ts';
import { isPublicAddress } from './public-address.ts';

/** For all of a delivery, from asking for the address to the last byte of the answer. */
const TIMEOUT_MS = 20_000;
/** Answers are not read further: their status is all that counts. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** What became of one try. */
export type WebhookOutcome =
  | { readonly delivered: true; readonly status: number }
  | { readonly delivered: false; readonly status: number | null; readonly reason: string; readonly final: boolean };

/** Names to addresses; the system's resolver, unless a test brings its own. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** What a delivery needs beside the message. */
interface DeliveryOptions {
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Posts a message once. Every address the name resolves to is checked, and the connection goes to a checked address
 * rather than to the name, so that a name that changes its mind in between gains nothing. Redirects are not followed.
 * When it resolves, nothing is left open. (C37)
 */
export async function sendWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, signal, resolve = systemResolver, timeoutMs = TIMEOUT_MS }: DeliveryOptions,
): Promise<WebhookOutcome> {
  using end = new FirstSignal(signal, AbortSignal.timeout(timeoutMs));
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await unlessAborted(resolve(hostname), end.signal) : [hostname];
  } catch {
    const reason = end.signal.aborted ? 'the name took too long to resolve' : 'the name does not resolve';
    return { delivered: false, status: null, reason, final: false };
  }
  const [address] = addresses;
  if (address === undefined) {
    return { delivered: false, status: null, reason: 'the name has no address', final: false };
  }
  if (!allowPrivate && !addresses.every(isPublicAddress)) {
    const reason = 'the name leads to an address that is not public';
    return { delivered: false, status: null, reason, final: true };
  }
  const request = open(url, address, headers, body, end.signal);
  try {
    const response = await answerTo(request);
    await readToTheEnd(response);
    return outcomeOf(response.statusCode ?? 0);
  } catch (error) {
    return { delivered: false, status: null, reason: connectionFault(error as Error), final: false };
  } finally {
    request.destroy();
  }
}

function open(
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): ClientRequest {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'tiercut' },
    signal,
    agent: false,
    lookup: (_hostname, options, done) => {
      const family = isIPv6(address) ? 6 : 4;
      if (options.all) done(null, [{ address, family }]);
      else done(null, address, family);
    },
  });
  return request.end(body);
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Stays for good: a connection may also break when all is said.
  request.on('error', reject).once('response', resolve);
  return promise;
}

/** Lets a receiver finish its answer in peace; whatever goes wrong with it changes nothing any more. */
async function readToTheEnd(response: IncomingMessage): Promise<void> {
  let read = 0;
  try {
    for await (const bytes of response) {
      read += bytes.length;
      if (read > MOST_ANSWER_BYTES) return;
    }
  } catch {}
}

function outcomeOf(status: number): WebhookOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status };
  // 410 is how a receiver says that it wants no more of this.
  return { delivered: false, status, reason: `the receiver answered ${status}`, final: status === 410 };
}

function connectionFault(error: Error & { code?: string }): string {
  const tookTooLong = error.name === 'TimeoutError' || error.name === 'AbortError';
  return tookTooLong ? 'the receiver took too long' : `the connection failed (${error.code ?? error.name})`;
}

/** Some things cannot be stopped; they need not be waited for. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function systemResolver(hostname: string): Promise<string[]> {
  return (await lookUp(hostname, { all: true })).map(({ address }) => address);
}
