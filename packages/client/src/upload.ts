import type { Connection } from './connection.ts';
import { hashSource, type MediaProgress, type MediaSource } from './media-source.ts';
import { TiercutError } from './tiercut-error.ts';
import type { KnownMedia, Media, UnfinishedMedia } from './wire-types.ts';

export interface UploadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: MediaProgress) => void;
  /** Bytes sent in one request, so that progress can be reported and little has to be sent again; 8 MiB if absent. */
  readonly partBytes?: number;
}

export interface FileUploadOptions extends UploadOptions {
  /** The SHA-256 of the file, if it is known: then the file is not read for it. */
  readonly sha256?: string;
  /** How much of it the service has, as `known` says: then the service is not asked for it. */
  readonly received?: number;
}

const DEFAULT_PART = 8 * 2 ** 20;

/**
 * Uploads a file unless the service has it: in parts, resuming an earlier upload of the same bytes, and after a broken
 * connection.
 */
export async function upload(connection: Connection, source: MediaSource, options: FileUploadOptions): Promise<Media> {
  const { signal, onProgress, partBytes = DEFAULT_PART } = options;
  if (source.size === 0) throw new TiercutError('client.usage', 'The file is empty: there is nothing to upload.');
  const path = `/media/${options.sha256 ?? (await hashSource(source, { signal, onProgress }))}`;
  const tell = (done: number) => onProgress?.({ stage: 'sending', done, bytes: source.size });
  let done = options.received ?? (await offsetOf(connection, path, signal));
  for (let attempt = 0; ; ) {
    tell(done);
    // If the service has the content already, a single byte gets the same response as all bytes.
    const start = Math.min(done, source.size - 1);
    const end = Math.min(start + partBytes, source.size);
    const body = (await source.read(start, end)) as Uint8Array<ArrayBuffer>;
    try {
      const range = `bytes ${start}-${end - 1}/${source.size}`;
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': range,
        accept: 'application/json',
      };
      const response = await connection.send(path, { method: 'PUT', headers, body, signal });
      const answer = (await response.json()) as Media | UnfinishedMedia;
      if (!('received' in answer)) {
        tell(source.size);
        return answer;
      }
      done = answer.received;
      attempt = 0;
    } catch (error) {
      // The service has another part of it than expected: ask again how much.
      const isElsewhere = error instanceof TiercutError && error.status === 409;
      await connection.passed(isElsewhere ? error.asPassing() : error, attempt, signal);
      attempt += 1;
      done = await offsetOf(connection, path, signal);
    }
  }
}

/** Whether all of a file is there. */
export async function hasMedia(
  connection: Connection,
  sha256: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const head = () => connection.send(`/media/${sha256}`, { method: 'HEAD', accepts: [404], signal });
  return (await connection.again(head, signal)).ok;
}

/** Files that one request asks about. */
const KNOWN_AT_ONCE = 100;

/** How much of each of many files is there. */
export async function knownMedia(
  connection: Connection,
  sha256s: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, { readonly stored: boolean; readonly received: number }>> {
  const found = new Map<string, { readonly stored: boolean; readonly received: number }>();
  for (let at = 0; at < sha256s.length; at += KNOWN_AT_ONCE) {
    const json = { media: sha256s.slice(at, at + KNOWN_AT_ONCE) };
    const { media } = await connection.json<KnownMedia>('/media/known', { method: 'POST', json, signal });
    for (const { media: sha256, stored, received } of media) found.set(sha256, { stored, received });
  }
  return found;
}

/** How much of it is there. */
async function offsetOf(connection: Connection, path: string, signal: AbortSignal | undefined): Promise<number> {
  return connection.again(async () => {
    const { headers } = await connection.send(path, { method: 'HEAD', accepts: [404], signal });
    return Number(headers.get('upload-offset') ?? 0);
  }, signal);
}
