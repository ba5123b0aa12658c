import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { corruptBlob } from '../store-error.ts';
import { isTransient, s3Error } from './s3-error.ts';

/** How often in a row a body may break off without a new byte. */
const BREAKS = 4;

/** A response body of S3, from some byte on. */
export interface SentBody extends AsyncIterable<Buffer> {
  destroy(): void;
}

interface BodyTerms {
  /** Bytes of the object, `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** Of the whole object, if all of it is read. */
  readonly sha256: string | null;
  /** Requests the same version from a byte on. */
  readonly reopen: (start: number) => Promise<SentBody>;
}

/**
 * The bytes of an object. If the connection breaks, requests the rest. If the bytes do not match the stored hash, the
 * stream fails before its last bytes, so that no reader gets a complete wrong file.
 */
export function s3Body(first: SentBody, terms: BodyTerms): Readable {
  return Readable.from(checked(first, terms), { objectMode: false });
}

async function* checked(first: SentBody, terms: BodyTerms): AsyncGenerator<Buffer> {
  const { start, end, sha256 } = terms;
  const hash = sha256 === null ? null : createHash('sha256');
  let at = start;
  let last: Buffer | null = null;
  for await (const bytes of unbroken(first, terms)) {
    at += bytes.length;
    hash?.update(bytes);
    if (last !== null) yield last;
    last = bytes;
  }
  const found = hash?.digest('hex') ?? null;
  if (at !== end || found !== sha256) {
    throw corruptBlob(new Error(`${at - start} of ${end - start} bytes, SHA-256 ${found}`));
  }
  if (last !== null) yield last;
}

async function* unbroken(first: SentBody, { start, end, reopen }: BodyTerms): AsyncGenerator<Buffer> {
  let body = first;
  let at = start;
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const bytes of body) {
        at += bytes.length;
        breaks = 0;
        yield bytes;
      }
      return;
    } catch (cause) {
      // All bytes have arrived, whatever happened to the connection.
      if (at === end) return;
      if (breaks >= BREAKS || !isTransient(cause)) throw s3Error(cause);
    } finally {
      body.destroy();
    }
    body = await reopen(at);
  }
}
