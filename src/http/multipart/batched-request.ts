import { IncomingMessage } from 'node:http';
import { READ_TURNS } from '../../platform/read-turns.ts';
import { ChunkBatch, ChunkCount } from '../../platform/small-chunks.ts';

/**
 * A request that joins the HTTP chunks of its body: one read of the socket becomes a few buffers of the stream, each of
 * which costs a promise and a write. Node would keep each HTTP chunk as a buffer of its own.
 * A body in small chunks is read in turns with others. A turn is one read of the socket, which Node parses in one go. The
 * socket is paused after its turn even if nothing came: clients that send all at once are still read one after the other.
 */
export class BatchedRequest extends IncomingMessage {
  readonly #count = new ChunkCount();
  readonly #batch = new ChunkBatch();
  #handOut: NodeJS.Immediate | undefined;
  #turn: 'none' | 'waits' | 'began' | 'has read' = 'none';
  #wantsMore = false;

  /** The number of chunks so far if they are many and small; 0 otherwise. */
  get smallChunks(): number {
    return this.#count.small;
  }

  /** Called by the parser. False pauses the socket before its next read. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#endBatch();
      return super.push(null);
    }
    this.#count.add(chunk.length);
    if (this.#turn === 'began') this.#turn = 'has read';
    const hasRoom = this.#add(chunk);
    return hasRoom && this.smallChunks === 0;
  }

  override _read(size: number): void {
    if (this.smallChunks === 0) super._read(size);
    else if (this.#turn !== 'none') this.#wantsMore = true;
    else this.#awaitTurn(size);
  }

  #awaitTurn(size: number): void {
    this.#turn = 'waits';
    this.#wantsMore = false;
    READ_TURNS.next({
      begin: () => {
        this.#turn = 'began';
        // After its last byte the socket belongs to the next request.
        if (!this.complete) super._read(size);
      },
      end: () => {
        const isSilent = this.#turn === 'began' && !this.complete && !this.socket.destroyed;
        if (isSilent) this.socket.pause();
        if (isSilent || (this.#wantsMore && !this.socket.destroyed)) this.#awaitTurn(size);
        else this.#turn = 'none';
      },
    });
  }

  #add(chunk: Buffer): boolean {
    let hasRoom = true;
    if (!this.#batch.add(chunk)) {
      hasRoom = this.#endBatch();
      if (!this.#batch.add(chunk)) return super.push(chunk);
    }
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
    const bytes = this.#batch.take();
    return bytes === null || this.destroyed || super.push(bytes);
  }
}

/** The number of small HTTP chunks of a body; 0 if they are few or large. */
export function smallChunksOf(request: IncomingMessage): number {
  return request instanceof BatchedRequest ? request.smallChunks : 0;
}
