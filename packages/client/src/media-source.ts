import { createSha256 } from './sha256.ts';

/** Bytes that can be read in parts, more than once: a file on disk, say. A `Blob` (a browser's `File`) is one of its own. */
export interface MediaSource {
  readonly size: number;
  /** Bytes `start … end`, `end` excluded. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** How far reading or sending has come. */
export interface MediaProgress {
  /** First the bytes are hashed, then sent unless the service has them. */
  readonly stage: 'hashing' | 'sending';
  readonly done: number;
  readonly bytes: number;
}

/** Read at a time: nothing that is large is ever in memory as a whole. */
const PART = 4 * 2 ** 20;

/** A blob as a source. */
export function sourceOf(media: Blob | MediaSource): MediaSource {
  if (!(media instanceof Blob)) return media;
  return {
    size: media.size,
    read: async (start, end) => new Uint8Array(await media.slice(start, end).arrayBuffer()),
  };
}

/** The SHA-256 of a source, read part by part. */
export async function hashSource(
  source: MediaSource,
  {
    signal,
    onProgress,
  }: { signal?: AbortSignal | undefined; onProgress?: ((progress: MediaProgress) => void) | undefined },
): Promise<string> {
  const hash = createSha256();
  for (let done = 0; done < source.size; ) {
    signal?.throwIfAborted();
    const part = await source.read(done, Math.min(done + PART, source.size));
    hash.update(part);
    done += part.length;
    onProgress?.({ stage: 'hashing', done, bytes: source.size });
  }
  return hash.digest();
}
