import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsEarly } from '../../src/image-header/ends-early.ts';
import { Random } from '../hostile/random.ts';
import { timesLonger } from '../processor-time.ts';

/** A JPEG of two scans, with a restart, an escaped byte and a thumbnail that has an end mark of its own. */
const JPEG = Buffer.from(
  'ffd8' + 'ffe10008ffd8ffd90000' + 'ffc00004abcd' + 'ffda0004abcd0102ff0003ffd00405' + 'ffda0004abcd0607ffff' + 'ffd9',
  'hex',
);
/** A frame in a GIF without tables of colours, behind an extension. */
const GIF = Buffer.concat([
  Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
  Buffer.from('21f90400000000002c0000000001000100000203aabbcc02ddee003b', 'hex'),
]);

function chunk(type: string, bytes: number): Buffer {
  const whole = Buffer.alloc(12 + bytes);
  whole.writeUInt32BE(bytes);
  whole.write(type, 4, 'latin1');
  return whole;
}
const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', 13),
  chunk('IDAT', 50),
  chunk('IEND', 0),
]);

function riff(chunks: readonly number[]): Buffer {
  const parts = chunks.map((bytes) => {
    const whole = Buffer.alloc(8 + bytes + (bytes & 1));
    whole.write('VP8 ', 'latin1');
    whole.writeUInt32LE(bytes, 4);
    return whole;
  });
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...parts]);
}
const WEBP = riff([30, 41]);
const WHOLE = { jpeg: JPEG, gif: GIF, png: PNG, webp: WEBP };
/** Where the pixels begin and end. */
const PIXELS = { jpeg: [18, JPEG.length - 2], gif: [31, GIF.length - 2], png: [42, 94], webp: [60, 90] } as const;

test('[H13] a picture that is cut within its pixels ends early, a whole one does not', () => {
  for (const [name, bytes] of Object.entries(WHOLE)) {
    assert.equal(endsEarly(bytes), false, name);
    assert.equal(endsEarly(Buffer.concat([bytes, Buffer.from('more than the picture')])), false, `${name}, and more`);
    const [from, to] = PIXELS[name as keyof typeof PIXELS];
    for (let length = from; length < to; length++) {
      assert.equal(endsEarly(bytes.subarray(0, length)), true, `${name} cut at ${length}`);
    }
  }
});

test('[H13] any bytes behind the mark of a format give an answer', () => {
  const random = new Random(11);
  for (let n = 0; n < 20_000; n++) {
    const bytes = Buffer.from(random.of(Object.values(WHOLE)));
    const [from] = [12 + random.below(8)];
    for (let changes = random.below(12); changes >= 0; changes--) {
      bytes[from + random.below(bytes.length - from)] = random.of([0, 0xff, 0xd9, 0xda, random.below(256)]);
    }
    assert.equal(typeof endsEarly(bytes.subarray(0, 12 + random.below(bytes.length))), 'boolean');
  }
});

test('[H13] a picture is looked through in time that grows with its size', async () => {
  const filled = (bytes: number, pattern: string) =>
    Buffer.concat([JPEG.subarray(0, 18), Buffer.alloc(bytes, pattern, 'hex')]);
  for (const pattern of ['ff', 'ff00', 'ffda0002', 'ffd0', '00']) {
    const [short, long] = [filled(250_000, pattern), filled(500_000, pattern)];
    const longer = await timesLonger(
      () => void endsEarly(short),
      () => void endsEarly(long),
      3.5,
    );
    assert.ok(longer < 3.5, `${pattern}: twice the bytes take ${longer.toFixed(1)} times as long`);
  }
});
