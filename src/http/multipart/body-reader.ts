import type { IncomingMessage } from 'node:http';
import { ExportError } from '../../errors.ts';
import { ReadTurns } from './read-turns.ts';

/** How patient we are with a body. */
export interface BodyPatience {
  readonly idleTimeoutSeconds: number;
  readonly uploadTimeoutSeconds: number;
}

/** A client that sends less than this each second, over a whole idle period, is as good as silent. */
const LEAST_BYTES_A_SECOND = 64;

/** One batch is handed out when it has this many bytes, or this many chunks: each costs memory of its own. */
const BATCH_BYTES = 64 * 1024;
const BATCH_CHUNKS = 512;

/**
 * A client decides how many HTTP chunks its body has, and Node's parser takes about a microsecond for each: a body in chunks
 * of one byte costs a thousand times what the same bytes cost otherwise. Chunks below `SMALL_BYTES` on average are read in
 * turns; a body with more than `MOST_SMALL_CHUNKS` of them is refused.
 */
const SMALL_BYTES = 64;
const MOST_SMALL_CHUNKS = 100_000;

/** All requests of the process share one event loop, and so the turns at it. */
const SMALL_CHUNK_TURNS = new ReadTurns();

/**
 * Hands out a request's body in batches, no faster than asked, and loses patience with slow clients.
 *
 * A batch is all that one read of the socket brought: the work per batch (a promise, a write to disk) does not depend on the
 * size of the client's chunks.
 *
 * Only the time spent waiting for the client counts as idle: the disk's slowness is ours. Disposing leaves the request
 * paused and undamaged, so that it can still be answered (an async iterator would destroy it).
 */
export class BodyReader implements Disposable {
  readonly #request: IncomingMessage;
  readonly #patience: BodyPatience;
  readonly #signal: AbortSignal;
  readonly #deadline: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #handOut: NodeJS.Immediate | undefined;
  #chunks = 0;
  #bytes = 0;
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

  /** The next bytes, null after the last. @throws `multipart.too_slow`, `multipart.aborted`, `request.chunks_too_small` */
  async next(): Promise<Buffer | null> {
    if (this.#batch.length === 0 && !this.#ended && this.#failure === null) {
      if (this.#hasSmallChunks) await SMALL_CHUNK_TURNS.next();
      await this.#arrival();
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#batch.length === 0) return null;
    const bytes = this.#batch.length === 1 ? this.#batch[0]! : Buffer.concat(this.#batch, this.#batchBytes);
    this.#batch = [];
    this.#batchBytes = 0;
    return bytes;
  }

  async #arrival(): Promise<void> {
    // The client may have gone while this reader waited for its turn.
    if (this.#ended || this.#failure !== null) return;
    this.#idle ??= setTimeout(this.#onIdle, milliseconds(this.#patience.idleTimeoutSeconds));
    this.#request.resume();
    // Not while the request still holds chunks: these would pause the socket before it is resumed, and it would read on.
    if (this.#request.readableLength === 0 && this.#request.socket.isPaused()) this.#request.socket.resume();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }

  get #hasSmallChunks(): boolean {
    return this.#chunks >= BATCH_CHUNKS && this.#bytes < this.#chunks * SMALL_BYTES;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
    clearImmediate(this.#handOut);
    this.#signal.removeEventListener('abort', this.#onClose);
    this.#request.pause();
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    // The error listener stays: a reset after this is nobody's business, but unheard it would end the process.
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#batch.push(chunk);
    this.#batchBytes += chunk.length;
    this.#chunks += 1;
    this.#bytes += chunk.length;
    if (this.#chunks > MOST_SMALL_CHUNKS && this.#hasSmallChunks) this.#fail(chunksTooSmall());
    if (this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_CHUNKS) this.#request.pause();
    // The parser emits all chunks of one read before the event loop goes on: they become one batch.
    this.#handOut ??= setImmediate(this.#onBatch);
    this.#bytesInPeriod += chunk.length;
    if (this.#bytesInPeriod >= LEAST_BYTES_A_SECOND * this.#patience.idleTimeoutSeconds) {
      clearTimeout(this.#idle);
      this.#idle = undefined;
      this.#bytesInPeriod = 0;
    }
  };

  /**
   * A paused request goes on buffering up to a number of bytes, however many chunks they make: with small ones its socket is
   * paused too. After the last byte the socket belongs to the next request.
   */
  readonly #onBatch = (): void => {
    this.#handOut = undefined;
    this.#request.pause();
    if (this.#hasSmallChunks && !this.#request.complete) this.#request.socket.pause();
    this.#wake?.();
  };

  readonly #onEnd = (): void => {
    clearImmediate(this.#handOut);
    this.#ended = true;
    this.#wake?.();
  };

  readonly #onClose = (): void => {
    if (!this.#ended) this.#fail(new ExportError('cancelled', 'multipart.aborted', 'The upload was broken off.'));
  };

  readonly #onIdle = (): void => {
    this.#idle = undefined;
    this.#bytesInPeriod = 0;
    // While a chunk is being written the waiting is ours, not the client's.
    if (this.#wake === null) return;
    const message = `The upload stood (nearly) still for ${this.#patience.idleTimeoutSeconds} s.`;
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
    `The body comes in more than ${MOST_SMALL_CHUNKS} HTTP chunks of less than ${SMALL_BYTES} bytes on average. ` +
    'Send larger chunks, or a Content-Length.';
  return new ExportError('malformed', 'request.chunks_too_small', message);
}

/** A timer longer than this would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function milliseconds(seconds: number): number {
  return Math.min(LONGEST_TIMER_MS, seconds * 1000);
}
