import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodeToRgba } from '../../../src/engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { mendedPicture } from '../../../src/engine/picture/picture-packets.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { pngChunk as chunk, type PngOptions, pngFile } from '../../fixtures/png-file.ts';
import { type TiffOptions, tiffFile } from '../../fixtures/tiff-file.ts';

const LIMITS = DEFAULT_MEDIA_LIMITS;
let made = 0;

async function decoded(bytes: Buffer, extension: string) {
  const file = join(clipFolder(), `mended-${made++}.${extension}`);
  await writeFile(file, bytes);
  const { facts, problem } = await probe(file, LIMITS);
  assert.deepEqual([facts.kind, problem], ['still', null]);
  return (await decodeToRgba(file, { limits: LIMITS, maxPx: 100 })).rgba;
}

/** A gradient, so that a row in the wrong place shows. */
const [WIDTH, HEIGHT] = [5, 7];
const samplesOf = (channels: number) =>
  Uint8Array.from({ length: WIDTH * HEIGHT * channels }, (_, n) =>
    channels === 4 && n % 4 === 3 ? 255 : (n * 7) % 250,
  );

for (const [field, tag, channels] of [
  ['rows per strip', 0x116, [1, 3, 4]],
  ['the compression', 0x103, [1, 3, 4]],
  ['the samples of a pixel', 0x115, [1]],
  ['the bytes of its strip', 0x117, [1, 3, 4]],
  ['the orientation', 0x112, [1, 3, 4]],
] as const) {
  for (const order of ['II', 'MM'] as const) {
    test(`[H9] a TIFF (${order}) without ${field} is the same picture`, async () => {
      for (const count of channels) {
        const options: TiffOptions = {
          width: WIDTH,
          height: HEIGHT,
          channels: count,
          samples: samplesOf(count),
          order,
        };
        const whole = await decoded(tiffFile(options), 'tiff');
        assert.deepEqual(await decoded(tiffFile({ ...options, without: [tag] }), 'tiff'), whole);
      }
    });
  }
}

test('[H9] a TIFF that is compressed as no decoder here reads it is refused with the method', async () => {
  for (const [compression, name] of [
    [7, 'JPEG'],
    [6, 'JPEG (old)'],
    [34_712, 'JPEG 2000'],
    [50_000, 'Zstandard'],
    [60_000, 'method 60000'],
  ] as const) {
    const file = join(clipFolder(), `compressed-${compression}.tiff`);
    await writeFile(file, tiffFile({ width: 4, height: 4, channels: 3, samples: new Uint8Array(48), compression }));
    await assert.rejects(
      probe(file, LIMITS),
      ({ code, message }) => code === 'media.unsupported' && message.includes(`with ${name},`),
    );
  }
});

test('[H9] malformed Exif, in a text or in its own chunk, does not make a PNG unreadable', async () => {
  const tiff = Buffer.from('4d4d002a000000080004011a0005000000010000003e011b00050000', 'hex');
  const words = Buffer.from(`\nexif\n     138\n${tiff.toString('hex')}\n`, 'latin1');
  const profile = (name: string) => Buffer.concat([Buffer.from(`${name}\0\0`, 'latin1'), deflateSync(words)]);
  const red: PngOptions = { width: 3, height: 2, kind: 'rgb', frames: [() => [200, 10, 10, 255]] };
  const plain = await decoded(pngFile(red), 'png');
  for (const broken of [
    chunk('zTXt', profile('Raw profile type exif')),
    chunk('zTXt', profile('Raw profile type APP1')),
    chunk('tEXt', Buffer.concat([Buffer.from('Raw profile type exif\0', 'latin1'), words])),
    chunk('eXIf', Buffer.from('Exif\0\0MM\0*', 'latin1')),
    chunk('eXIf', Buffer.alloc(0)),
  ]) {
    assert.deepEqual(await decoded(pngFile({ ...red, chunks: [broken] }), 'png'), plain);
  }
});

test('[H13] no bytes make mending throw', () => {
  const tiff = tiffFile({ width: 4, height: 4, channels: 3, samples: new Uint8Array(48), without: [0x116] });
  const png = pngFile({
    width: 3,
    height: 2,
    kind: 'rgb',
    frames: [() => [1, 2, 3, 255]],
    chunks: [chunk('tEXt', Buffer.from('a\0b'))],
  });
  for (const [container, bytes] of [
    ['tiff', tiff],
    ['png', png],
  ] as const) {
    for (let length = 0; length < bytes.length; length++) mendedPicture(container, bytes.subarray(0, length));
    for (let at = 4; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = 255;
      mendedPicture(container, changed);
    }
  }
});
