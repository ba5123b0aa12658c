import type { Media } from './answers.ts';
import { type Connection, pause, pauseMs } from './connection.ts';
import { hashSource, type MediaProgress, type MediaSource } from './media-source.ts';
import { TiercutError } from './tiercut-error.ts';

export interface UploadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: MediaProgress) => void;
  /** Bytes sent in one request, so that there is progress to tell and little to send again; 8 MiB if absent. */
  readonly partBytes?: number;
}

const USUAL_PART = 8 * 2 ** 20;

/**
 * Sends a file unless the service has it: by parts, from where an earlier upload of the same bytes stopped, and on from where
 * the connection broke.
 */
export async function upload(connection: Connection, source: MediaSource, options: UploadOptions): Promise<Media> {
  const { signal, onProgress, partBytes = USUAL_PART } = options;
  const path = `/media/${await hashSource(source, { signal, onProgress })}`;
  const tell = (done: number) => onProgress?.({ stage: 'sending', done, bytes: source.size });
  let done = await offsetOf(connection, path, signal);
  for (let tries = 0; ; ) {
    tell(done);
    // What is there already answers to a single byte as it does to all of them.
    const start = Math.min(done, source.size - 1);
    const end = Math.min(start + partBytes, source.size);
    try {
      const body = (await source.read(start, end)) as Uint8Array<ArrayBuffer>;
      const range = `bytes ${start}-${end - 1}/${source.size}`;
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': range,
        accept: 'application/json',
      };
      const response = await connection.send(path, { method: 'PUT', headers, body, signal });
      const answer = (await response.json()) as Media | { readonly received: number };
      if (!('received' in answer)) {
        tell(source.size);
        return answer;
      }
      done = answer.received;
      tries = 0;
    } catch (error) {
      signal?.throwIfAborted();
      const passing = !(error instanceof TiercutError) || error.isPassing || error.status === 409;
      if (!passing || tries >= connection.retries) throw error;
      await pause(pauseMs(tries, error instanceof TiercutError ? error.retryAfterSeconds : null), signal);
      tries += 1;
      done = await offsetOf(connection, path, signal);
    }
  }
}

/** How much of it is there. */
async function offsetOf(connection: Connection, path: string, signal: AbortSignal | undefined): Promise<number> {
  return connection.again(async () => {
    const { headers } = await connection.send(path, { method: 'HEAD', accepts: [404], signal });
    return Number(headers.get('upload-offset') ?? 0);
  }, signal);
}
