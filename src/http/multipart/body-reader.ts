import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExportError } from '../../errors.ts';
import { MAX_SMALL_CHUNKS, SMALL_BYTES } from '../../platform/small-chunks.ts';
import { smallChunksOf } from './batched-request.ts';

interface DocumentMemoryLimits {
  /** Of all requests together. */
  readonly maxDocumentMemory: number;
}

/** The part of the memory that one tenant may use, so that the others have the rest. */
const TENANT_SHARE = 0.5;

/**
 * Counts the bytes of documents that are in memory, from their arrival to the end of their request. Beyond the limit a
 * request is refused, and can be repeated: bodies that wait for a thread would otherwise fill the memory. (H60)
 */
export class DocumentMemory {
  readonly #max: number;
  readonly #byTenant = new Map<string, number>();
  #used = 0;

  constructor({ maxDocumentMemory }: DocumentMemoryLimits) {
    this.#max = maxDocumentMemory;
  }

  /** The share of one request, empty at first. Disposing gives it back. */
  lease(tenant: string): DocumentLease {
    let held = 0;
    return {
      add: (bytes) => {
        const own = this.#byTenant.get(tenant) ?? 0;
        if (own + bytes > this.#max * TENANT_SHARE) throw tooMany(Math.floor(this.#max * TENANT_SHARE));
        if (this.#used + bytes > this.#max) throw busy();
        this.#count(tenant, bytes);
        held += bytes;
      },
      [Symbol.dispose]: () => {
        this.#count(tenant, -held);
        held = 0;
      },
    };
  }

  #count(tenant: string, bytes: number): void {
    this.#used += bytes;
    const own = (this.#byTenant.get(tenant) ?? 0) + bytes;
    if (own === 0) this.#byTenant.delete(tenant);
    else this.#byTenant.set(tenant, own);
  }
}

/** The bytes that one request has in memory. */
export interface DocumentLease extends Disposable {
  /** Called before bytes are kept. @throws `document.too_many`, `service.busy` */
  add(bytes: number): void;
}

function tooMany(max: number): ExportError {
  const message = `Your requests in progress have more than ${max} bytes of documents. Try again later.`;
  return new ExportError('unavailable', 'document.too_many', message);
}

function busy(): ExportError {
  return new ExportError('unavailable', 'service.busy', 'Too many requests are in progress. Try again later.');
}

/** The time limits of a body. */
export interface BodyPatience {
  readonly idleTimeoutSeconds: number;
  readonly uploadTimeoutSeconds: number;
}

/** A client that sends less than this each second, over a whole idle period, counts as silent. */
const MIN_BYTES_PER_SECOND = 64;

/**
 * Reads a request's body buffer by buffer, no faster than its caller, with limits for slow clients.
 * Only the time spent waiting for the client counts as idle, not a slow disk. Disposing leaves the request paused and
 * intact, so that it can still be answered (an async iterator would destroy it).
 */
export class BodyReader implements Disposable {
  readonly #request: IncomingMessage;
  readonly #patience: BodyPatience;
  readonly #signal: AbortSignal;
  readonly #deadline: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #chunk: Buffer | null = null;
  #ended = false;
  #failure: ExportError | null = null;
  #bytesInPeriod = 0;
  #wake: (() => void) | null = null;

  constructor(request: IncomingMessage, patience: BodyPatience, signal: AbortSignal) {
    this.#request = request;
    this.#patience = patience;
    this.#signal = signal;
    this.#deadline = setTimeout(this.#onDeadline, milliseconds(patience.uploadTimeoutSeconds));
    request.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', this.#onClose);
    request.pause();
    signal.addEventListener('abort', this.#onClose);
    if (signal.aborted || request.destroyed) this.#onClose();
  }

  /**
   * The next bytes; null after the last. @throws `multipart.too_slow`, `multipart.aborted`, `request.chunks_too_small`
   */
  async next(): Promise<Buffer | null> {
    if (this.#chunk === null && !this.#ended && this.#failure === null) {
      this.#idle ??= setTimeout(this.#onIdle, milliseconds(this.#patience.idleTimeoutSeconds));
      this.#request.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#failure !== null) throw this.#failure;
    const chunk = this.#chunk;
    this.#chunk = null;
    return chunk;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
    this.#signal.removeEventListener('abort', this.#onClose);
    this.#request.pause();
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    // The error listener stays: without it, a later reset would end the process.
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#request.pause();
    if (smallChunksOf(this.#request) > MAX_SMALL_CHUNKS) this.#fail(chunksTooSmall());
    this.#chunk = this.#chunk === null ? chunk : Buffer.concat([this.#chunk, chunk]);
    this.#bytesInPeriod += chunk.length;
    if (this.#bytesInPeriod >= MIN_BYTES_PER_SECOND * this.#patience.idleTimeoutSeconds) {
      clearTimeout(this.#idle);
      this.#idle = undefined;
      this.#bytesInPeriod = 0;
    }
    this.#wake?.();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  readonly #onClose = (): void => {
    if (!this.#ended) this.#fail(new ExportError('cancelled', 'multipart.aborted', 'The upload was interrupted.'));
  };

  readonly #onIdle = (): void => {
    this.#idle = undefined;
    this.#bytesInPeriod = 0;
    // While a buffer is being written, the service is slow, not the client.
    if (this.#wake === null) return;
    const message = `The upload made almost no progress for ${this.#patience.idleTimeoutSeconds} s.`;
    this.#fail(new ExportError('unavailable', 'multipart.too_slow', message));
  };

  readonly #onDeadline = (): void => {
    const message = `The upload took longer than the ${this.#patience.uploadTimeoutSeconds} s allowed.`;
    this.#fail(new ExportError('unavailable', 'multipart.too_slow', message));
  };

  #fail(failure: ExportError): void {
    this.#failure ??= failure;
    this.#wake?.();
  }
}

function chunksTooSmall(): ExportError {
  const message =
    `The body has more than ${MAX_SMALL_CHUNKS} HTTP chunks of less than ${SMALL_BYTES} bytes on average. ` +
    'Send larger chunks, or a Content-Length.';
  return new ExportError('malformed', 'request.chunks_too_small', message);
}

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function milliseconds(seconds: number): number {
  return Math.min(LONGEST_TIMER_MS, seconds * 1000);
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly patience: BodyPatience;
  /** Counts the bytes; absent for small bodies. */
  readonly memory?: Pick<DocumentLease, 'add'>;
}

/** Reads a body into memory. @throws `request.too_large`, and the errors of the reader. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, patience, memory }: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  using reader = new BodyReader(request, patience, signal);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let chunk = await reader.next(); chunk !== null; chunk = await reader.next()) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const message = `The body can have at most ${maxBytes} bytes.`;
      throw new ExportError('too_large', 'request.too_large', message);
    }
    memory?.add(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
