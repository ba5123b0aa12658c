import { createSha256 } from './sha256.ts';
import { TiercutError } from './tiercut-error.ts';

/**
 * Bytes that can be read in parts, more than once, such as a file on disk. A `Blob` (a browser's `File`) is a source
 * too.
 */
export interface MediaSource {
  readonly size: number;
  /** Bytes `start … end`, `end` excluded. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** How far reading or sending has come. */
export interface MediaProgress {
  /** For a request with several files: its name in `media`. */
  readonly field?: string;
  /** First the bytes are hashed, then sent unless the service has them. */
  readonly stage: 'hashing' | 'sending';
  readonly done: number;
  readonly bytes: number;
}

/** Bytes read at a time: a large file is never in memory as a whole. */
const PART = 4 * 2 ** 20;

/** A blob as a source. */
export function sourceOf(media: Blob | MediaSource): MediaSource {
  if (!(media instanceof Blob)) return requireSource(media);
  return {
    size: media.size,
    read: async (start, end) => new Uint8Array(await media.slice(start, end).arrayBuffer()),
  };
}

/** Without types, a path or a promise of a source is easily mistaken for one. */
function requireSource(media: unknown): MediaSource {
  const { size, read } = (media ?? {}) as Partial<MediaSource>;
  if (typeof size === 'number' && typeof read === 'function') return media as MediaSource;
  const message = 'A file must be a Blob or a source with `size` and `read`, such as `await fileSource(path)`.';
  throw new TiercutError('client.usage', message);
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
