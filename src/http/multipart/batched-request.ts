import { IncomingMessage } from 'node:http';
import { ReadTurns } from './read-turns.ts';

/**
 * A client decides how many HTTP chunks its body has, and Node's parser takes about a microsecond for each: a body in
 * chunks of one byte costs a thousand times as much as usual. Chunks are small if their average is below this.
 */
export const SMALL_BYTES = 64;
/** Fewer chunks than this cost little, whatever their size. */
const FEW_CHUNKS = 512;
const BATCH_BYTES = 16 * 1024;
/** A chunk of this length is passed on alone. */
const LARGE_BYTES = 4096;

/** All requests of the process share one event loop, so they share the turns. */
const TURNS = new ReadTurns();

/**
 * A request that joins the HTTP chunks of its body: one read of the socket becomes a few buffers of the stream, each of
 * which costs a promise and a write. Node would keep each HTTP chunk as a buffer of its own.
 * A body in small chunks is read in turns with others. A turn is one read of the socket, which Node parses in one go.
 */
export class BatchedRequest extends IncomingMessage {
  #chunks = 0;
  #bytes = 0;
  #batch: Buffer | null = null;
  #batchBytes = 0;
  #handOut: NodeJS.Immediate | undefined;
  #awaitsTurn = false;

  /** The number of chunks so far if they are many and small; 0 otherwise. */
  get smallChunks(): number {
    return this.#chunks > FEW_CHUNKS && this.#bytes < this.#chunks * SMALL_BYTES ? this.#chunks : 0;
  }

  /** Called by the parser. False pauses the socket before its next read. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#endBatch();
      return super.push(null);
    }
    this.#chunks += 1;
    this.#bytes += chunk.length;
    const hasRoom = this.#add(chunk);
    return hasRoom && this.smallChunks === 0;
  }

  override _read(size: number): void {
    if (this.smallChunks === 0) super._read(size);
    else if (!this.#awaitsTurn) {
      this.#awaitsTurn = true;
      TURNS.next(() => {
        this.#awaitsTurn = false;
        // After its last byte the socket belongs to the next request.
        if (!this.complete) super._read(size);
      });
    }
  }

  #add(chunk: Buffer): boolean {
    const isLarge = chunk.length >= LARGE_BYTES;
    const hasRoom = !isLarge && this.#batchBytes + chunk.length <= BATCH_BYTES ? true : this.#endBatch();
    if (isLarge) return super.push(chunk);
    this.#batch ??= Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#batch.set(chunk, this.#batchBytes);
    this.#batchBytes += chunk.length;
    this.#handOut ??= setImmediate(this.#onHandOut);
    return hasRoom;
  }

  readonly #onHandOut = (): void => {
    if (!this.#endBatch() && !this.complete) this.socket.pause();
  };

  /** Passes on the joined chunks. False if the stream has enough. */
  #endBatch(): boolean {
    clearImmediate(this.#handOut);
    this.#handOut = undefined;
    const bytes = this.#batch?.subarray(0, this.#batchBytes);
    this.#batch = null;
    this.#batchBytes = 0;
    return bytes === undefined || this.destroyed || super.push(compact(bytes));
  }
}

/**
 * A slice keeps its whole buffer in memory, and so would Node's pool: a client that sends single bytes would fill it.
 */
function compact(bytes: Buffer): Buffer {
  if (bytes.length >= BATCH_BYTES / 2) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The number of small HTTP chunks of a body; 0 if they are few or large. */
export function smallChunksOf(request: IncomingMessage): number {
  return request instanceof BatchedRequest ? request.smallChunks : 0;
}
