import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../../src/errors.ts';
import { pictureSegment } from '../../../src/iso/cmaf/segment.ts';
import { readSampleTable } from '../../../src/iso/mp4/sample-table.ts';
import { frames } from '../../../src/time.ts';
import { renderAllChunks } from '../../engine/encode/render-video.ts';
import { source, videoPlan } from '../../engine/video-plan.ts';
import { bytesOf, inMemory } from '../cmaf/byte-sources.ts';
import { boxesAt } from './boxes.ts';

const clip = await source({ frames: 24, rate: { num: 12, den: 1 } });
const { plan, files } = videoPlan(
  { clip },
  { videos: [{ file_field: 'clip', start: 0, duration: 2 }] },
  { fps: 12, quality: 'balanced' },
);
const CHUNK = bytesOf((await renderAllChunks({ plan, files }))[0]!);
const CUT = { index: 0, frames: { start: frames(0), end: plan.totalFrames }, rate: plan.rate };

/** What becomes of a chunk with some of its bytes replaced. */
async function outcome(bytes: Buffer): Promise<string> {
  try {
    const { extents, head } = pictureSegment(await readSampleTable(inMemory(bytes), 'vide'), 0, CUT);
    for (const { start, end } of extents)
      assert.ok(0 <= start && start <= end && end <= bytes.length, 'outside the file');
    assert.ok(head.length < 10_000);
    return 'read';
  } catch (error) {
    if (error instanceof ExportError) return error.code;
    throw error;
  }
}

test('[C49, H5] a chunk with an unexpected structure is refused, and nothing outside it is read', async () => {
  assert.equal(await outcome(CHUNK), 'read');
  const { length } = CHUNK;
  const index = CHUNK.indexOf('moov');
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: index - 4, max: length - 4 }), fc.integer({ min: 0, max: 0xffff_ffff })), {
        minLength: 1,
        maxLength: 4,
      }),
      async (changes) => {
        const bytes = Buffer.from(CHUNK);
        for (const [at, value] of changes) bytes.writeUInt32BE(value, at);
        seen.add(await outcome(bytes));
      },
    ),
    { numRuns: 400 },
  );
  assert.deepEqual([...seen].sort(), ['chunk.unreadable', 'read']);
  for (let end = 0; end < length; end += 97) assert.equal(await outcome(CHUNK.subarray(0, end)), 'chunk.unreadable');
});

test('[C49, H5] huge counts cost no memory', async () => {
  const table = ['stsz', 'stsc', 'stco', 'ctts', 'stss'];
  for (const type of table) {
    const bytes = Buffer.from(CHUNK);
    const at = bytes.indexOf(type) + 8 + (type === 'stsz' ? 4 : 0);
    assert.ok(boxesAt(bytes, `moov/trak/mdia/minf/stbl/${type}`).length === 1 && at > 8, type);
    bytes.writeUInt32BE(0xffff_fff0, at);
    // All of one size: the table itself has no entries then.
    if (type === 'stsz') bytes.writeUInt32BE(7, at - 4);
    assert.equal(await outcome(bytes), 'chunk.unreadable', type);
  }
});
