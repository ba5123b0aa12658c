import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The length of a file, and the SHA-256 of its bytes in hex. @throws `signal.reason` */
export async function hashFile(path: string, signal?: AbortSignal): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const read of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    signal?.throwIfAborted();
    hash.update(read);
    bytes += read.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
