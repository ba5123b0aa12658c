import type { Connection } from './connection.ts';
import { createSha256 } from './sha256.ts';
import { TiercutError } from './tiercut-error.ts';

/** A finished video, to be read once. */
export interface Download {
  /** The file name. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /**
   * Its bytes. Resumes after a broken connection; the end comes only after the bytes have been compared with the
   * service's hash (else `client.damaged`).
   */
  readonly stream: ReadableStream<Uint8Array>;
}

/** Opens a video; waits for it if it is still being rendered. */
export async function download(
  connection: Connection,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Download> {
  const first = await connection.again(() => connection.send(path, { headers: ACCEPT, signal }), signal);
  // The object store that a service redirects to has its own ETags, so a HEAD request asks the service itself.
  const described = first.redirected ? await connection.again(() => headOf(connection, path, signal), signal) : first;
  const sha256 = /^"([0-9a-f]{64})"$/.exec(described.headers.get('etag') ?? '')?.[1];
  const bytes = Number(described.headers.get('content-length') ?? Number.NaN);
  if (sha256 === undefined || first.body === null) {
    throw new TiercutError('client.unexpected', 'The response is not a video.', { status: first.status });
  }
  const stream = streamOf(wholeOf(connection, path, first, sha256, signal));
  return { name: nameIn(described.headers.get('content-disposition')), bytes, sha256, stream };
}

const ACCEPT = { accept: 'video/mp4' };

function headOf(connection: Connection, path: string, signal: AbortSignal | undefined): Promise<Response> {
  return connection.send(path, { method: 'HEAD', headers: ACCEPT, signal });
}

async function* wholeOf(
  connection: Connection,
  path: string,
  first: Response,
  sha256: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createSha256();
  let done = 0;
  let response = first;
  for (let attempt = 0; ; ) {
    try {
      for await (const chunk of chunksOf(response)) {
        hash.update(chunk);
        done += chunk.length;
        attempt = 0;
        yield chunk;
      }
      break;
    } catch (error) {
      await connection.passed(error, attempt, signal);
      attempt += 1;
      // The hash at the end also shows whether it is still the same video.
      const unchanged = first.redirected ? {} : { 'if-range': `"${sha256}"` };
      const headers = { ...ACCEPT, range: `bytes=${done}-`, ...unchanged };
      response = await connection.again(() => connection.send(path, { headers, signal }), signal);
      if (response.status !== 206) throw new TiercutError('client.changed', 'The video changed during the download.');
    }
  }
  if (hash.digest() === sha256) return;
  throw new TiercutError('client.damaged', 'The downloaded bytes do not match the SHA-256 of the service.');
}

/** The body of a response; an error if it ends before its length. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body!.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** `ReadableStream.from`, which some browsers lack. */
function streamOf(pieces: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The name of RFC 8187, else the plain one. */
function nameIn(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] ?? 'export.mp4';
}
