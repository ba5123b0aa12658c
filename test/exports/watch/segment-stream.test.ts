import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { segmentStream } from '../../../src/exports/watch/segment-stream.ts';

const FILE = Buffer.from('0123456789');
const SEGMENT = {
  head: Buffer.from('head:'),
  extents: [
    { start: 1, end: 3 },
    { start: 6, end: 9 },
  ],
  bytes: 10,
};

/** The segment, cut from a file of so many bytes. */
function cutFrom(bytes: number) {
  const read = async ({ start, end }: { start: number; end: number }) =>
    Readable.from([FILE.subarray(start, Math.min(end, bytes))]);
  return text(segmentStream(SEGMENT, read, { start: 0, end: 10 }));
}

test('[H24] a segment of a truncated file breaks off, and does not end early', async () => {
  assert.equal(await cutFrom(9), 'head:12678');
  for (const bytes of [8, 7, 2]) await assert.rejects(cutFrom(bytes), { code: 'store.corrupt_blob' }, `${bytes}`);
});
