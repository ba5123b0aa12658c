import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { READ_TURNS } from '../platform/read-turns.ts';
import { ChunkCount, MAX_SMALL_CHUNKS, SMALL_BYTES } from '../platform/small-chunks.ts';
import { hostOf } from './read-address.ts';

/** Node parses a slice in one go. The first slices are short: one of small chunks takes about a millisecond. */
const FIRST_SLICE_BYTES = 4 * 1024;
const COSTLY_SLICE_BYTES = 16 * 1024;
const SLICE_BYTES = 64 * 1024;
/** A slice of fewer chunks is parsed quickly, whatever their size. */
const FEW_IN_SLICE = 64;
/** How many reads wait to be joined to a slice. */
const MAX_QUEUED_READS = 512;

/** Framing is all that is not the body: headers, trailers, sizes and extensions of chunks. */
const MAX_FRAMING_BYTES = 2 ** 20;
/** How much more framing there may be for each byte of the body. */
const MAX_FRAMING_SHARE = 1 / 4;

/** A response that costs the service more than its content is worth. The message is the end of a sentence. */
export class WireFault extends Error {
  readonly code = 'ERR_HTTP_FRAMING';
}

/**
 * The connection of a request, between the socket and Node's HTTP parser. It passes on what came in slices, when the
 * event loop has time, because a server decides how long its response takes to parse. Costly slices take turns with
 * those of all other connections, uploads among them; too many of them end the connection with a `WireFault`. (H49)
 */
export class WireGate extends Duplex {
  readonly #socket: Socket;
  /** What came at once: packets, or records of TLS. */
  readonly #reads = new ChunkCount();
  /** The HTTP chunks of the body. */
  readonly #chunks = new ChunkCount();
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #sliceBytes = 0;
  #chunksInSlice = 0;
  #isWanted = false;
  #isScheduled = false;
  #isHeld = false;
  #isAtEnd = false;
  #failure: Error | null = null;

  constructor(socket: Socket) {
    // Asks for a slice only after the one before was parsed.
    super({ readableHighWaterMark: 1 });
    this.#socket = socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', (error) => this.#fail(error))
      .on('close', () => this.#isAtEnd || this.#fail(null));
  }

  /** Counts a chunk of the body. */
  count(bytes: number): void {
    this.#chunks.add(bytes);
    this.#chunksInSlice += 1;
  }

  /** Passes on nothing until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#schedule();
  }

  override _read(): void {
    this.#isWanted = true;
    const fault = this.#fault();
    if (fault === null) this.#schedule();
    else this.destroy(new WireFault(fault));
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk, encoding, (error) => (error ? this.#fail(error) : done()));
  }

  override _final(done: () => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#queue.length = 0;
    this.#socket.destroy();
    done(error);
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#reads.add(bytes.length);
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes >= FIRST_SLICE_BYTES || this.#queue.length >= MAX_QUEUED_READS) this.#socket.pause();
    this.#schedule();
  };

  readonly #onEnd = (): void => {
    this.#isAtEnd = true;
    this.#schedule();
  };

  /** Ends the connection. A response that came before the failure is passed on first. */
  #fail(error: Error | null): void {
    this.#failure ??= error ?? Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
    if (this.#queue.length === 0 || this.#isHeld) this.destroy(this.#failure);
  }

  #schedule(): void {
    if (!this.#isWanted || this.#isHeld || this.#isScheduled || this.destroyed) return;
    if (this.#queue.length > 0) {
      this.#isScheduled = true;
      if (this.#isCostly) READ_TURNS.next({ begin: () => setImmediate(this.#passOn) });
      else READ_TURNS.soon(this.#passOn);
    } else if (this.#failure !== null) this.destroy(this.#failure);
    else if (this.#isAtEnd) this.push(null);
    else this.#socket.resume();
  }

  readonly #passOn = (): void => {
    this.#isScheduled = false;
    if (this.destroyed || this.#isHeld) return;
    const isFirst = this.#chunks.bytes < SLICE_BYTES;
    const slice = this.#take(this.#isCostly ? COSTLY_SLICE_BYTES : isFirst ? FIRST_SLICE_BYTES : SLICE_BYTES);
    this.#sliceBytes = slice.length;
    this.#chunksInSlice = 0;
    this.#isWanted = false;
    this.push(slice);
  };

  #take(maxBytes: number): Buffer {
    let [count, bytes] = [0, 0];
    while (count < this.#queue.length && bytes < maxBytes) bytes += this.#queue[count++]!.length;
    const taken = this.#queue.splice(0, count);
    if (bytes > maxBytes) {
      const last = taken.pop()!;
      const kept = last.length - (bytes - maxBytes);
      taken.push(last.subarray(0, kept));
      this.#queue.unshift(last.subarray(kept));
    }
    const slice = taken.length === 1 ? taken[0]! : Buffer.concat(taken);
    this.#queuedBytes -= slice.length;
    return slice;
  }

  /** Whether the last slice, or all of them together, took much longer to parse than usual. */
  get #isCostly(): boolean {
    const inSlice = this.#chunksInSlice;
    const isLast = inSlice > FEW_IN_SLICE && this.#sliceBytes < inSlice * SMALL_BYTES;
    return isLast || this.#chunks.small > 0 || this.#reads.small > 0;
  }

  #fault(): string | null {
    if (Math.max(this.#chunks.small, this.#reads.small) > MAX_SMALL_CHUNKS) {
      return `it sent more than ${MAX_SMALL_CHUNKS} chunks of less than ${SMALL_BYTES} bytes on average`;
    }
    const framing = this.#reads.bytes - this.#queuedBytes - this.#chunks.bytes;
    if (framing <= MAX_FRAMING_BYTES + this.#chunks.bytes * MAX_FRAMING_SHARE) return null;
    return `it sent ${framing} bytes of HTTP framing for ${this.#chunks.bytes} bytes of content`;
  }
}

/** Connects to one of the addresses that `lookup` finds. */
export function openGate(url: URL, lookup: LookupFunction): WireGate {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const port = Number(url.port || (isSecure ? 443 : 80));
  // A socket that is paused reads no further: a record of TLS may have a single byte, and each is a buffer of its own.
  const options = { host, port, lookup, noDelay: true, highWaterMark: 1 };
  if (!isSecure) return new WireGate(connect(options));
  const servername = isIP(host) === 0 ? host : '';
  return new WireGate(connectTls({ ...options, servername, ALPNProtocols: ['http/1.1'] }));
}
