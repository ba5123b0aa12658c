import { hash } from 'node:crypto';

/** The SHA-256 of bytes, or of a text in UTF-8; in hex. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}
