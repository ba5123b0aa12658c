import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { checkImageLimits, DEFAULT_IMAGE_LIMITS } from '../../src/image-header/image-header.ts';
import { readImageHeader } from '../../src/image-header/read-image-header.ts';
import { codePicture, heifFile, irot, pixelsOf } from '../fixtures/heif-file.ts';
import { tiffFile } from '../fixtures/tiff-file.ts';
import { bmpOf, gifOf, jpegTurned, pngClaiming, webpClaiming } from '../paint/picture-files.ts';
import { drawLandscape } from '../paint/sample-pictures.ts';

const { bitmap } = drawLandscape(3, 90, 60);

const tiffOf = (width: number, height: number) =>
  tiffFile({ width, height, channels: 1, samples: new Uint8Array(width * height) });

describe('headers', () => {
  test('sizes are read from the bytes of every accepted format', async () => {
    const files = {
      png: bitmap.toBuffer('image/png'),
      jpeg: bitmap.toBuffer('image/jpeg'),
      webp: bitmap.toBuffer('image/webp'),
      gif: bitmap.toBuffer('image/gif'),
      avif: await bitmap.encode('avif'),
      bmp: bmpOf(90, 60),
      tiff: tiffOf(90, 60),
    };
    const heic = heifFile({ tiles: [await codePicture('hvc1', pixelsOf(90, 60))] });
    for (const [format, bytes] of Object.entries({ ...files, heic })) {
      assert.deepEqual(readImageHeader(bytes), { format, width: 90, height: 60, frames: 1 });
    }
  });

  test('a TIFF is read even if the depths of its channels are beyond the available bytes', () => {
    const bytes = tiffFile({ width: 90, height: 60, channels: 3, samples: new Uint8Array(90 * 60 * 3) });
    const depths = bytes.indexOf('0201030003000000', 0, 'hex');
    bytes.writeUInt32LE(bytes.length, depths + 8);
    assert.deepEqual(readImageHeader(bytes), { format: 'tiff', width: 90, height: 60, frames: 1 });
  });

  test('[R7] a JPEG that Exif rotates is read upright, in either byte order', () => {
    const jpeg = bitmap.toBuffer('image/jpeg');
    for (const orientation of [1, 2, 3, 4]) {
      assert.equal(readImageHeader(jpegTurned(jpeg, orientation, 'II')).width, 90);
    }
    for (const orientation of [5, 6, 7, 8]) {
      assert.equal(readImageHeader(jpegTurned(jpeg, orientation, 'II')).width, 60);
      assert.equal(readImageHeader(jpegTurned(jpeg, orientation, 'MM')).height, 90);
    }
    assert.equal(readImageHeader(jpegTurned(jpeg, 99, 'II')).width, 90, 'nonsense turns nothing');
  });

  test('[R7] a rotated HEIC is read upright', async () => {
    const tiles = [await codePicture('hvc1', pixelsOf(90, 60))];
    const { width, height } = readImageHeader(heifFile({ tiles, properties: [irot(3)] }));
    assert.deepEqual([width, height], [60, 90]);
  });

  test('the size of a picture is that of the largest buffer that a decoder would allocate for it', () => {
    assert.equal(readImageHeader(gifOf({ screen: [10, 10], frames: [[0, 0, 9000, 20]] })).width, 9000);
    assert.equal(readImageHeader(webpClaiming({ canvas: [16, 16], frame: [9000, 20] })).width, 9000);
  });

  test('an SVG has the size it asks for; without one it has an aspect ratio', () => {
    const size = (attributes: string, head = '') => {
      const { format, width, height } = readImageHeader(Buffer.from(`${head}<svg ${attributes}/>`));
      assert.equal(format, 'svg');
      return [width, height];
    };
    assert.deepEqual(size('width="90" height="60"'), [90, 60]);
    assert.deepEqual(size("width='2in' height='25.4mm' viewBox='0 0 9 9'"), [192, 96]);
    assert.deepEqual(size('viewBox="0 0 40000 10000"'), [1024, 256]);
    assert.deepEqual(size('width="100%" height="100%" viewBox="0 0 1,2"'), [512, 1024]);
    assert.deepEqual(size('width="50" viewBox="0 0 100 200"'), [50, 100]);
    assert.deepEqual(size(''), [1024, 1024]);
    const head =
      '\ufeff<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY a "b">]>';
    assert.deepEqual(size('width="90" height="60"', head), [90, 60]);
    assert.equal(
      readImageHeader(Buffer.from('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"></svg:svg>')).format,
      'svg',
    );
  });

  test('[H12] an SVG with an infinite size, or none, still gets whole numbers', () => {
    for (const attributes of [
      ...['width="1e9"', 'width="1e999" height="1e999"', 'width="1e9" height="1e-9"', 'width="1e6in" height="9"'],
      ...[
        'width="5" viewBox="0 0 1 1e300"',
        'height="1e308" viewBox="0 0 1e308 1"',
        'height="0" viewBox="0 0 1e308 1e-9"',
      ],
      ...['viewBox="0 0 Infinity Infinity"', 'viewBox="0 0 1e308 1e-308"', 'viewBox="0 0 1e-320 1e-320"'],
    ]) {
      const { width, height } = readImageHeader(Buffer.from(`<svg ${attributes}/>`));
      for (const side of [width, height]) assert.ok(Number.isInteger(side) && side >= 0 && side <= 1e6, attributes);
    }
  });

  test('frames are counted', () => {
    const frames = Array.from({ length: 700 }, (): [number, number, number, number] => [0, 0, 1, 1]);
    assert.equal(readImageHeader(gifOf({ screen: [4, 4], frames })).frames, 700);
    assert.equal(readImageHeader(pngClaiming(8, 8, 701)).frames, 701);
  });

  test('files that are not pictures are refused: HTML, films, archives, empty files', () => {
    const texts = ['<html>', '<html><svg/></html>', '</svg>', '<svg', '<!-- <svg> -->', 'PK\x03\x04', '', 'B'];
    for (const text of [...texts, '\0\0\0\x18ftypisom\0\0\0\0isommp42']) {
      assert.throws(() => readImageHeader(Buffer.from(text, 'latin1')), { code: 'paint.image_format' }, text);
    }
    assert.throws(() => readImageHeader(Buffer.from('BM<svg xmlns="http://www.w3.org/2000/svg"></svg>')), {
      code: 'paint.image_broken',
    });
  });

  test('any bytes give a header or one of the two errors, and quickly', async () => {
    const beginnings = [
      bitmap.toBuffer('image/png'),
      bitmap.toBuffer('image/jpeg'),
      bitmap.toBuffer('image/webp'),
      bitmap.toBuffer('image/gif'),
      await bitmap.encode('avif'),
      heifFile({ tiles: [await codePicture('hvc1', pixelsOf(16, 16))] }),
      bmpOf(9, 9),
      tiffOf(9, 9),
      Buffer.from('<?xml version="1.0"?><!-- a --><svg width="9" height="9" viewBox="0 0 9 9"/>'),
    ];
    const damaged = fc
      .record({
        beginning: fc.constantFrom(...beginnings),
        length: fc.nat(400),
        flips: fc.array(fc.tuple(fc.nat(399), fc.nat(255)), { maxLength: 12 }),
      })
      .map(({ beginning, length, flips }) => {
        const bytes = Uint8Array.from(beginning.subarray(0, length));
        for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value;
        return bytes;
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        try {
          const { width, height, frames } = readImageHeader(bytes);
          assert.ok(Number.isInteger(width) && Number.isInteger(height) && frames >= 1);
        } catch (error) {
          assert.ok(error instanceof ExportError, String(error));
          assert.match(error.code, /^paint\.image_(format|broken)$/);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('limits', () => {
  const refused = (bytes: Uint8Array) =>
    assert.throws(() => checkImageLimits(readImageHeader(bytes), DEFAULT_IMAGE_LIMITS), {
      code: 'paint.image_too_large',
    });

  test('[H11, H35] bombs are refused by the size they claim', () => {
    refused(pngClaiming(30_000, 30_000));
    refused(pngClaiming(16_385, 1));
    refused(pngClaiming(8_000, 8_000));
    refused(pngClaiming(8, 8, 601));
    refused(pngClaiming(1_000, 1_000, 201));
    refused(bmpOf(65_535, 65_535));
    checkImageLimits(readImageHeader(pngClaiming(10_000, 5_000)), DEFAULT_IMAGE_LIMITS);
    checkImageLimits(readImageHeader(pngClaiming(1_000, 1_000, 200)), DEFAULT_IMAGE_LIMITS);
  });

  test('a picture without pixels is broken', () => {
    assert.throws(() => checkImageLimits(readImageHeader(pngClaiming(0, 5)), DEFAULT_IMAGE_LIMITS), {
      code: 'paint.image_broken',
    });
  });

  const world = join(import.meta.dirname, '..', '..', '..', 'shared', 'media');
  test('a real decompression bomb', { skip: !existsSync(world) && 'the folder of real media is not here' }, () => {
    refused(readFileSync(join(world, 'decompression_bomb.gif')));
  });
});
