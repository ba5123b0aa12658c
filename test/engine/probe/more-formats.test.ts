import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FormatContext, Packet } from 'node-av/lib';
import { decodeToRgba } from '../../../src/engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { PictureReader } from '../../../src/engine/picture/picture-reader.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { silentStereo } from '../../../src/sound/dsp/stereo.ts';
import { micros, SAMPLE_RATE } from '../../../src/time.ts';
import { amrFile } from '../../fixtures/amr-file.ts';
import { type ClipOptions, clipFolder, frameNumberOf, makeClip } from '../../fixtures/clips.ts';
import { pngFile } from '../../fixtures/png-file.ts';
import { tiffFile } from '../../fixtures/tiff-file.ts';

const LIMITS = DEFAULT_MEDIA_LIMITS;
const PAL = { num: 25, den: 1 };

const CLIPS: readonly [name: string, codec: string, options: Partial<ClipOptions>][] = [
  ['uncompressed AVI', 'rawvideo', { container: 'avi', codec: 'rawvideo' }],
  ['uncompressed RGB AVI', 'rawvideo', { container: 'avi', codec: 'rawvideo', pixelFormat: 'bgr24' }],
  ['HuffYUV AVI', 'huffyuv', { container: 'avi', codec: 'huffyuv', pixelFormat: 'yuv422p' }],
  ['FFmpeg’s HuffYUV in AVI', 'ffvhuff', { container: 'avi', codec: 'ffvhuff' }],
  ['MPEG-1 program stream', 'mpeg1video', { container: 'mpeg', codec: 'mpeg1video', gop: 15, bFrames: 2 }],
  ['MPEG-2 program stream of a DVD', 'mpeg2video', { container: 'vob', codec: 'mpeg2video', gop: 15, bFrames: 2 }],
  ['WMV 7', 'wmv1', { container: 'asf', codec: 'wmv1', gop: 12 }],
  ['WMV 8', 'wmv2', { container: 'asf', codec: 'wmv2', gop: 12 }],
];

for (const [name, codec, options] of CLIPS) {
  test(`[H9] [R5] ${name}: identified by its first bytes, every frame at its time, played and sought`, async () => {
    const clip = await makeClip({ frames: 60, rate: PAL, width: 128, height: 72, ...options });
    const { video, facts } = await probe(clip.file, LIMITS);
    assert.equal(video!.codec, codec);
    assert.equal(video!.frames, 60);
    assert.deepEqual([facts.kind, facts.width, facts.height], ['video', 128, 72]);
    assert.ok(Math.abs(facts.duration - 2.4) < 0.05, `${facts.duration} s`);
    await using reader = await PictureReader.open(clip.file, LIMITS, {});
    const shown = async (n: number) => frameNumberOf(await reader.frameAt(micros(n * 40_000 + 20_000)));
    for (let n = 0; n < 60; n++) assert.equal(await shown(n), n, `frame ${n}, played`);
    for (let n = 59; n >= 0; n--) assert.equal(await shown((n * 37) % 60), (n * 37) % 60, `frame ${n}, sought`);
  });
}

const SOUNDS: readonly [name: string, container: string, codec: string, tolerance: number][] = [
  ['AC-3', 'ac3', 'ac3', 0.04],
  ['E-AC-3', 'eac3', 'eac3', 0.04],
  ['WavPack', 'wv', 'wavpack', 0.001],
  ['WMA', 'asf', 'wmav2', 0.1],
];

for (const [name, container, codec, tolerance] of SOUNDS) {
  test(`[H9] [R4] ${name} alone is a sound, the same when played and sought`, async () => {
    const clip = await makeClip({ frames: 0, container, sound: { seconds: 12, codec } });
    const { kind, audio, duration } = await probe(clip.file, LIMITS);
    assert.equal(kind, 'audio');
    assert.deepEqual([audio!.codec, audio!.channels, audio!.sampleRate], [codec, 2, 48_000]);
    assert.ok(Math.abs(duration - 12) <= tolerance, `${duration} s`);
    await assertSeeks(clip.file);
  });
}

test('[H9] [R4] AMR is a sound, by itself and in 3GP, the same when played and sought', async () => {
  const alone = join(clipFolder(), 'memo.amr');
  await writeFile(alone, amrFile(600));
  for (const file of [alone, await copied(alone, '3gp')]) {
    const { kind, audio, duration } = await probe(file, LIMITS);
    assert.equal(kind, 'audio');
    assert.deepEqual([audio!.codec, audio!.channels, audio!.sampleRate], ['amrnb', 1, 8000]);
    assert.ok(Math.abs(duration - 12) < 0.001, `${duration} s`);
    await assertSeeks(file);
  }
});

for (const [name, options] of [
  ['JPEG XL', { container: 'image2', codec: 'libjxl', pixelFormat: 'rgb24', muxOptions: { update: 1 } }],
  ['JPEG XL with alpha', { container: 'image2', codec: 'libjxl', pixelFormat: 'rgba', muxOptions: { update: 1 } }],
  ['ICO with a PNG', { container: 'ico', codec: 'png', pixelFormat: 'rgba' }],
  ['ICO with a bitmap', { container: 'ico', codec: 'bmp', pixelFormat: 'bgra' }],
] as const) {
  test(`[H9] ${name} is a still, as a clip and as a picture of an item`, async () => {
    const clip = await makeClip({ frames: 1, width: 160, height: 90, firstNumber: 4711, ...options });
    const { facts } = await probe(clip.file, LIMITS);
    assert.deepEqual([facts.kind, facts.width, facts.height, facts.alpha], ['still', 160, 90, false]);
    const { width, height, rgba } = await decodeToRgba(clip.file, { limits: LIMITS, maxPx: 90 });
    assert.deepEqual([width, height, rgba.length], [160, 90, 160 * 90 * 4]);
  });
}

for (const [name, bitmaps] of [
  ['a PNG and smaller bitmaps', [16, 32, 48]],
  ['more pictures than a film may have tracks', Array.from({ length: 40 }, (_, n) => n + 1)],
] as const) {
  test(`[H9] [H36] an icon with ${name} shows the largest`, async () => {
    const png = (side: number, red: number) =>
      pngFile({ width: side, height: side, frames: [() => [red, 0, 0, 255]], kind: 'rgba' });
    const file = join(clipFolder(), 'sizes.ico');
    await writeFile(file, iconOf([png(64, 50), ...bitmaps.map(bitmapOf), png(256, 200), png(128, 100)]));
    const { facts } = await probe(file, LIMITS);
    assert.deepEqual([facts.kind, facts.width, facts.height], ['still', 256, 256]);
    const { width, height, rgba } = await decodeToRgba(file, { limits: LIMITS, maxPx: 256 });
    assert.deepEqual([width, height, ...rgba.subarray(0, 4)], [256, 256, 200, 0, 0, 255]);
  });
}

test('[H36] an icon with more than 256 pictures is refused', async () => {
  const file = join(clipFolder(), 'many.ico');
  await writeFile(file, iconOf(Array.from({ length: 257 }, () => bitmapOf(1))));
  await assert.rejects(probe(file, LIMITS), { code: 'media.too_many_streams' });
});

test('[H11] a JPEG XL or an ICO that claims too many pixels is refused before it is decoded', async () => {
  const refused = { code: 'media.too_many_pixels', message: /30000×30000/ };
  // Codestream: not small, height of 18 bits, then a ratio of 1:1, the lowest bit first.
  const bits = `0${'01'}${binary(29_999, 18)}${'100'}`;
  const codestream = Buffer.concat([Buffer.from([0xff, 0x0a]), bytesOf(bits.padEnd(64, '0'))]);
  const box = Buffer.from('0000000c4a584c200d0a870a000000146a786c70' + '80000000', 'hex');
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753008060000000000000000', 'hex');
  const icon = Buffer.concat([Buffer.from('00000100010010100000010020002200000016000000', 'hex'), png]);
  for (const [name, bytes] of Object.entries({
    'a.jxl': codestream,
    'b.jxl': Buffer.concat([box, codestream]),
    'c.ico': icon,
  })) {
    const file = join(clipFolder(), name);
    await writeFile(file, bytes);
    await assert.rejects(probe(file, LIMITS), refused, name);
  }
});

test('[H13] a truncated JPEG XL has no frame, and decoding ends', async () => {
  const clip = await makeClip({
    frames: 1,
    container: 'image2',
    codec: 'libjxl',
    pixelFormat: 'rgb24',
    muxOptions: { update: 1 },
  });
  const whole = await readFile(clip.file);
  for (const share of [0.2, 0.5, 0.9]) {
    const file = join(clipFolder(), `cut-${share}.jxl`);
    await writeFile(file, whole.subarray(0, Math.floor(whole.length * share)));
    const { kind, problem } = await probe(file, LIMITS);
    assert.deepEqual([kind, problem], ['unreadable', 'media.no_frames']);
  }
});

test('[H9] refused formats are named: kinds of file, depths of TIFF, codecs', async () => {
  const grey = tiffFile({ width: 4, height: 4, channels: 3, samples: new Uint8Array(48) });
  const twelve = Buffer.from(grey.toString('latin1').replaceAll('\x08\0\x08\0\x08\0', '\x0c\0\x0c\0\x0c\0'), 'latin1');
  const bigTiff = Buffer.from('49492b00080000001000000000000000', 'hex');
  const cases: [name: string, bytes: Buffer, message: RegExp][] = [
    [
      'document.pdf',
      Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
      /^The file is a PDF document\. Accepted are MP4/,
    ],
    ['big.tif', bigTiff, /^The file is a BigTIFF\./],
    ['twelve.tif', twelve, /^The file is a TIFF with 12 bits a sample/],
    ['notes.txt', Buffer.from('nothing but text'), /^The file is a text\./],
    ['noise', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), /^The file is of an unknown kind\./],
  ];
  for (const [name, bytes, message] of cases) {
    const file = join(clipFolder(), name);
    await writeFile(file, bytes);
    await assert.rejects(probe(file, LIMITS), { kind: 'unsupported', code: 'media.unsupported', message }, name);
  }
  const film = await makeClip({ frames: 2, rate: PAL, container: 'avi', codec: 'cinepak', pixelFormat: 'rgb24' });
  const message = /^The file is avi with cinepak, which is not accepted\.$/;
  await assert.rejects(probe(film.file, LIMITS), { code: 'media.unsupported', message });
});

/** Twelve seconds of sound are the same, read through or from anywhere, to −100 dB. (R4) */
async function assertSeeks(file: string): Promise<void> {
  await using player = (await SoundReader.open(file, LIMITS))!;
  const whole = silentStereo(12 * SAMPLE_RATE);
  player.read(0, whole);
  assert(
    whole.left.some((sample) => Math.abs(sample) > 0.01),
    'it is silent',
  );
  await using seeker = (await SoundReader.open(file, LIMITS))!;
  for (const seconds of [9.7, 3, 10, 5.5, 1.3, 8, 0, 11.4]) {
    const from = Math.round(seconds * SAMPLE_RATE);
    const part = silentStereo(SAMPLE_RATE / 2);
    seeker.read(from, part);
    const most = part.left.reduce((max, sample, n) => Math.max(max, Math.abs(sample - whole.left[from + n]!)), 0);
    assert(most < 1e-5, `from ${seconds} s it differs by ${most}`);
  }
}

/** The packets of a file's only track in another container. */
async function copied(file: string, container: string): Promise<string> {
  const out = `${file}.${container}`;
  await using from = new FormatContext();
  assert((await from.openInput(file, null, null)) >= 0);
  assert((await from.findStreamInfo(null)) >= 0);
  await using to = new FormatContext();
  to.allocOutputContext2(null, container, out);
  const stream = to.newStream(null);
  from.streams[0]!.codecpar.copy(stream.codecpar);
  stream.codecpar.codecTag = 0;
  stream.timeBase = from.streams[0]!.timeBase;
  assert((await to.openOutput()) >= 0);
  assert((await to.writeHeader(null)) >= 0);
  using packet = new Packet();
  packet.alloc();
  while ((await from.readFrame(packet)) >= 0) {
    packet.rescaleTs(from.streams[0]!.timeBase, stream.timeBase);
    assert((await to.interleavedWriteFrame(packet)) >= 0);
  }
  assert((await to.writeTrailer()) >= 0);
  await to.closeOutput();
  return out;
}

function binary(value: number, bits: number): string {
  return Array.from({ length: bits }, (_, bit) => (value >> bit) & 1).join('');
}

function bytesOf(bits: string): Buffer {
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt([...byte].reverse().join(''), 2)));
}

/** An icon of complete pictures, whose sizes its directory leaves out, as it does for 256. */
function iconOf(pictures: readonly Buffer[]): Buffer {
  const directory = Buffer.alloc(6 + pictures.length * 16);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let place = directory.length;
  for (const [n, { length }] of pictures.entries()) {
    directory.writeUInt16LE(32, 6 + n * 16 + 6);
    directory.writeUInt32LE(length, 6 + n * 16 + 8);
    directory.writeUInt32LE(place, 6 + n * 16 + 12);
    place += length;
  }
  return Buffer.concat([directory, ...pictures]);
}

/** A black square as icons hold it: no file header, twice the height, a mask of one bit behind 32 bits a pixel. */
function bitmapOf(side: number): Buffer {
  const bytes = Buffer.alloc(40 + side * side * 4 + side * Math.ceil(side / 32) * 4);
  bytes.writeUInt32LE(40);
  bytes.writeInt32LE(side, 4);
  bytes.writeInt32LE(side * 2, 8);
  bytes.writeUInt16LE(1, 12);
  bytes.writeUInt16LE(32, 14);
  return bytes;
}
