import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { presentationStart } from '../../../src/engine/input/presentation-start.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { type Stereo, silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { samplesOf, tone, wavFile } from './wav-file.ts';

const RATE = 48_000;
const SECONDS = 6;

interface Kind {
  readonly container?: string;
  readonly codec: string;
  readonly sampleRate?: number;
  /** Samples an encoder puts in front where the container cannot say so; players play them too. */
  readonly lead?: number;
  /** Decoders of these fill what was left out with noise of their own, which differs from run to run. */
  readonly noise?: true;
}

/** Every container and codec in which reading from the middle could go wrong in its own way. */
const KINDS: Readonly<Record<string, Kind>> = {
  'AAC in MP4': { codec: 'aac', noise: true },
  'AAC in MP4 at 44.1 kHz': { codec: 'aac', sampleRate: 44_100, noise: true },
  'AAC in Matroska': { container: 'matroska', codec: 'aac', noise: true },
  'AAC in MPEG-TS': { container: 'mpegts', codec: 'aac', lead: 1024, noise: true },
  'AAC in ADTS': { container: 'adts', codec: 'aac', sampleRate: 32_000, lead: 1024, noise: true },
  MP3: { container: 'mp3', codec: 'libmp3lame', sampleRate: 44_100 },
  'MP3 at 48 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 48_000 },
  'MP3 at 24 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 24_000 },
  'MP3 at 22.05 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 22_050 },
  'MP3 at 16 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 16_000 },
  'MP3 at 12 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 12_000 },
  'MP3 at 11.025 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 11_025 },
  'MP3 at 8 kHz': { container: 'mp3', codec: 'libmp3lame', sampleRate: 8000 },
  'Opus in Ogg': { container: 'ogg', codec: 'libopus' },
  'Opus in WebM': { container: 'webm', codec: 'libopus' },
  'Vorbis in WebM': { container: 'webm', codec: 'libvorbis', sampleRate: 44_100 },
  'AC-3 in Matroska': { container: 'matroska', codec: 'ac3', sampleRate: 44_100, noise: true },
  'Opus in MP4': { codec: 'libopus' },
  'ALAC in MP4': { codec: 'alac', sampleRate: 44_100 },
  'MP3 in MP4': { codec: 'libmp3lame', sampleRate: 44_100 },
  'MP3 in Matroska': { container: 'matroska', codec: 'libmp3lame', sampleRate: 44_100 },
  'MP3 in FLV': { container: 'flv', codec: 'libmp3lame', sampleRate: 44_100, lead: 1105 },
  'MP2 in MPEG-TS': { container: 'mpegts', codec: 'mp2', sampleRate: 44_100, lead: 481 },
  'Vorbis in Ogg': { container: 'ogg', codec: 'libvorbis', sampleRate: 44_100 },
  'FLAC in Matroska': { container: 'matroska', codec: 'flac', sampleRate: 44_100 },
  'PCM in Matroska': { container: 'matroska', codec: 'pcm_s16le', sampleRate: 44_100 },
  'PCM in AVI': { container: 'avi', codec: 'pcm_s16le', sampleRate: 44_100 },
  'PCM in MOV': { container: 'mov', codec: 'pcm_s16le', sampleRate: 44_100 },
  'PCM in AIFF': { container: 'aiff', codec: 'pcm_s16be', sampleRate: 44_100 },
  FLAC: { container: 'flac', codec: 'flac', sampleRate: 44_100 },
  'PCM at 22.05 kHz': { container: 'wav', codec: 'pcm_s16le', sampleRate: 22_050 },
  'PCM at 8 kHz': { container: 'wav', codec: 'pcm_s16le', sampleRate: 8000 },
  'PCM at 96 kHz': { container: 'wav', codec: 'pcm_f32le', sampleRate: 96_000 },
  'PCM at an odd rate': { container: 'wav', codec: 'pcm_f32le', sampleRate: 47_999 },
};

for (const [name, { container, lead = 0, noise = false, ...sound }] of Object.entries(KINDS)) {
  test(`[R15] ${name}: any part reads as it does from the start, on time`, async () => {
    const { file } = await makeClip({
      frames: 0,
      ...(container === undefined ? {} : { container }),
      sound: { seconds: SECONDS, ...sound },
    });
    await using reader = await opened(file);
    const whole = read(reader, 0, SECONDS * RATE);
    const found = findBursts(whole.left, RATE);
    assert.equal(found.length, SECONDS, `bursts at ${found}`);
    for (const [second, at] of found.entries()) {
      const expected = second + lead / (sound.sampleRate ?? RATE);
      assert(Math.abs(at - expected) < 0.001, `burst ${second} at ${at}`);
    }
    for (let n = 0; n < 40; n++) {
      const at = (n * 7919 * 13) % (SECONDS * RATE - 3000);
      const apart = difference(read(reader, at, 3000), stereoView(whole, at, at + 3000));
      assert(apart < (noise ? 0.15 : 1e-4), `${apart} apart from sample ${at} on`);
    }
  });
}

test('[R15] before the sound and after it there is silence, at any distance', async () => {
  await using reader = await opened(wavFile([samplesOf(RATE, () => 0.5)], RATE));
  assert.deepEqual(levels(read(reader, -100, 200).left), { first: 0, last: 0.5 });
  assert.deepEqual(levels(read(reader, RATE - 100, 200).left), { first: 0.5, last: 0 });
  assert.deepEqual(levels(read(reader, 3600 * RATE, 200).left), { first: 0, last: 0 });
  assert.deepEqual(levels(read(reader, -3600 * RATE, 200).left), { first: 0, last: 0 });
  assert.deepEqual(levels(read(reader, 0, 200).left), { first: 0.5, last: 0.5 });
});

test('[R16] sound that starts before or after the picture keeps its distance', async () => {
  for (const delaySeconds of [0.5, -0.3]) {
    const sound = { seconds: 4, delaySeconds, bursts: [1, 2, 3] };
    for (const container of ['mp4', 'matroska']) {
      const { file } = await makeClip({ frames: 120, width: 64, height: 64, firstSeconds: 10, container, sound });
      await using input = await openInput(file, DEFAULT_MEDIA_LIMITS);
      const pictureAt = 10 - presentationStart(input) / 1e6;
      await using reader = await opened(file);
      const found = findBursts(read(reader, 0, 5 * RATE).left, RATE);
      assert.equal(found.length, 3);
      for (const [n, at] of found.entries()) {
        assert(Math.abs(at - (n + 1 + pictureAt)) < 0.0015, `${container}: burst at ${at}, picture from ${pictureAt}`);
      }
    }
  }
});

test('[R15] mono plays on both sides at its own level', async () => {
  await using reader = await opened(wavFile([samplesOf(RATE, tone(1000, 0.8))]));
  const { left, right } = read(reader, 1000, 4800);
  assert(Math.abs(peak(left) - 0.8) < 1e-3);
  assert.deepEqual(left, right);
});

test('[R15] six channels are mixed down to two: centre and surrounds 3 dB down, no bass channel', async () => {
  const heard: [number, number][] = [];
  for (let channel = 0; channel < 6; channel++) {
    const channels = Array.from({ length: 6 }, (_, n) => samplesOf(RATE, n === channel ? tone(1000, 0.5) : () => 0));
    await using reader = await opened(wavFile(channels));
    const { left, right } = read(reader, 1000, 4800);
    heard.push([Number(peak(left).toFixed(3)), Number(peak(right).toFixed(3))]);
  }
  const [frontLeft, frontRight, centre, bass, backLeft, backRight] = heard;
  assert.deepEqual(frontLeft, [0.5, 0]);
  assert.deepEqual(frontRight, [0, 0.5]);
  assert.deepEqual(centre, [0.354, 0.354]);
  assert.deepEqual(bass, [0, 0]);
  assert.deepEqual(backLeft, [0.354, 0]);
  assert.deepEqual(backRight, [0, 0.354]);
});

test('[C19] a file without sound gives no reader', async () => {
  const { file } = await makeClip({ frames: 5, width: 64, height: 64 });
  assert.equal(await SoundReader.open(file, DEFAULT_MEDIA_LIMITS), null);
});

async function opened(file: string): Promise<SoundReader> {
  const reader = await SoundReader.open(file, DEFAULT_MEDIA_LIMITS);
  assert(reader !== null);
  return reader;
}

function read(reader: SoundReader, at: number, count: number): Stereo {
  const sound = silentStereo(count);
  for (let from = 0; from < count; from += 1000) {
    reader.read(at + from, stereoView(sound, from, Math.min(count, from + 1000)));
  }
  return sound;
}

function difference(a: Stereo, b: Stereo): number {
  let worst = 0;
  for (const side of ['left', 'right'] as const) {
    for (let i = 0; i < a[side].length; i++) worst = Math.max(worst, Math.abs(a[side][i]! - b[side][i]!));
  }
  return worst;
}

function levels(samples: Float32Array): { first: number; last: number } {
  return { first: samples[0]!, last: samples.at(-1)! };
}

function peak(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

for (const rate of [48_000, 44_100]) {
  test(`[H13] invalid sample values are silent, and the rest is unchanged, at ${rate} Hz`, async () => {
    const damage = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e30, -5000];
    const plain = samplesOf(rate, tone(1000));
    const damaged = plain.map((sample, n) => (n % 10_000 === 5000 ? damage[Math.floor(n / 10_000)]! : sample));
    const read = async (channel: Float32Array) => {
      await using reader = (await SoundReader.open(wavFile([channel, channel], rate), DEFAULT_MEDIA_LIMITS))!;
      const sound = silentStereo(RATE);
      reader.read(0, sound);
      return sound.left;
    };
    const [as, was] = [await read(damaged), await read(plain)];
    assert.ok(as.every((sample) => Math.abs(sample) <= 1000));
    const changed = as.filter((sample, n) => Math.abs(sample - was[n]!) > 1e-6).length;
    assert.ok(changed >= 3 && changed < 2000, `${changed} samples differ`);
  });
}
