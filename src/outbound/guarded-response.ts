import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { ChunkBatch } from '../platform/small-chunks.ts';
import { WireFault, WireGate } from './wire-gate.ts';

/** Servers use one or two; a third or more is a server that keeps a connection busy. */
const MAX_INFORMATIONAL = 16;
/** How many bytes wait for their reader before the connection pauses. */
const MAX_WAITING_BYTES = 64 * 1024;

/** The response to a guarded request. Its body is read buffer by buffer, no faster than the caller. (H49) */
export class GuardedResponse {
  readonly #message: IncomingMessage;
  readonly #gate: WireGate;
  readonly #batch = new ChunkBatch();
  readonly #buffers: Buffer[] = [];
  #bytes = 0;
  #isRead = false;
  #isOver = false;
  #fault: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(request: ClientRequest, message: IncomingMessage, gate: WireGate) {
    this.#message = message;
    this.#gate = gate;
    // Until the body is read, the rest stays on the wire.
    gate.hold();
    // The request has the reason; the message only says that it was cut off, and later.
    request.on('error', this.#onError);
    message.once('end', () => this.#end(null)).on('error', this.#onError);
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#message.headers;
  }

  /** The next bytes, of many HTTP chunks if these are small; null after the last. @throws if the connection breaks. */
  async next(): Promise<Buffer | null> {
    if (!this.#isRead) {
      this.#isRead = true;
      this.#message.on('data', this.#onData);
    }
    if (this.#bytes === 0 && !this.#isOver) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#gate.release();
      await woken;
    }
    const bytes = this.#buffers.shift() ?? this.#batch.take();
    if (bytes === null && this.#fault !== null) throw this.#fault;
    this.#bytes -= bytes?.length ?? 0;
    if (this.#bytes < MAX_WAITING_BYTES) this.#gate.release();
    return bytes;
  }

  /** Lets a receiver finish its response, if that is short. Errors no longer matter. */
  async finish(maxBytes: number): Promise<void> {
    try {
      for (let read = 0; read <= maxBytes; ) {
        const bytes = await this.next();
        if (bytes === null) return;
        read += bytes.length;
      }
    } catch {}
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#gate.count(chunk.length);
    if (!this.#batch.add(chunk)) {
      const batch = this.#batch.take();
      if (batch !== null) this.#buffers.push(batch);
      if (!this.#batch.add(chunk)) this.#buffers.push(chunk);
    }
    this.#bytes += chunk.length;
    if (this.#bytes >= MAX_WAITING_BYTES) this.#gate.hold();
    this.#wake?.();
  };

  readonly #onError = (error: Error): void => {
    // What follows the last byte does not matter.
    if (!this.#message.complete) this.#end(error);
  };

  #end(fault: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#fault = fault;
    this.#wake?.();
  }
}

/** Resolves with the headers of the response. */
export function responseTo(request: ClientRequest): Promise<GuardedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<GuardedResponse>();
  let informational = 0;
  request.on('information', () => {
    informational += 1;
    if (informational <= MAX_INFORMATIONAL) return;
    request.destroy(new WireFault(`it sent more than ${MAX_INFORMATIONAL} informational responses (1xx)`));
  });
  // The listener stays: a connection may also break after the response.
  request.on('error', reject).once('response', (message: IncomingMessage) => {
    if (!(message.socket instanceof WireGate)) throw new Error('the request has no gate');
    resolve(new GuardedResponse(request, message, message.socket));
  });
  // After an unwanted 101, Node closes the connection without an error.
  request.once('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })));
  return promise;
}

/** Transient statuses besides server errors. (RFC 9110, RFC 6585) */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** Whether a retry may get another response. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || TRANSIENT_STATUSES.has(status);
}

/** As the end of a sentence: `it returned status 403 (Forbidden)` */
export function returnedStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `it returned status ${name === undefined ? status : `${status} (${name})`}`;
}
