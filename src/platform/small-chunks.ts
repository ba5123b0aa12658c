/**
 * The other side decides how many HTTP chunks its body has, and Node's parser takes about a microsecond for each: a body
 * in chunks of one byte costs a thousand times as much as usual. Chunks are small if their average is below this. (H16, H49)
 */
export const SMALL_BYTES = 64;
/** Fewer chunks than this cost little, whatever their size. */
const FEW_CHUNKS = 512;
/** A body in more small chunks than this is refused. */
export const MAX_SMALL_CHUNKS = 100_000;

/** Counts chunks and their bytes. */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  add(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of chunks so far if they are many and small; 0 otherwise. */
  get small(): number {
    return this.#chunks > FEW_CHUNKS && this.#bytes < this.#chunks * SMALL_BYTES ? this.#chunks : 0;
  }
}

const BATCH_BYTES = 16 * 1024;
/** A chunk of this length is passed on alone. */
const LARGE_BYTES = 4096;

/** Joins small chunks, because each buffer of a stream costs memory, a promise and a write. */
export class ChunkBatch {
  #batch: Buffer | null = null;
  #bytes = 0;

  /** False if the batch must be taken first, or the chunk is large and needs no batch. */
  add(chunk: Buffer): boolean {
    if (chunk.length >= LARGE_BYTES || this.#bytes + chunk.length > BATCH_BYTES) return false;
    this.#batch ??= Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#batch.set(chunk, this.#bytes);
    this.#bytes += chunk.length;
    return true;
  }

  /** The joined chunks, which the batch no longer has; null if there are none. */
  take(): Buffer | null {
    const bytes = this.#batch?.subarray(0, this.#bytes) ?? null;
    this.#batch = null;
    this.#bytes = 0;
    return bytes && compact(bytes);
  }
}

/** A slice keeps its whole buffer in memory, and so would Node's pool: a peer that sends single bytes would fill it. */
function compact(bytes: Buffer): Buffer {
  if (bytes.length >= BATCH_BYTES / 2) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
