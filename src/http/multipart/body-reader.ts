import type { IncomingMessage } from 'node:http';
import { ExportError } from '../../errors.ts';
import { SMALL_BYTES, smallChunksOf } from './batched-request.ts';

/** The time limits of a body. */
export interface BodyPatience {
  readonly idleTimeoutSeconds: number;
  readonly uploadTimeoutSeconds: number;
}

/** A client that sends less than this each second, over a whole idle period, counts as silent. */
const MIN_BYTES_PER_SECOND = 64;

/** A body in more small HTTP chunks than this is refused. */
const MAX_SMALL_CHUNKS = 100_000;

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
