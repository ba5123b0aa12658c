import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const AT_ONCE_BYTES = 64 << 20;

/** SHA-256 of a file's bytes, in hex. Large files are read in pieces, so that their size is not their memory. */
export async function hashFile(file: Blob): Promise<string> {
  // The browser's own is ten times as fast, but takes all at once and is there in secure contexts only.
  if (file.size <= AT_ONCE_BYTES && globalThis.crypto?.subtle !== undefined) {
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
  }
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
  return bytesToHex(hash.digest());
}
