import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import type { Orientation } from '../../../src/engine/picture/orientation.ts';
import { PictureReader } from '../../../src/engine/picture/picture-reader.ts';
import { frameRate, frames, type Micros, micros, sourceMiddle, speedMillionths } from '../../../src/time.ts';
import { type Clip, type ClipOptions, clipFolder, frameNumberOf, makeClip } from '../../fixtures/clips.ts';
import { type Plane, readFrameNumber } from '../../fixtures/frame-number.ts';

const SOUND = { seconds: 3 };

/** Every picture format that this build can write and an upload may have. */
const FORMATS: readonly (Partial<ClipOptions> & { container: string; codec: string })[] = [
  { container: 'mp4', codec: 'libx264', sound: SOUND },
  { container: 'mp4', codec: 'libx264', bFrames: 2, gop: 12 },
  { container: 'mov', codec: 'libx264', bFrames: 3, gop: 24, sound: SOUND },
  { container: 'mp4', codec: 'libx264', bFrames: 2, gop: 15, openGop: true },
  { container: 'mp4', codec: 'libx264', bFrames: 2, muxOptions: { movflags: 'frag_keyframe+empty_moov' } },
  { container: 'mp4', codec: 'libx265', bFrames: 2, gop: 15, openGop: true },
  { container: 'mp4', codec: 'libsvtav1', gop: 30 },
  { container: 'mp4', codec: 'mpeg4', bFrames: 1, gop: 12 },
  { container: 'mov', codec: 'prores_ks', width: 128, height: 72 },
  { container: 'mov', codec: 'qtrle' },
  { container: 'matroska', codec: 'libx264', bFrames: 2, gop: 15, openGop: true, sound: { seconds: 3, codec: 'ac3' } },
  { container: 'matroska', codec: 'ffv1', gop: 1 },
  { container: 'webm', codec: 'libvpx-vp9', gop: 20, sound: { seconds: 3, codec: 'libopus' } },
  { container: 'webm', codec: 'libvpx-vp9', gop: 20, alpha: true },
  { container: 'webm', codec: 'libvpx', gop: 20, sound: { seconds: 3, codec: 'libvorbis' } },
  { container: 'mpegts', codec: 'libx264', bFrames: 2, gop: 15, openGop: true, sound: { seconds: 3, codec: 'mp2' } },
  { container: 'mpegts', codec: 'mpeg2video', bFrames: 2, gop: 12, sound: SOUND },
  { container: 'avi', codec: 'mpeg4', bFrames: 1, gop: 12, sound: { seconds: 3, codec: 'libmp3lame' } },
  { container: 'avi', codec: 'libx264', bFrames: 2, gop: 15 },
  { container: 'avi', codec: 'mjpeg', pixelFormat: 'yuvj420p' },
  { container: 'flv', codec: 'libx264', bFrames: 2, gop: 15, sound: SOUND },
  { container: 'flv', codec: 'flv', gop: 15 },
  { container: 'ogg', codec: 'libtheora', gop: 16, sound: { seconds: 3, codec: 'libvorbis' } },
  { container: 'gif', codec: 'gif', rate: { num: 25, den: 1 } },
  { container: 'apng', codec: 'apng' },
  { container: 'webp', codec: 'libwebp_anim' },
  { container: 'avif', codec: 'libsvtav1', gop: 10 },
];

for (const format of FORMATS) {
  const { container, codec, gop, bFrames = 0, openGop = false, alpha = false } = format;
  const traits = [gop && `gop ${gop}`, bFrames && `${bFrames} B-frames`, openGop && 'open', alpha && 'alpha'];
  const name = [container, codec, ...traits.filter(Boolean)].join(' ');

  test(`[R5] ${name}: every frame at its own time, in order and in any order`, async () => {
    const clip = await makeClip({ frames: 75, ...format });
    await using reader = await open(clip);
    for (const n of clip.times.keys())
      assert.equal(await numberAt(reader, startOf(clip, n)), n, `frame ${n}, in order`);
    await fc.assert(
      fc.asyncProperty(moments(clip), async (asked) => {
        for (const { n, at } of asked) assert.equal(await numberAt(reader, at), n, `frame ${n}, at ${at} µs`);
      }),
      { numRuns: 12, seed: 5 },
    );
  });
}

const REORDERED = FORMATS.filter(({ openGop, bFrames = 0, gop }) => openGop || (bFrames > 0 && gop !== undefined));

for (const format of REORDERED) {
  test(`[R4] ${format.container} ${format.codec}: a frame reached by seeking equals the one reached by playing`, async () => {
    const clip = await makeClip({ frames: 75, ...format });
    const played = await framesInOrder(clip, clip.times.keys());
    // Backwards and in leaps, with a seek for each frame.
    const order = [...clip.times.keys()].map((n) => (n * 47) % clip.times.length).reverse();
    const sought = await framesInOrder(clip, order);
    for (const n of clip.times.keys()) assert(played.get(n)!.equals(sought.get(n)!), `frame ${n} differs`);
  });
}

test('[R4] frames do not depend on how many threads decode them', async () => {
  for (const format of FORMATS.filter(({ bFrames = 0 }) => bFrames > 0)) {
    const clip = await makeClip({ frames: 75, ...format });
    const order = [...clip.times.keys()].map((n) => (n * 47) % clip.times.length).slice(0, 20);
    const [alone, ...together] = await Promise.all([1, 2, 5].map((threads) => framesInOrder(clip, order, threads)));
    for (const frames of together) {
      for (const n of order) assert(frames.get(n)!.equals(alone!.get(n)!), `${format.container} ${format.codec} ${n}`);
    }
  }
});

const LEAPED = [
  { container: 'mp4', codec: 'libx264', gop: 250, bFrames: 3, codecOptions: { preset: 'fast', threads: 1 } },
  {
    container: 'matroska',
    codec: 'libx264',
    gop: 30,
    bFrames: 3,
    openGop: true,
    codecOptions: { preset: 'fast', threads: 1 },
  },
  { container: 'mpegts', codec: 'mpeg2video', gop: 40, bFrames: 2 },
  { container: 'mp4', codec: 'mpeg4', gop: 40, bFrames: 2 },
  { container: 'mp4', codec: 'libx265', gop: 40, bFrames: 3 },
  { container: 'webm', codec: 'libvpx-vp9', gop: 40 },
] as const;

for (const format of LEAPED) {
  test(`[R4] ${format.container} ${format.codec}: skipping hidden frames changes nothing`, async () => {
    const clip = await makeClip({ frames: 240, width: 128, height: 72, ...format });
    const played = await framesInOrder(clip, clip.times.keys());
    for (const leap of [5, 6, 9, 14, 31, 77]) {
      const order = [...clip.times.keys()].filter((n) => n % leap < 2);
      for (const [n, frame] of await framesInOrder(clip, order)) {
        assert(frame.equals(played.get(n)!), `frame ${n} differs after leaps of ${leap}`);
      }
    }
  });
}

const RATES = [
  { from: { num: 24, den: 1 }, to: 30 },
  { from: { num: 25, den: 1 }, to: 30_000 / 1001 },
  { from: { num: 30_000, den: 1001 }, to: 30_000 / 1001 },
  { from: { num: 60, den: 1 }, to: 24 },
];

for (const { from, to } of RATES) {
  for (const container of ['mp4', 'webm']) {
    const codec = container === 'webm' ? 'libvpx-vp9' : 'libx264';
    test(`[R5] ${container}: ${from.num}/${from.den} shown at ${to.toFixed(3)}, at speeds from 0.1 to 10`, async () => {
      const clip = await makeClip({ frames: 150, rate: from, container, codec, bFrames: 2, width: 128, height: 72 });
      await using reader = await open(clip);
      for (const speed of [1, 0.1, 0.5, 1.7, 2, 4, 10]) {
        const shown = Math.min(90, Math.floor((150 / (from.num / from.den) / speed) * to));
        for (let n = 0; n < shown; n++) {
          const at = sourceMiddle(frames(n), frameRate(to), speedMillionths(speed));
          assert.equal(await numberAt(reader, at), due(clip, at, container), `output frame ${n} at speed ${speed}`);
        }
      }
    });
  }
}

test('[R5] variable rate: gaps of 1 ms to 2 s', async () => {
  const gaps = [0.001, 2, 0.04, 0.04, 0.5, 0.01, 1.3, 0.033];
  const timeOf = (n: number) => Array.from({ length: n }, (_, i) => gaps[i % gaps.length]!).reduce((a, b) => a + b, 0);
  for (const [container, codec] of [
    ['mp4', 'libx264'],
    ['matroska', 'libx264'],
    ['webm', 'libvpx-vp9'],
  ] as const) {
    const clip = await makeClip({
      frames: 40,
      timeOf,
      container,
      codec,
      bFrames: codec === 'libx264' ? 2 : 0,
      gop: 10,
    });
    await using reader = await open(clip);
    for (const n of clip.times.keys()) assert.equal(await numberAt(reader, startOf(clip, n)), n, `${container} ${n}`);
    await fc.assert(
      fc.asyncProperty(moments(clip), async (asked) => {
        for (const { n, at } of asked) assert.equal(await numberAt(reader, at), n);
      }),
      { numRuns: 12, seed: 5 },
    );
  }
});

test('[R5] the first timestamp is not 0: source time is counted from the first frame', async () => {
  for (const container of ['mp4', 'matroska', 'mpegts', 'flv']) {
    const sound = container === 'mp4' ? { seconds: 2 } : null;
    const clip = await makeClip({ frames: 60, container, bFrames: 2, firstSeconds: 10, ...(sound && { sound }) });
    await using reader = await open(clip);
    for (const n of [0, 1, 59, 30, 2]) assert.equal(await numberAt(reader, startOf(clip, n)), n, `${container} ${n}`);
  }
});

test('[R5] an edit list that starts in mid-GOP hides what it cuts off', async () => {
  const clip = await makeClip({
    frames: 60,
    bFrames: 2,
    gop: 30,
    firstSeconds: -0.5,
    muxOptions: { avoid_negative_ts: 'disabled' },
  });
  await using reader = await open(clip);
  for (const n of [0, 1, 20, 44, 3, 0]) {
    assert.equal(await numberAt(reader, micros(Math.floor((n * 1e6) / 30))), n + 15, `frame ${n} after the cut`);
  }
});

test('[R5] wrongly marked key frames cost time, never a frame', async () => {
  const clip = await makeClip({ frames: 60, gop: 20, bFrames: 2 });
  const bytes = await readFile(clip.file);
  const table = bytes.indexOf('stss') + 12;
  assert.deepEqual(
    [0, 4, 8].map((at) => bytes.readUInt32BE(table + at)),
    [1, 21, 41],
  );
  // The file's first frame and the one at 40 lose their key frame flag; two dependent frames get it.
  for (const [n, sample] of [7, 21, 33].entries()) bytes.writeUInt32BE(sample, table + n * 4);
  const file = join(clipFolder(), 'wrong-keys.mp4');
  await writeFile(file, bytes);
  await using reader = await open({ ...clip, file });
  for (const n of [0, 1, 2, 10, 19, 20, 35, 59, 50, 34, 8, 0, 5]) {
    assert.equal(await numberAt(reader, startOf(clip, n)), n);
  }
});

test('[R16] sound that starts well before the picture keeps its lead; priming does not', async () => {
  const late = await makeClip({
    frames: 30,
    container: 'matroska',
    sound: { seconds: 2, delaySeconds: -0.5 },
    firstSeconds: 1,
  });
  await using reader = await open(late);
  assert.equal(await numberAt(reader, micros(480_000)), 0);
  assert.equal(await numberAt(reader, micros(560_000)), 1);
});

test('[R5] before the first frame the first is shown, after the end the last, at any distance', async () => {
  const clip = await makeClip({ frames: 30, container: 'matroska' });
  await using reader = await open(clip);
  assert.equal(await numberAt(reader, micros(500_000_000)), 29);
  assert.equal(await numberAt(reader, micros(0)), 0);
  assert.equal(await numberAt(reader, micros(1_000_000)), 29);
  assert.equal(await numberAt(reader, micros(3_600_000_000)), 29);
});

test('a still is its one frame at any time', async () => {
  for (const [codec, container] of [
    ['png', 'image2'],
    ['mjpeg', 'image2'],
    ['bmp', 'image2'],
    ['libwebp', 'webp'],
  ] as const) {
    const clip = await makeClip({
      frames: 1,
      firstNumber: 4711,
      codec,
      container,
      muxOptions: container === 'image2' ? { update: 1 } : {},
      ...(codec === 'mjpeg' && { pixelFormat: 'yuvj420p' }),
    });
    await using reader = await open(clip);
    for (const at of [0, 10_000_000, 40_000]) assert.equal(await numberAt(reader, micros(at)), 4711, codec);
  }
});

test('a still with a second picture after the first, as cameras write it, shows the first', async () => {
  const [first, second] = await Promise.all(
    [1, 2].map((firstNumber) =>
      makeClip({
        frames: 1,
        firstNumber,
        codec: 'mjpeg',
        container: 'image2',
        pixelFormat: 'yuvj420p',
        muxOptions: { update: 1 },
      }),
    ),
  );
  const file = join(clipFolder(), 'two-pictures.jpg');
  await writeFile(file, Buffer.concat([await readFile(first!.file), await readFile(second!.file)]));
  await using reader = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {});
  for (const at of [0, 1_000_000]) assert.equal(await numberAt(reader, micros(at)), 1);
});

test('[R7] a stored frame is mirrored first and then rotated clockwise to be upright', async () => {
  for (const quarterTurns of [0, 1, 2, 3] as const) {
    for (const mirrored of [false, true]) {
      const clip = await makeClip({ frames: 3, orientation: { quarterTurns, mirrored }, firstNumber: 1234 });
      await using reader = await open(clip);
      const frame = await reader.frameAt(startOf(clip, 1));
      const stored = { data: frame.data![0]!, stride: frame.linesize[0]!, width: frame.width, height: frame.height };
      const upright = turned(stored, reader.picture.orientation);
      assert.equal(readFrameNumber(upright), 1235, `${quarterTurns} ${mirrored}`);
      assert.deepEqual({ width: upright.width, height: upright.height }, reader.picture.upright);
    }
  }
});

test('two readers of one file do not disturb each other', async () => {
  const clip = await makeClip({ frames: 75, container: 'mp4', bFrames: 2, gop: 12 });
  await using ahead = await open(clip);
  await using behind = await open(clip);
  for (let n = 0; n < 60; n++) {
    const numbers = await Promise.all([numberAt(ahead, startOf(clip, n + 15)), numberAt(behind, startOf(clip, n))]);
    assert.deepEqual(numbers, [n + 15, n]);
  }
});

test('a broken packet is concealed, counted and does not affect its neighbours', async () => {
  const clip = await makeClip({ frames: 90, container: 'mp4', gop: 15, bFrames: 0 });
  const file = join(clipFolder(), 'broken.mp4');
  await copyFile(clip.file, file);
  const bytes = await readFile(file);
  // Somewhere in the stream's middle, over a few packets.
  const middle = Math.floor(bytes.length / 2);
  bytes.fill(0xa5, middle, middle + 600);
  await writeFile(file, bytes);
  await using reader = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {});
  const shown = [];
  for (const n of clip.times.keys()) shown.push(await numberAt(reader, startOf(clip, n)));
  assert(reader.brokenPackets > 0, 'nothing was broken');
  assert(shown.filter((number, n) => number === n).length >= 70, `too little is left: ${shown}`);
});

test('a file whose picture cannot be decoded at all is an error', async () => {
  const clip = await makeClip({ frames: 10, container: 'matroska', codec: 'libx264' });
  const file = join(clipFolder(), 'no-frames.mkv');
  const bytes = await readFile(clip.file);
  const cluster = bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]));
  for (let at = cluster + 40; at < bytes.length; at++) bytes[at] = bytes[at]! ^ 0x5a;
  await writeFile(file, bytes);
  await assert.rejects(PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {}), {
    code: 'media.no_frames',
    kind: 'invalid',
  });
});

test('an aborted signal ends reading with its reason', async () => {
  const clip = await makeClip({ frames: 75, container: 'mp4', bFrames: 2, gop: 12 });
  const abort = new AbortController();
  await using reader = await PictureReader.open(clip.file, DEFAULT_MEDIA_LIMITS, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await assert.rejects(reader.frameAt(micros(2_000_000)), /enough/);
});

/** A plane as its orientation wants it seen, pixel by pixel. */
function turned(plane: Plane, { quarterTurns, mirrored }: Orientation): Plane {
  const at = (x: number, y: number) => plane.data[y * plane.stride + (mirrored ? plane.width - 1 - x : x)]!;
  const [width, height] = quarterTurns % 2 === 0 ? [plane.width, plane.height] : [plane.height, plane.width];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = [
        () => at(x, y),
        () => at(y, width - 1 - x), // what was at the bottom left is now at the top left
        () => at(width - 1 - x, height - 1 - y),
        () => at(height - 1 - y, x),
      ][quarterTurns]!;
      data[y * width + x] = from();
    }
  }
  return { data, stride: width, width, height };
}

function open(clip: Clip, threads = 2): Promise<PictureReader> {
  return PictureReader.open(clip.file, DEFAULT_MEDIA_LIMITS, { threads });
}

async function numberAt(reader: PictureReader, at: Micros): Promise<number | null> {
  return frameNumberOf(await reader.frameAt(at));
}

/** A time at which frame `n` has just begun, even where its container rounds to the next millisecond. */
function startOf(clip: Clip, n: number): Micros {
  return micros(Math.floor(clip.times[n]! * 1e6 + 600));
}

/** The frame R5 names. WebM rounds to the millisecond. */
function due(clip: Clip, at: Micros, container: string): number {
  const written = (time: number) => (container === 'webm' ? Math.round(time * 1e3) * 1e3 : time * 1e6);
  return Math.max(
    0,
    clip.times.findLastIndex((time) => written(time) <= at + 1),
  );
}

/** Moments well inside some frame's time on screen, and that frame; or the very moment it begins. */
function moments(clip: Clip): fc.Arbitrary<{ n: number; at: Micros }[]> {
  const one = fc
    .record({ n: fc.nat(clip.times.length - 1), into: fc.constantFrom(0, 0.2, 0.5, 0.9) })
    .map(({ n, into }) => {
      const gap = (clip.times[n + 1] ?? clip.times[n]! + 1) - clip.times[n]!;
      // Millisecond containers blur a gap of one tick.
      const inside = gap > 0.005 ? into * gap * 1e6 : 0;
      return { n, at: micros(Math.floor(startOf(clip, n) + inside)) };
    });
  return fc.array(one, { minLength: 1, maxLength: 12 });
}

async function framesInOrder(clip: Clip, order: Iterable<number>, threads?: number): Promise<Map<number, Buffer>> {
  const frames = new Map<number, Buffer>();
  await using reader = await open(clip, threads);
  for (const n of order) frames.set(n, (await reader.frameAt(startOf(clip, n))).toBuffer());
  return frames;
}
