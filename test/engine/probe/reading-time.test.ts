import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { mendedPicture } from '../../../src/engine/picture/picture-packets.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { ExportError } from '../../../src/errors.ts';
import { readHeifPicture } from '../../../src/image-header/heif-picture.ts';
import { readImageHeader } from '../../../src/image-header/read-image-header.ts';
import { ByteReader } from '../../../src/iso/byte-reader.ts';
import { aviFile } from '../../fixtures/avi-file.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { codePicture, heifFile, pixelsOf } from '../../fixtures/heif-file.ts';
import { pngChunk, pngFile } from '../../fixtures/png-file.ts';
import { timesLonger } from '../../processor-time.ts';

/** A file twice as large may take twice the processor time; what sorts or hashes, a little more. */
const MAX_TIMES = 3;
/** Makes the work long enough to be measured. */
const REPEATED = 20;

async function isLinear(size: number, work: (size: number) => () => unknown): Promise<void> {
  const [first, second] = [work(size), work(2 * size)];
  const longer = await timesLonger(first, second, MAX_TIMES);
  assert.ok(longer < MAX_TIMES, `twice the size takes ${longer.toFixed(1)} times as long`);
}

const repeatedly =
  (work: () => unknown, times = REPEATED) =>
  () => {
    for (let n = 0; n < times; n++) work();
  };
/** A refusal is as good as an answer, if it comes soon. */
const headerOf = (bytes: Buffer) => () => {
  try {
    readImageHeader(bytes);
  } catch (error) {
    assert.ok(error instanceof ExportError, String(error));
  }
};

test('[H9] a PNG with many texts is read in time that grows with its size', async () => {
  const text = pngChunk('zTXt', Buffer.from('Raw profile type exif\0\0x', 'latin1'));
  const grey = () => [128, 128, 128, 255] as const;
  await isLinear(20_000, (size) => {
    const chunks = Array<Buffer>(size).fill(text);
    const bytes = pngFile({ width: 2, height: 2, frames: [grey], kind: 'rgb', chunks });
    return repeatedly(() => assert.ok(mendedPicture('png', bytes) !== null));
  });
});

test('[H9] a TIFF with many fields is read in time that grows with its size', async () => {
  await isLinear(30_000, (size) => {
    const fields = Buffer.alloc(10 + size * 12 + 4);
    fields.write('II*\0', 'latin1');
    fields.writeUInt32LE(8, 4);
    fields.writeUInt16LE(size, 8);
    for (let n = 0; n < size; n++) fields.writeUInt16LE(n < 2 ? [0x101, 0x111][n]! : 0x100, 10 + n * 12);
    return repeatedly(() => {
      assert.ok(mendedPicture('tiff', fields) !== null);
      headerOf(fields)();
    });
  });
});

test('[H9] a HEIC of many tiles is read in time that grows with its size', async () => {
  const tile = await codePicture('hvc1', pixelsOf(64, 64));
  await isLinear(32, (rows) => {
    const grid = { columns: 32, width: 32 * 64, height: rows * 64 };
    const bytes = heifFile({ tiles: Array(32 * rows).fill(tile), grid });
    // A file of the most tiles is still read in 2 ms.
    return repeatedly(() => assert.equal(readHeifPicture(new ByteReader(bytes)).tiles.length, 32 * rows), 8 * REPEATED);
  });
});

test('[H13] an AVI of many chunks is read in time that grows with its size', async () => {
  await isLinear(10_000, (chunks) => {
    const file = join(clipFolder(), `chunks-${chunks}.avi`);
    const form = { formatTag: 1, channels: 1, sampleRate: 8000, bytesPerSecond: 8000, blockAlign: 1, bits: 8 };
    const sound = { ...form, sampleSize: 1, data: Buffer.alloc(chunks * 16, 128) };
    const written = writeFile(file, aviFile({ sound, chunkBytes: 16, index: 'keys' }));
    return async () => {
      await written;
      const { facts } = await probe(file, DEFAULT_MEDIA_LIMITS);
      assert.ok(Math.abs(facts.duration - (chunks * 16) / 8000) < 0.1, `${facts.duration} s`);
    };
  });
});
