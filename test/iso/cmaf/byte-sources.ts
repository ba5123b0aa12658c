import { readFileSync } from 'node:fs';
import type { ByteSource } from '../../../src/iso/movie-index.ts';

/** Bytes in memory as a file. */
export function inMemory(bytes: Buffer): ByteSource {
  return { length: bytes.length, read: async (start, length) => bytes.subarray(start, start + length) };
}

export function bytesOf(file: string): Buffer {
  return readFileSync(file);
}
