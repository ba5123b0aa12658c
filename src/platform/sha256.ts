import { createHash, hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** The SHA-256 of bytes, or of a text in UTF-8; in hex. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}

const BLOCK_BYTES = 2 ** 18;

/** The length of a file, and the SHA-256 of its bytes in hex. A handle stays open. @throws `signal.reason` */
export async function hashFile(
  file: string | FileHandle,
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  if (typeof file === 'string') {
    await using opened = await open(file);
    return await hashFile(opened, signal);
  }
  const hash = createHash('sha256');
  // One block for the whole file: those of a stream cause garbage collections.
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  for (let bytes = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, block.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    hash.update(block.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}
