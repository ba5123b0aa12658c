import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const AT_ONCE_BYTES = 64 << 20;

/** SHA-256 of a file's bytes, in hex. Reads large files in parts to limit memory. */
export async function hashBlob(file: Blob): Promise<string> {
  // The browser's own digest is ten times as fast, but needs the whole file in memory and a secure context.
  if (file.size <= AT_ONCE_BYTES && globalThis.crypto?.subtle !== undefined) {
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
  }
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
  return bytesToHex(hash.digest());
}
