import type { ClientRequest } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FirstSignal } from '../platform/signals.ts';
import { connectionFault, guardedRequest, isCertificateFault, type Resolver } from './guarded-request.ts';
import { isTransientStatus, responseTo, returnedStatus } from './guarded-response.ts';
import { TransferTimeout } from './transfer-timeout.ts';
import { WireFault } from './wire-gate.ts';

/** Only the status counts. */
const MAX_RESPONSE_BYTES = 8 * 1024;

/** A file to send. */
interface FileToSend {
  readonly contentType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  stream(): Promise<Readable>;
}

/** The address of a file, and the additional headers. */
interface SendTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface SendRules {
  readonly allowPrivate: boolean;
  /** The time limit without progress, and in all. */
  readonly idleMs: number;
  readonly totalMs: number;
  readonly resolve?: Resolver | undefined;
  /** The time that a name has to resolve to public addresses. */
  readonly nameMs?: number | undefined;
}

/** The result of a try. */
export type SendOutcome =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly code: 'destination.address' | 'destination.certificate' | 'destination.failed' | 'destination.too_slow';
      /** The end of a sentence. It contains neither the address nor a header. */
      readonly reason: string;
      /** Whether a retry would fail in the same way. */
      readonly final: boolean;
    };

/**
 * Sends a file with one `PUT`. Redirects are not followed, because they lead to an address that the client did not
 * choose. When it resolves, the connection is closed. (C69)
 *
 * @throws the reason of `signal`, and the errors of reading the file.
 */
export async function sendFile(
  { url, headers }: SendTarget,
  file: FileToSend,
  { allowPrivate, idleMs, totalMs, resolve, nameMs }: SendRules,
  signal: AbortSignal,
): Promise<SendOutcome> {
  // Opened before the request: an error here is not the receiver's.
  const body = await file.stream();
  const source: { fault?: Error; request?: ClientRequest } = {};
  body.on('error', (error) => {
    // A broken connection also ends the body, with an error of its own.
    if (!source.request?.destroyed) source.fault ??= error;
  });
  using slow = new TransferTimeout(idleMs, totalMs, 'nothing was taken');
  using end = new FirstSignal(signal, slow.signal);
  try {
    const request = await guardedRequest(url, {
      method: 'PUT',
      headers: { ...headers, ...contentHeaders(file) },
      allowPrivate,
      signal: end.signal,
      resolve,
      nameMs,
    });
    if ('refused' in request) {
      signal.throwIfAborted();
      const { refused: reason, retry } = request;
      const final = retry === 'never';
      return { sent: false, code: final ? 'destination.address' : 'destination.failed', reason, final };
    }
    source.request = request;
    const response = responseTo(request);
    // The response may arrive before everything is sent.
    const sending = pipeline(body, counted(file.bytes, slow), request).then(
      () => null,
      (error: Error) => error,
    );
    const head = await response;
    const outcome = outcomeOf(head.status);
    if (!outcome.sent) return outcome;
    const fault = await sending;
    if (fault !== null) throw fault;
    await head.finish(MAX_RESPONSE_BYTES);
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    if (slow.signal.aborted) return { sent: false, code: 'destination.too_slow', reason: slow.reason, final: false };
    if (source.fault !== undefined) throw source.fault;
    if ((error as { code?: string }).code === undefined) throw error;
    const code = isCertificateFault(error as Error) ? 'destination.certificate' : 'destination.failed';
    return { sent: false, code, reason: connectionFault(error as Error), final: error instanceof WireFault };
  } finally {
    source.request?.destroy();
    body.destroy();
  }
}

/** Ends with the last byte, not one read later: a receiver that has everything may close the connection at once. */
function counted(bytes: number, slow: TransferTimeout): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      slow.moved(chunk.length);
      passed += chunk.length;
      this.push(chunk);
      if (passed === bytes) this.push(null);
      done();
    },
  });
}

function contentHeaders({ contentType, bytes, sha256 }: FileToSend) {
  return {
    'content-type': contentType,
    'content-length': bytes,
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}

function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { sent: true };
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect ? `it redirects (status ${status}), which is not followed` : returnedStatus(status);
  return { sent: false, code: 'destination.failed', reason, final: !isTransientStatus(status) };
}
