import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashSource, sourceOf } from '../../packages/client/src/media-source.ts';
import { createSha256, portableSha256 } from '../../packages/client/src/sha256.ts';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('the SHA-256 of a page equals that of node:crypto, for every length around the block size', () => {
  for (let length = 0; length <= 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
    const hash = portableSha256();
    hash.update(bytes);
    assert.equal(hash.digest(), expected(bytes), String(length));
  }
});

test('the hash does not depend on how the bytes are split', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 8 }), (chunks) => {
      const [ours, fast] = [portableSha256(), createSha256()];
      for (const chunk of chunks) for (const hash of [ours, fast]) hash.update(chunk);
      const whole = expected(Buffer.concat(chunks));
      assert.deepEqual([ours.digest(), fast.digest()], [whole, whole]);
    }),
  );
});

test('a large blob is read part by part, and hashing can be aborted in between', async () => {
  const bytes = Buffer.alloc(9 * 2 ** 20, 'tiercut');
  const read: number[] = [];
  const { size, read: readPart } = sourceOf(new Blob([bytes]));
  const source = {
    size,
    read: (start: number, end: number) => {
      read.push(end - start);
      return readPart(start, end);
    },
  };
  assert.equal(await hashSource(source, {}), expected(bytes));
  assert.deepEqual(read, [4 * 2 ** 20, 4 * 2 ** 20, 2 ** 20]);
  const stop = new AbortController();
  const hashing = hashSource(source, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
  await assert.rejects(hashing, /enough/);
  assert.equal(read.length, 4);
});
