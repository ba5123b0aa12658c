import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { PictureReader } from '../../../src/engine/picture/picture-reader.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { silentStereo } from '../../../src/sound/dsp/stereo.ts';
import { frameRate, frames, micros, sourceMiddle, speedMillionths } from '../../../src/time.ts';
import { type ClipOptions, clipFolder, frameNumberOf, makeClip } from '../../fixtures/clips.ts';
import type { SoundOptions } from '../../fixtures/sound-track.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';

const RATE = 48_000;
/** After so many seconds the clock of a transport stream wraps around. */
const TURN_SECONDS = Math.floor(2 ** 33 / 90_000);

function soundOf(seconds: number, codec = 'aac', sampleRate = RATE): SoundOptions {
  const bursts = Array.from({ length: seconds }, (_, second) => second + 0.25);
  return { seconds, codec, sampleRate, bursts };
}

interface Part extends Partial<ClipOptions> {
  readonly seconds: number;
  /** How many bytes its end lacks. */
  readonly torn?: number;
}

/** Joined parts with continuous frame numbers; the sound has a burst a quarter into each second. */
async function joined(name: string, parts: readonly Part[]): Promise<string> {
  const files: Buffer[] = [];
  let firstNumber = 0;
  for (const { seconds, torn = 0, ...options } of parts) {
    const frames = options.frames ?? seconds * 30;
    const clip = await makeClip({
      frames,
      firstNumber,
      container: 'mpegts',
      bFrames: 2,
      gop: 15,
      width: 128,
      height: 72,
      sound: soundOf(seconds),
      ...options,
    });
    firstNumber += frames;
    const bytes = await readFile(clip.file);
    files.push(bytes.subarray(0, bytes.length - torn));
  }
  const file = join(clipFolder(), name);
  await writeFile(file, Buffer.concat(files));
  return file;
}

const TWO_AND_THREE: Readonly<Record<string, readonly Part[]>> = {
  'the same clock twice': [{ seconds: 2 }, { seconds: 3 }],
  'open groups of pictures': [
    { seconds: 2, openGop: true },
    { seconds: 3, openGop: true },
  ],
  'a clock that jumps back an hour': [{ seconds: 2, firstSeconds: 3600 }, { seconds: 3 }],
  'a clock that jumps ahead an hour': [{ seconds: 2 }, { seconds: 3, firstSeconds: 3600 }],
  'a clock that turns over, then starts over': [
    { seconds: 2, firstSeconds: TURN_SECONDS - 1 },
    { seconds: 3, firstSeconds: 900 },
  ],
  'parts of a camera': [
    { seconds: 2, muxOptions: { mpegts_m2ts_mode: 1 } },
    { seconds: 3, muxOptions: { mpegts_m2ts_mode: 1 } },
  ],
  'FLV behind FLV': [
    { seconds: 2, container: 'flv', sound: soundOf(2, 'aac', 44_100) },
    { seconds: 3, container: 'flv', sound: soundOf(3, 'aac', 44_100) },
  ],
  'Matroska behind Matroska of another size': [
    { seconds: 2, container: 'matroska' },
    { seconds: 3, container: 'matroska', width: 160, height: 90 },
  ],
  'MP4 behind MP4': [
    { seconds: 2, container: 'mp4' },
    { seconds: 3, container: 'mp4', firstSeconds: 7 },
  ],
  'MP4 with its index in front': [
    { seconds: 2, container: 'mp4', muxOptions: { movflags: '+faststart' } },
    { seconds: 3, container: 'mp4', muxOptions: { movflags: '+faststart' } },
  ],
  'AVI behind AVI': [
    { seconds: 2, container: 'avi', codec: 'mpeg4', bFrames: 0, sound: soundOf(2, 'pcm_s16le') },
    { seconds: 3, container: 'avi', codec: 'mpeg4', bFrames: 0, sound: soundOf(3, 'pcm_s16le') },
  ],
  'MPEG-1 program streams': [
    { seconds: 2, container: 'mpeg', codec: 'mpeg1video', sound: soundOf(2, 'mp2') },
    { seconds: 3, container: 'mpeg', codec: 'mpeg1video', sound: soundOf(3, 'mp2') },
  ],
  'MPEG-2 program streams whose clock jumps ahead': [
    { seconds: 2, container: 'vob', codec: 'mpeg2video', sound: soundOf(2, 'ac3') },
    { seconds: 3, container: 'vob', codec: 'mpeg2video', sound: soundOf(3, 'ac3'), firstSeconds: 3600 },
  ],
  'WebM as browsers record it': [
    {
      seconds: 2,
      container: 'webm',
      codec: 'libvpx',
      bFrames: 0,
      muxOptions: { live: 1 },
      sound: soundOf(2, 'libopus'),
    },
    {
      seconds: 3,
      container: 'webm',
      codec: 'libvpx',
      bFrames: 0,
      muxOptions: { live: 1 },
      sound: soundOf(3, 'libopus'),
    },
  ],
};

const SOUNDS: Readonly<Record<string, readonly [container: string, codec: string, rates?: readonly [number, number]]>> =
  {
    'chained Ogg Vorbis': ['ogg', 'libvorbis'],
    'chained Ogg Vorbis of two rates': ['ogg', 'libvorbis', [44_100, 48_000]],
    'chained Ogg Opus': ['ogg', 'libopus'],
    'chained Ogg FLAC': ['ogg', 'flac'],
    'FLAC behind FLAC': ['flac', 'flac'],
    'MP3 behind MP3': ['mp3', 'libmp3lame'],
    'MP3 behind MP3 of another rate': ['mp3', 'libmp3lame', [48_000, 44_100]],
    'WAV behind WAV': ['wav', 'pcm_s16le'],
    'WAV behind WAV of another rate': ['wav', 'pcm_f32le', [44_100, 48_000]],
    'AIFF behind AIFF': ['aiff', 'pcm_s16be'],
    'M4A behind M4A': ['mp4', 'aac'],
    'WebM with sound alone': ['webm', 'libopus'],
    'Matroska with sound alone': ['matroska', 'flac'],
  };

for (const [name, parts] of Object.entries(TWO_AND_THREE)) {
  test(`[R21] ${name}: five seconds, every frame at its time, played or sought`, async () => {
    const file = await joined(name, parts);
    const media = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert.equal(media.video?.frames, 150);
    assert.equal(media.kind, 'video');
    assert(Math.abs(media.video.end - 5) < 1e-5, `it ends at ${media.video.end}`);
    assert.deepEqual(media.video.rate, { num: 30, den: 1 });
    assert(Math.abs(media.audio!.end - 5) < 0.05, `the sound ends at ${media.audio!.end}`);

    const at = (n: number) => sourceMiddle(frames(n), frameRate(30), speedMillionths(1));
    await using player = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, { threads: 2 });
    const played: Buffer[] = [];
    for (let n = 0; n < 150; n++) {
      const frame = await player.frameAt(at(n));
      assert.equal(frameNumberOf(frame), n, 'played');
      played.push(frame.toBuffer());
    }
    await using seeker = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, { threads: 2 });
    for (const n of played.map((_, index) => (index * 67) % 150).reverse()) {
      assert((await seeker.frameAt(at(n))).toBuffer().equals(played[n]!), `frame ${n}, sought`);
    }
  });

  test(`[R21] ${name}: the sound continues across the join, played or sought`, async () => {
    const file = await joined(name, parts);
    await using player = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
    const whole = silentStereo(5 * RATE);
    player.read(0, whole);
    const bursts = findBursts(whole.left, RATE);
    assert.equal(bursts.length, 5, `bursts at ${bursts}`);
    for (const [second, found] of bursts.entries())
      assert(Math.abs(found - second - 0.25) < 0.001, `burst at ${found}`);
    await using seeker = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
    for (const second of [4, 1, 3, 2, 0]) {
      const part = silentStereo(RATE / 2);
      seeker.read(second * RATE, part);
      const [found] = findBursts(part.left, RATE);
      assert(Math.abs(found! - 0.25) < 0.001, `burst ${second} at ${found}, sought`);
    }
  });
}

test('[R21] many parts, one of them cut off in mid-packet', async () => {
  const file = await joined('many', [
    { seconds: 2, torn: 3000 },
    { seconds: 1, firstSeconds: 50 },
    { seconds: 1 },
    { seconds: 2, firstSeconds: 70 },
  ]);
  const media = await probe(file, DEFAULT_MEDIA_LIMITS);
  const missing = 180 - media.video!.frames!;
  assert(missing > 0 && missing < 15, `${missing} frames are gone`);
  await using reader = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, { threads: 1 });
  const length = Math.round(media.video!.end * 30);
  const numbers: (number | null)[] = [];
  for (let n = 0; n < length; n++)
    numbers.push(frameNumberOf(await reader.frameAt(micros(Math.floor((n * 1e6) / 30)))));
  assert.deepEqual(
    numbers.slice(-120),
    Array.from({ length: 120 }, (_, n) => 60 + n),
  );
});

test('[R21] a gap in a recording lasts as long as its clock says, up to ten seconds', async () => {
  const file = await joined('hole', [
    { seconds: 2, firstSeconds: 100 },
    { seconds: 3, firstSeconds: 106 },
  ]);
  const media = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert.equal(media.video?.end, 9);
  await using reader = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {});
  const shown = async (seconds: number) => frameNumberOf(await reader.frameAt(micros(seconds * 1e6)));
  assert.deepEqual([await shown(1.95), await shown(4), await shown(5.95), await shown(6.01)], [58, 59, 59, 60]);
});

for (const [name, [container, codec, [first, second] = [RATE, RATE]]] of Object.entries(SOUNDS)) {
  test(`[R21] ${name}: the sound continues without a gap, played or sought`, async () => {
    const file = await joined(name, [
      { seconds: 2, frames: 0, container, sound: soundOf(2, codec, first) },
      { seconds: 3, frames: 0, container, sound: soundOf(3, codec, second) },
    ]);
    const { audio } = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert(Math.abs(audio!.end - 5) < 0.003, `it ends at ${audio!.end}`);
    await using player = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
    const whole = silentStereo(6 * RATE);
    player.read(0, whole);
    const bursts = findBursts(whole.left, RATE);
    assert.equal(bursts.length, 5, `bursts at ${bursts}`);
    for (const [index, at] of bursts.entries()) assert(Math.abs(at - index - 0.25) < 0.0015, `burst at ${at}`);
    await using seeker = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
    for (const from of [4.25, 1.75, 2.125, 0.5, 3].map((seconds) => seconds * RATE)) {
      const part = silentStereo(RATE / 2);
      seeker.read(from, part);
      assert.deepEqual(part.left, whole.left.subarray(from, from + RATE / 2), `from ${from}`);
    }
  });
}

test('[R21] joined ADTS files of different rates last as long as both', async () => {
  const parts = [44_100, 48_000].map((rate) => ({
    seconds: 2,
    frames: 0,
    container: 'adts',
    sound: soundOf(2, 'aac', rate),
  }));
  const file = await joined('adts', parts);
  const { audio } = await probe(file, DEFAULT_MEDIA_LIMITS);
  // Neither says how much of its first and last frames is padding.
  assert(audio!.end > 4 && audio!.end < 4.1, `it ends at ${audio!.end}`);
  await using reader = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
  const whole = silentStereo(5 * RATE);
  reader.read(0, whole);
  assert.equal(findBursts(whole.left, RATE).length, 4);
});

const OTHER_SHAPES: Readonly<Record<string, Partial<ClipOptions>>> = {
  'of another shape': { width: 72, height: 128 },
  'of other pixels': { sampleAspect: { num: 2, den: 1 } },
  'upside down': { orientation: { quarterTurns: 2, mirrored: false } },
};

for (const [name, options] of Object.entries(OTHER_SHAPES)) {
  test(`[R21] [R7] a video joined to another one, ${name}, is refused with the reason`, async () => {
    const part = { seconds: 1, frames: 10, container: 'mp4', bFrames: 0 };
    const file = await joined(name, [part, { ...part, ...options }]);
    const refused = { code: 'media.unsupported', message: /different shapes or orientations.*separate files/ };
    await assert.rejects(probe(file, DEFAULT_MEDIA_LIMITS), refused);
  });
}

test('[R21] a joined video with the same display aspect ratio is played, even if its pixel aspect ratio differs', async () => {
  const part = { seconds: 1, frames: 10, container: 'mp4', bFrames: 0 };
  const wide = { ...part, width: 128, height: 144, sampleAspect: { num: 2, den: 1 } };
  const { video } = await probe(await joined('pixels', [part, wide]), DEFAULT_MEDIA_LIMITS);
  assert.equal(video!.frames, 20);
});

test('[R21] joined sound without a picture continues as well', async () => {
  const file = await joined('sound', [
    { seconds: 2, frames: 0 },
    { seconds: 3, frames: 0 },
  ]);
  const { audio } = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert(Math.abs(audio!.end - 5) < 0.08, `it ends at ${audio!.end}`);
  await using reader = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
  const whole = silentStereo(5 * RATE);
  reader.read(0, whole);
  assert.equal(findBursts(whole.left, RATE).length, 5);
});

test('a clock that is out of order throughout is not reordered', async () => {
  const clip = await makeClip({ frames: 18, container: 'mpegts', width: 16, height: 16 });
  const bytes = await readFile(clip.file);
  const file = join(clipFolder(), 'disorder.ts');
  await writeFile(file, Buffer.concat(Array.from({ length: 10_100 }, () => bytes)));
  await assert.rejects(probe(file, DEFAULT_MEDIA_LIMITS), { code: 'media.rate_too_high' });
});
