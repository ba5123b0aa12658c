import { lookup as lookUp } from 'node:dns/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FirstSignal, unlessAborted } from '../platform/signals.ts';
import { hostOf, isPublicAddress } from './read-address.ts';
import { openGate, WireFault } from './wire-gate.ts';

/** Resolves names to addresses; the system's resolver, unless a test passes its own. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** Why no connection was made. */
interface Refusal {
  readonly refused: string;
  /** When a retry may have another result: `soon` after a lookup that failed, `later` after many. */
  readonly retry: 'never' | 'later' | 'soon';
}

interface GuardedRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly resolve?: Resolver | undefined;
  /** The time that a name has to resolve to public addresses. */
  readonly nameMs?: number | undefined;
}

/** Longer than the system's resolver takes if the first of its name servers does not respond. */
const NAME_MS = 10_000;
/** The pause after a lookup that failed. */
const LOOK_UP_AGAIN_MS = 1_000;

/**
 * Starts a request to an address that a client chose. Every address that the name resolves to is checked, and the
 * connection goes to a checked address instead of the name, so a name that changes in between gains nothing. Redirects
 * are not followed. The caller sends the body; destroying the request closes everything. (C37)
 */
export async function guardedRequest(
  url: URL,
  { method, headers, allowPrivate, signal, resolve = systemResolver, nameMs = NAME_MS }: GuardedRequestOptions,
): Promise<ClientRequest | Refusal> {
  const host = hostOf(url);
  const isName = isIP(host) === 0;
  if (!isName && !allowPrivate && !isPublicAddress(host)) {
    return { refused: 'the address is not public', retry: 'never' };
  }
  const lookup = { host, resolve, signal };
  const addresses = !isName ? [host] : await (allowPrivate ? addressesOf(lookup) : publicAddressesOf(lookup, nameMs));
  if (addresses === null) {
    if (!allowPrivate) return { refused: 'the name does not resolve to a public address', retry: 'later' };
    return {
      refused: signal.aborted ? 'the name took too long to resolve' : 'the name does not resolve',
      retry: 'soon',
    };
  }
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers, 'user-agent': 'tiercut' },
    signal,
    createConnection: () => openGate(url, lookupAmong(addresses)),
  });
}

interface Lookup {
  readonly host: string;
  readonly resolve: Resolver;
  readonly signal: AbortSignal;
}

/** One lookup. @returns null if it fails, or finds nothing. */
async function addressesOf({ host, resolve, signal }: Lookup): Promise<readonly string[] | null> {
  try {
    const addresses = await unlessAborted(resolve(host), signal);
    return addresses.length === 0 ? null : addresses;
  } catch {
    return null;
  }
}

/**
 * Looks up a name until it resolves. The result null always comes after `nameMs`: a client cannot tell whether the name
 * exists and is private, does not exist, or could not be looked up. (H48)
 */
async function publicAddressesOf(lookup: Lookup, nameMs: number): Promise<readonly string[] | null> {
  const over = new AbortController();
  using either = new FirstSignal(lookup.signal, over.signal);
  const { signal } = either;
  const end = pause(nameMs, null, { signal }).catch(() => null);
  const found = (async () => {
    for (; !signal.aborted; await pause(LOOK_UP_AGAIN_MS, null, { signal }).catch(() => null)) {
      const addresses = await addressesOf({ ...lookup, signal });
      if (addresses !== null) return addresses.every(isPublicAddress) ? addresses : end;
    }
    return end;
  })();
  try {
    return await Promise.race([found, end]);
  } finally {
    over.abort();
  }
}

/** Why a connection ended, as a text for the client that chose the address. */
export function connectionFault(error: Error & { code?: string }): string {
  const tookTooLong = error.name === 'TimeoutError' || error.name === 'AbortError';
  if (error instanceof WireFault) return error.message;
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
