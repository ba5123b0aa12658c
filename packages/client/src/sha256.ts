import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** An incremental SHA-256. `crypto.subtle` has none: it needs all bytes at once. */
export interface Hash {
  update(bytes: Uint8Array): void;
  /** In hexadecimal digits; nothing can be added afterwards. */
  digest(): string;
}

/** Node's own if there is one, several times as fast. */
export function createSha256(): Hash {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const crypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (crypto === undefined) return portableSha256();
  const hash = crypto.createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}

/** One for browsers. */
export function portableSha256(): Hash {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

interface NodeCrypto {
  createHash(name: string): { update(bytes: Uint8Array): unknown; digest(form: 'hex'): string };
}
