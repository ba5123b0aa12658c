import { lookup as lookUp } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { unlessAborted } from '../platform/unless-aborted.ts';
import { isPublicAddress } from './public-address.ts';
import { hostOf } from './read-address.ts';

/** Resolves names to addresses; the system's resolver, unless a test passes its own. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** Why no connection was made. `final`: a retry would fail in the same way. */
interface Refusal {
  readonly refused: string;
  readonly final: boolean;
}

interface GuardedRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly resolve?: Resolver | undefined;
}

/**
 * Starts a request to an address that a client chose. Every address that the name resolves to is checked, and the
 * connection goes to a checked address instead of the name, so a name that changes in between gains nothing. Redirects
 * are not followed. The caller sends the body; destroying the request closes everything. (C37)
 */
export async function guardedRequest(
  url: URL,
  { method, headers, allowPrivate, signal, resolve = systemResolver }: GuardedRequestOptions,
): Promise<ClientRequest | Refusal> {
  const host = hostOf(url);
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [host];
  } catch {
    const refused = signal.aborted ? 'the name took too long to resolve' : 'the name does not resolve';
    return { refused, final: false };
  }
  if (addresses.length === 0) return { refused: 'the name has no address', final: false };
  if (!allowPrivate && !addresses.every(isPublicAddress)) {
    return { refused: 'the name leads to an address that is not public', final: true };
  }
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers, 'user-agent': 'tiercut' },
    signal,
    agent: false,
    lookup: lookupAmong(addresses),
  });
}

/** Resolves with the headers of the response. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // The listener stays: a connection may also break after the response.
  request.on('error', reject).once('response', resolve);
  return promise;
}

/** Responses are not read further, because only the status counts. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Lets a receiver finish its response; later errors do not matter. */
export async function readToTheEnd(response: IncomingMessage): Promise<void> {
  let read = 0;
  try {
    for await (const bytes of response) {
      read += bytes.length;
      if (read > MAX_RESPONSE_BYTES) return;
    }
  } catch {}
}

/** Why a connection ended, as a text for the client that chose the address. */
export function connectionFault(error: Error & { code?: string }): string {
  const tookTooLong = error.name === 'TimeoutError' || error.name === 'AbortError';
  if (isCertificateFault(error)) return `its certificate is not trusted (${error.code})`;
  return tookTooLong ? 'the receiver took too long' : `the connection failed (${error.code ?? error.name})`;
}

/** The codes of OpenSSL and Node for invalid certificates; `ERR_SSL_…` are protocol errors. */
const CERTIFICATE_CODES = /^(?!ERR_SSL_).*(CERT|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Whether the certificate of the other side is invalid. */
export function isCertificateFault({ code = '' }: Error & { readonly code?: string }): boolean {
  return CERTIFICATE_CODES.test(code);
}

/** Node tries all of them in turn if it requests `all`. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, done) => {
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
}

async function systemResolver(hostname: string): Promise<string[]> {
  return (await lookUp(hostname, { all: true })).map(({ address }) => address);
}
