import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportError } from '../errors.ts';
import { isDiskFull } from '../platform/disk-full.ts';
import { FirstSignal } from '../platform/signals.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { connectionFault, guardedRequest, isCertificateFault, type Resolver } from './guarded-request.ts';
import { type GuardedResponse, isTransientStatus, responseTo, returnedStatus } from './guarded-response.ts';
import { hostOf, readAddress } from './read-address.ts';
import { TransferTimeout } from './transfer-timeout.ts';
import { WireFault } from './wire-gate.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The validators of a version of a file; null if the server sends none. (RFC 9110) */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A fetched file. */
export interface FetchedFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly validators: Validators;
}

export interface FetchRules {
  readonly allowPrivate: boolean;
  /** The time limit without significant progress, and in all. */
  readonly idleMs: number;
  readonly totalMs: number;
  readonly resolve?: Resolver | undefined;
  /** The time that a name has to resolve to public addresses. */
  readonly nameMs?: number | undefined;
  /** The pauses between tries; there is one more try than pauses. */
  readonly pausesMs?: readonly number[];
}

const PAUSES_MS: readonly number[] = [500, 2_000, 5_000];

/** Called before bytes are written. Throws or rejects to refuse the file. */
interface FetchWatch {
  /** @param announced null if the server does not announce the length. */
  onLength?(announced: number | null): Promise<void>;
  /** @param head the first bytes, at least as many as detecting a picture needs. */
  onBytes?(bytes: number, head: Buffer): Promise<void>;
}

/** Enough to detect the type of the file. */
const HEAD_BYTES = 64;

/**
 * Fetches a file to `path`, which must not exist. Each redirect is checked like the address itself. Connection failures
 * and server errors are retried while there is time. (C66)
 *
 * @returns null if it has not changed since `known`.
 * @throws ExportError `fetch.address`, `fetch.failed`, `fetch.framing`, `fetch.too_slow`, and the errors of `watch`
 */
export async function fetchFile(
  url: URL,
  path: string,
  known: Validators | null,
  rules: FetchRules,
  signal: AbortSignal,
  watch: FetchWatch = {},
): Promise<FetchedFile | null> {
  const { idleMs, totalMs, pausesMs = PAUSES_MS } = rules;
  using slow = new TransferTimeout(idleMs, totalMs, 'nothing came');
  using end = new FirstSignal(signal, slow.signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchOnce(url, path, known, rules, end.signal, slow, watch);
    } catch (error) {
      signal.throwIfAborted();
      if (slow.signal.aborted) throw fetchError('fetch.too_slow', url, slow.reason, error);
      if (isDiskFull(error)) throw diskFull(error);
      if (!(error instanceof TransientFault)) throw error;
      const pauseMs = pausesMs[attempt - 1];
      if (pauseMs === undefined || pauseMs >= slow.leftMs) throw error.asFinal(attempt);
      slow.expectSilence();
      await pause(pauseMs, undefined, { signal: end.signal }).catch(() => {});
      await rm(path, { force: true });
      slow.expectBytes();
    }
  }
}

async function fetchOnce(
  url: URL,
  path: string,
  known: Validators | null,
  { allowPrivate, resolve, nameMs }: FetchRules,
  signal: AbortSignal,
  slow: TransferTimeout,
  watch: FetchWatch,
): Promise<FetchedFile | null> {
  let at = url;
  for (let redirects = 0; ; redirects += 1) {
    const options = { method: 'GET', headers: headersFor(known), allowPrivate, signal, resolve, nameMs } as const;
    const request = await guardedRequest(at, options);
    if ('refused' in request) {
      const { refused, retry } = request;
      if (retry === 'soon') throw new TransientFault(at, refused);
      throw fetchError(retry === 'never' ? 'fetch.address' : 'fetch.failed', at, refused);
    }
    try {
      const response = await responseTo(request.end());
      const next = redirectOf(response, at);
      if (next === null) return await receive(response, at, path, known, slow, watch);
      if (redirects === MAX_REDIRECTS) throw fetchError('fetch.failed', url, 'it redirects more than three times');
      at = redirected(next, at, allowPrivate);
    } catch (error) {
      if (error instanceof ExportError || error instanceof TransientFault || isDiskFull(error)) throw error;
      const what = connectionFault(error as Error);
      if (TRANSIENT_CODES.has((error as { code?: string }).code ?? '')) throw new TransientFault(at, what, error);
      throw fetchError(codeOf(error as Error), at, what, error);
    } finally {
      request.destroy();
    }
  }
}

function codeOf(error: Error): string {
  if (error instanceof WireFault) return 'fetch.framing';
  return isCertificateFault(error) ? 'fetch.certificate' : 'fetch.failed';
}

/** Transient codes of connections. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
);

/** A failure that is worth a retry. */
class TransientFault extends Error {
  readonly #at: URL;

  constructor(at: URL, what: string, cause?: unknown) {
    super(what, { cause });
    this.#at = at;
  }

  asFinal(attempts: number): ExportError {
    const what = attempts === 1 ? this.message : `${this.message}, at the last of ${attempts} attempts`;
    return fetchError('fetch.failed', this.#at, what, this.cause);
  }
}

function headersFor(known: Validators | null): Record<string, string> {
  return {
    accept: '*/*',
    // Prevents a small body that decompresses to a large one.
    'accept-encoding': 'identity',
    ...(known?.etag != null && { 'if-none-match': known.etag }),
    ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
  };
}

function redirectOf({ status, headers }: GuardedResponse, at: URL): string | null {
  if (!REDIRECTS.has(status)) return null;
  if (headers.location !== undefined) return headers.location;
  throw fetchError('fetch.failed', at, `it returned status ${status} without a Location`);
}

function redirected(location: string, from: URL, allowPrivate: boolean): URL {
  const target = URL.parse(location, from.href);
  const url = readAddress(target?.href ?? location, allowPrivate);
  if (url instanceof URL) return url;
  throw fetchError('fetch.address', from, `it redirects elsewhere, and the target ${url.replace(/\.$/, '')}`);
}

async function receive(
  response: GuardedResponse,
  at: URL,
  path: string,
  known: Validators | null,
  slow: TransferTimeout,
  watch: FetchWatch,
): Promise<FetchedFile | null> {
  const { status, headers } = response;
  if (status === 304 && known !== null) return null;
  const type = headers['content-type'] ?? '';
  if (isTransientStatus(status)) throw new TransientFault(at, returnedStatus(status));
  if (status !== 200) throw fetchError('fetch.failed', at, returnedStatus(status));
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw fetchError('fetch.failed', at, `it returned content that is encoded as ${shownText(encoding)}`);
  }
  if (/^text\/html\b/i.test(type)) throw fetchError('fetch.failed', at, 'it returned a web page, not a file');
  const length = headers['content-length'];
  await watch.onLength?.(length === undefined ? null : Number(length));
  await using file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let [bytes, head] = [0, Buffer.alloc(0)];
  for (let chunk = await response.next(); chunk !== null; chunk = await response.next()) {
    slow.moved(chunk.length);
    bytes += chunk.length;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    await watch.onBytes?.(bytes, head);
    hash.update(chunk);
    for (let written = 0; written < chunk.length; ) written += (await file.write(chunk, written)).bytesWritten;
  }
  if (bytes === 0) throw fetchError('fetch.failed', at, 'it returned no bytes');
  const validators = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
  return { bytes, sha256: hash.digest('hex'), validators };
}

/** The error that a file is too large. */
export function tooLarge(what: 'file' | 'image', maxBytes: number): ExportError {
  const message = `The ${what} at this address has more than the ${maxBytes} bytes allowed.`;
  return new ExportError('invalid', 'fetch.too_large', message);
}

function diskFull(cause: unknown): ExportError {
  const message = 'The disk has no space for the file. Try again later.';
  return new ExportError('unavailable', 'disk.full', message, { cause });
}

/** Names only the host, because the rest of an address may be a secret. */
function fetchError(code: string, at: URL, what: string, cause?: unknown): ExportError {
  const message = `The file could not be fetched from ${shownText(hostOf(at))}: ${what}.`;
  return new ExportError('invalid', code, message, cause === undefined ? {} : { cause });
}
