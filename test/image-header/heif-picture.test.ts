import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHeifPicture } from '../../src/image-header/heif-picture.ts';
import { ByteReader } from '../../src/iso/byte-reader.ts';
import { codePicture, heifFile, irot, nclx, pixelsOf } from '../fixtures/heif-file.ts';

const tile = await codePicture('hvc1', pixelsOf(64, 64));
const FILE = heifFile({
  tiles: [tile, tile, tile, tile],
  grid: { columns: 2, width: 120, height: 128 },
  alpha: [tile, tile, tile, tile],
  properties: [irot(1), nclx(1, 13, 6, true)],
});

test('the tiles of a picture, their data, its alpha and its orientation are found', () => {
  const picture = readHeifPicture(new ByteReader(FILE));
  assert.deepEqual([picture.width, picture.height, picture.columns, picture.tiles.length], [120, 128, 2, 4]);
  assert.deepEqual([picture.quarterTurns, picture.mirrored], [3, false]);
  assert.deepEqual(picture.color, { primaries: 1, transfer: 13, matrix: 6, fullRange: true });
  assert.equal(picture.alpha?.tiles.length, 4);
  for (const { config, extents } of picture.tiles) {
    assert.ok(FILE.subarray(config.start, config.end).equals(tile.config));
    assert.ok(FILE.subarray(extents[0]!.start, extents[0]!.end).equals(tile.data));
  }
});

test('any bytes give a picture or a RangeError, and quickly', () => {
  const flips = fc.array(fc.tuple(fc.nat(900), fc.nat(255)), { maxLength: 12 });
  fc.assert(
    fc.property(fc.nat(FILE.length), flips, (length, changes) => {
      const bytes = Uint8Array.from(FILE.subarray(0, length));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      try {
        const { width, height, tiles } = readHeifPicture(new ByteReader(bytes));
        assert.ok(width > 0 && height > 0 && tiles.length <= 2_048);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

test('[H11] impossible counts are refused before memory is allocated', () => {
  const claimed = (type: string, at: number, ...bytes: readonly number[]) => {
    const file = Buffer.from(FILE);
    file.set(bytes, file.indexOf(type) + at);
    return file;
  };
  for (const bytes of [
    claimed('iloc', 10, 0xff, 0xff),
    claimed('ipma', 8, 0xff, 0xff, 0xff, 0xff),
    claimed('dimg', 6, 0xff, 0xff),
  ]) {
    assert.throws(() => readHeifPicture(new ByteReader(bytes)), RangeError);
  }
});
