import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { id3Length, sniffMedia } from '../../../src/engine/input/sniff-media.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { ExportError } from '../../../src/errors.ts';
import type { PixelSize } from '../../../src/image-header/image-header.ts';
import { readImageHeader } from '../../../src/image-header/read-image-header.ts';
import { type ClipOptions, clipFolder, makeClip } from '../../fixtures/clips.ts';

const STILL = { muxOptions: { update: 1 }, container: 'image2', frames: 1 };

const MADE: readonly [expected: string, options: Partial<ClipOptions>][] = [
  ['mp4', { container: 'mp4' }],
  ['mp4', { container: 'mov' }],
  ['mp4', { container: 'ipod', frames: 0, sound: { seconds: 1 } }],
  ['matroska', { container: 'matroska' }],
  ['matroska', { container: 'webm', codec: 'libvpx' }],
  ['mpegts', { container: 'mpegts' }],
  ['mpegts', { container: 'mpegts', muxOptions: { mpegts_m2ts_mode: 1 } }],
  ['avi', { container: 'avi', codec: 'mpeg4' }],
  ['avi', { container: 'avi', codec: 'rawvideo' }],
  ['asf', { container: 'asf', codec: 'wmv2' }],
  ['asf', { container: 'asf', frames: 0, sound: { seconds: 1, codec: 'wmav2' } }],
  ['mpegps', { container: 'mpeg', codec: 'mpeg1video', rate: { num: 25, den: 1 } }],
  ['mpegps', { container: 'vob', codec: 'mpeg2video' }],
  ['flv', { container: 'flv', codec: 'flv' }],
  ['ac3', { container: 'ac3', frames: 0, sound: { seconds: 1, codec: 'ac3' } }],
  ['ac3', { container: 'ac3', frames: 0, sound: { seconds: 1, codec: 'ac3', sampleRate: 44_100 } }],
  ['eac3', { container: 'eac3', frames: 0, sound: { seconds: 1, codec: 'eac3' } }],
  ['wavpack', { container: 'wv', frames: 0, sound: { seconds: 1, codec: 'wavpack' } }],
  [
    'mp3',
    { container: 'mp3', frames: 0, sound: { seconds: 1, codec: 'libmp3lame' }, muxOptions: { id3v2_version: 0 } },
  ],
  [
    'mp3',
    {
      container: 'mp3',
      frames: 0,
      sound: { seconds: 1, codec: 'libmp3lame', sampleRate: 22_050, channels: 1 },
      muxOptions: { id3v2_version: 0 },
    },
  ],
  ['mp3', { container: 'mp2', frames: 0, sound: { seconds: 1, codec: 'mp2' } }],
  ['adts', { container: 'adts', frames: 0, sound: { seconds: 1 } }],
  ['flac', { container: 'flac', frames: 0, sound: { seconds: 1, codec: 'flac' } }],
  ['wav', { container: 'wav', frames: 0, sound: { seconds: 1, codec: 'pcm_s16le' } }],
  ['ogg', { container: 'ogg', frames: 0, sound: { seconds: 1, codec: 'libopus' } }],
  ['aiff', { container: 'aiff', frames: 0, sound: { seconds: 1, codec: 'pcm_s16be' } }],
  ['gif', { container: 'gif', codec: 'gif' }],
  ['apng', { container: 'apng', codec: 'apng' }],
  ['png', { ...STILL, codec: 'png' }],
  ['jpeg', { ...STILL, codec: 'mjpeg', pixelFormat: 'yuvj420p' }],
  ['bmp', { ...STILL, codec: 'bmp' }],
  ['tiff', { ...STILL, codec: 'tiff', pixelFormat: 'rgb24' }],
  ['jxl', { ...STILL, codec: 'libjxl', pixelFormat: 'rgb24' }],
  ['ico', { container: 'ico', codec: 'png', pixelFormat: 'rgba', frames: 1 }],
  ['ico', { container: 'ico', codec: 'bmp', pixelFormat: 'bgra', frames: 1 }],
  ['webp', { container: 'webp', codec: 'libwebp', frames: 1 }],
  ['webp_animation', { container: 'webp', codec: 'libwebp_anim' }],
  ['avif', { container: 'avif', codec: 'libsvtav1', frames: 1 }],
];

for (const [expected, options] of MADE) {
  const { container, codec = options.sound?.codec ?? 'libx264' } = options;
  test(`${container} with ${codec} is identified as ${expected}`, async () => {
    const clip = await makeClip({ frames: 3, width: 162, height: 90, ...options });
    const bytes = await readFile(clip.file);
    assert.equal(sniffMedia(bytes), expected);
    const picture = [
      'gif',
      'apng',
      'png',
      'jpeg',
      'bmp',
      'webp',
      'webp_animation',
      'avif',
      'tiff',
      'jxl',
      'ico',
    ].includes(expected);
    if (!picture) return assert.throws(() => readImageHeader(bytes), { code: 'paint.image_format' });
    const { width, height } = readImageHeader(bytes);
    assert.deepEqual({ width, height }, { width: 162, height: 90 });
  });
}

test('an ID3 tag is measured, so that the bytes after it can be examined', async () => {
  const clip = await makeClip({ frames: 0, container: 'mp3', sound: { seconds: 1, codec: 'libmp3lame' } });
  const bytes = await readFile(clip.file);
  const length = id3Length(bytes);
  assert(length > 10);
  assert.equal(sniffMedia(bytes.subarray(length)), 'mp3');
  assert.equal(id3Length(bytes.subarray(length)), 0);
});

const LAME = { frames: 0, container: 'mp3', sound: { seconds: 2, codec: 'libmp3lame' } } as const;

test('MP3 after zeros, a partial frame or 64 KiB of other bytes', async () => {
  const bare = await readFile((await makeClip({ ...LAME, muxOptions: { id3v2_version: 0, write_xing: 0 } })).file);
  const torn = bare.subarray(150, 417);
  for (const front of [Buffer.alloc(211), Buffer.alloc(30_000), torn, Buffer.concat([Buffer.alloc(211), torn])]) {
    assert.equal(sniffMedia(Buffer.concat([front, bare])), 'mp3', `${front.length} bytes in front`);
  }
  const letters = Buffer.alloc(20_000, 'padding ');
  assert.equal(sniffMedia(Buffer.concat([letters, bare]), true), 'mp3');
  assert.equal(sniffMedia(Buffer.concat([letters, bare])), 'mp3');
  assert.equal(sniffMedia(Buffer.concat([Buffer.alloc(66_000, letters), bare])), null, 'too far in');
});

test('MP3 frames inside another format do not make it MP3', async () => {
  const bare = await readFile((await makeClip({ ...LAME, muxOptions: { id3v2_version: 0, write_xing: 0 } })).file);
  const packHeader = Buffer.from('000001ba44000400040100d7bf', 'hex');
  assert.equal(sniffMedia(Buffer.concat([packHeader, bare])), 'mpegps');
  const lone = Buffer.concat([Buffer.alloc(100), bare.subarray(0, 417), Buffer.alloc(2000, 0x55)]);
  assert.equal(sniffMedia(lone), null, 'one frame alone');
});

test('MP3 needs two frames that agree, or one that is the file', async () => {
  const bare = await readFile((await makeClip({ ...LAME, muxOptions: { id3v2_version: 0, write_xing: 0 } })).file);
  const length = [417, 418].find((at) => bare.readUInt16BE(at) === bare.readUInt16BE(0))!;
  assert.equal(sniffMedia(bare.subarray(0, length)), 'mp3');
  const other = Buffer.from(bare.subarray(0, 2 * length + 4));
  // The second frame has another sampling rate.
  other[length + 2]! ^= 0x04;
  assert.equal(sniffMedia(other), null);
});

test('[H9] a file with its own mark is not searched for MP3', async () => {
  const bare = await readFile((await makeClip({ ...LAME, muxOptions: { id3v2_version: 0, write_xing: 0 } })).file);
  for (const mark of ['.snd\0\0\0\x18', 'RIFX', 'Creative Voice File', 'caff', '%PDF-1.7']) {
    assert.equal(sniffMedia(Buffer.concat([Buffer.from(mark, 'latin1'), Buffer.alloc(100), bare])), null, mark);
  }
});

test('[H9] a program stream without its head is one: picture and sound, not MP3', async () => {
  const sound = { seconds: 4, codec: 'mp2' };
  const { file } = await makeClip({
    frames: 100,
    width: 128,
    height: 72,
    container: 'vob',
    codec: 'mpeg2video',
    sound,
  });
  const whole = await readFile(file);
  for (const cut of [14, 1000, 2048, 5001, 30_000]) {
    assert.equal(sniffMedia(whole.subarray(cut)), 'mpegps', `without ${cut} bytes`);
  }
  const headless = join(clipFolder(), 'headless.mpg');
  await writeFile(headless, whole.subarray(5001));
  const { video, audio } = await probe(headless, DEFAULT_MEDIA_LIMITS);
  assert.deepEqual([video!.codec, audio!.codec], ['mpeg2video', 'mp2']);
});

test('[H9] no bytes make it throw, and random bytes are not media', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      assert.equal(sniffMedia(bytes), null);
    }),
    { seed: 1, numRuns: 2000 },
  );
});

function sizeOf(bytes: Uint8Array): PixelSize | null {
  try {
    const { width, height } = readImageHeader(bytes);
    return { width, height };
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

test('a picture that is cut off in its header has no size, or the right one', async () => {
  for (const [container, codec] of [
    ['gif', 'gif'],
    ['webp', 'libwebp'],
    ['apng', 'apng'],
    ['image2', 'mjpeg'],
  ] as const) {
    const clip = await makeClip({
      frames: 1,
      width: 162,
      height: 90,
      container,
      codec,
      ...(codec === 'mjpeg' && { pixelFormat: 'yuvj420p', muxOptions: { update: 1 } }),
    });
    const bytes = await readFile(clip.file);
    for (let length = 0; length < Math.min(bytes.length, 700); length++) {
      const size = sizeOf(bytes.subarray(0, length));
      if (size !== null) assert.deepEqual(size, { width: 162, height: 90 }, `${codec} cut at ${length}`);
    }
  }
});

test('HEIF files are identified by any of their brands; raw photographs are not videos', () => {
  const file = (...brands: readonly string[]) =>
    Buffer.concat([
      Buffer.from([0, 0, 0, 16 + brands.length * 4 - 4]),
      Buffer.from(`ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1'),
    ]);
  for (const brand of ['heic', 'heix', 'heim', 'mif1', 'msf1']) assert.equal(sniffMedia(file(brand, 'mif1')), 'heic');
  assert.equal(sniffMedia(file('mif1', 'avif', 'miaf')), 'avif');
  assert.equal(sniffMedia(file('avif', 'mif1', 'miaf')), 'avif');
  assert.equal(sniffMedia(file('avis', 'avif', 'msf1')), 'avif_animation');
  assert.equal(sniffMedia(file('isom', 'mp42')), 'mp4');
  assert.equal(sniffMedia(file('crx ', 'isom')), null);
});
