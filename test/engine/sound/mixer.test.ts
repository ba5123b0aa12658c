import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { Mixer } from '../../../src/engine/sound/mixer.ts';
import type { AudioClip } from '../../../src/plan/model/audio-plan.ts';
import { type Stereo, silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { micros, samples } from '../../../src/time.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { Random } from '../../hostile/random.ts';
import { audioPlan, clipAt } from './sound-plan.ts';
import { samplesOf, tone, wavFile } from './wav-file.ts';

const SECOND = 48_000;
const EDGE = 240;

test('[R15] a clip fills its slot to the sample, and fades for 5 ms at both edges', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const { left } = await mixed([clipAt(1001, 9876)], [file], 12_000);
  assert.equal(left[1000], 0);
  assert.equal(left[9876], 0);
  assert(left[1001]! > 0 && left[1001]! < 0.002);
  assert(left[9875]! > 0 && left[9875]! < 0.002);
  for (let n = 0; n < EDGE; n++) {
    assert(Math.abs(left[1001 + n]! - (0.5 * (n + 0.5)) / EDGE) < 1e-6, `rising, sample ${n}`);
    assert(Math.abs(left[9875 - n]! - (0.5 * (n + 0.5)) / EDGE) < 1e-6, `falling, sample ${n}`);
  }
  for (let n = 1001 + EDGE; n < 9876 - EDGE; n++) assert.equal(left[n], 0.5);
});

test('[R15] adjacent clips neither skip nor share a sample', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const ends = [0, 3000, 3001, 7000, 7010, 20_000];
  const clips = ends.slice(1).map((end, n) => clipAt(ends[n]!, end));
  const { left } = await mixed(clips, [file], 21_000);
  for (let n = 0; n < 20_000; n++) assert(left[n]! > 0 && left[n]! <= 0.5, `sample ${n}: ${left[n]}`);
  assert.equal(left[20_000], 0);
});

test('[C16] a trim shorter than its slot ends in silence, without a click', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const { left } = await mixed(
    [clipAt(0, SECOND, { trim: { start: micros(0), end: micros(500_000) } })],
    [file],
    SECOND,
  );
  assert.equal(left[24_000 - EDGE - 1], 0.5);
  assert(left[23_999]! > 0 && left[23_999]! < 0.002);
  assert(left.subarray(24_000).every((sample) => sample === 0));
});

test('[C36] requested fades follow a sine over their length, in addition to those at the edges', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const fades = { fadeIn: samples(9600), fadeOut: samples(4800) };
  const { left } = await mixed([clipAt(0, SECOND, fades)], [file], SECOND);
  assert(Math.abs(left[4800]! - 0.5 * Math.sin(Math.PI / 4)) < 1e-3);
  assert(Math.abs(left[SECOND - 2400]! - 0.5 * Math.sin(Math.PI / 4)) < 1e-3);
  assert.equal(left[9600], 0.5);
  assert.equal(left[SECOND - 4801], 0.5);
  for (let n = 1; n < 9600; n++) assert(left[n]! >= left[n - 1]!, `rising, sample ${n}`);
});

test('[C17] volume is a gain, and at 0 nothing is read', async () => {
  const file = wavFile([samplesOf(SECOND, () => 0.2)]);
  const clips = [clipAt(0, 10_000, { gain: 4 }), clipAt(10_000, 20_000, { gain: 0, source: 99 })];
  const { left } = await mixed(clips, [file], 20_000);
  assert(Math.abs(left[5000]! - 0.8) < 1e-6);
  assert.equal(left[15_000], 0);
});

test('[C36] a loop repeats its trim to the sample and without a click', async () => {
  const file = wavFile([samplesOf(SECOND, tone(441))]);
  const trim = { start: micros(100_000), end: micros(350_000) };
  const { left } = await mixed([clipAt(0, 2 * SECOND, { loop: true, trim })], [file], 2 * SECOND);
  const from = 4800;
  const period = 12_000;
  for (let n = EDGE; n < 2 * SECOND - EDGE; n++) {
    const into = n % period;
    if (n >= period && into < EDGE) continue;
    assert(Math.abs(left[n]! - tone(441)(from + into)) < 1e-5, `sample ${n}`);
  }
  // 441 Hz does not fit the trim: the seam would step by half the tone's height.
  const steepest = (2 * Math.PI * 441 * 0.5) / SECOND;
  for (let n = 1; n < left.length; n++)
    assert(Math.abs(left[n]! - left[n - 1]!) < 2 * steepest, `a step at sample ${n}`);
});

test('[C36] a loop that fits is unchanged at its seams', async () => {
  const file = wavFile([samplesOf(SECOND, tone(440))]);
  const trim = { start: micros(0), end: micros(1_000_000) };
  const { left } = await mixed([clipAt(0, 3 * SECOND, { loop: true, trim })], [file], 3 * SECOND);
  for (let n = EDGE; n < 3 * SECOND - EDGE; n++) assert(Math.abs(left[n]! - tone(440)(n)) < 2e-3, `sample ${n}`);
});

test('[R15] the mix is a plain sum, in blocks of any size', async () => {
  const file = wavFile([samplesOf(SECOND, tone(440, 0.3)), samplesOf(SECOND, tone(550, 0.3))]);
  const clips = Array.from({ length: 50 }, (_, n) => clipAt(n * 100, 20_000 + n * 300));
  const one = await mixed(clips, [file], 40_000, 777);
  const other = await mixed(clips, [file], 40_000, 16_384);
  assert.deepEqual(one, other);
  const alone = await mixed(clips.slice(0, 1), [file], 40_000);
  const same = await mixed([clips[0]!, clips[0]!, clips[0]!], [file], 40_000);
  for (let n = 0; n < 20_000; n++) assert(Math.abs(same.left[n]! - 3 * alone.left[n]!) < 1e-6);
});

test('[R15] more clips at once than the limit of open files are still heard, each at its own time', async () => {
  const file = wavFile([samplesOf(2 * SECOND, (n) => n / (2 * SECOND))]);
  const clips = Array.from({ length: 70 }, (_, n) =>
    clipAt(0, 6000, { gain: 0.01, trim: { start: micros(n * 10_000), end: micros(2_000_000) } }),
  );
  const { left } = await mixed(clips, [file], 6000, 3000);
  const expected = clips.reduce((sum, { trim }) => sum + 0.01 * ((trim.start / 1e6) * SECOND + 3500), 0) / (2 * SECOND);
  assert(Math.abs(left[3500]! - expected) < 1e-4);
});

test('[R15] onsets are on time after an hour of 1,800 cuts, and the cost depends on what sounds', async () => {
  const { file } = await makeClip({
    frames: 0,
    container: 'flac',
    sound: { seconds: 12, sampleRate: 44_100, codec: 'flac' },
  });
  const frame = 1601.6; // samples a frame at 29.97: no cut is on a whole second
  const clips = Array.from({ length: 1800 }, (_, n) =>
    clipAt(Math.round(n * 60 * frame), Math.round((n + 1) * 60 * frame), {
      trim: { start: micros(((n * 7) % 9) * 1_000_000 + 500_000), end: micros(12_000_000) },
    }),
  );
  await using mixer = mixerOf(clips, [file]);
  const total = clips.at(-1)!.slot.end;
  const bus = silentStereo(Math.round(60 * frame) + 1);
  for (let n = 0; n < clips.length; n++) {
    const { start, end } = clips[n]!.slot;
    const block = stereoView(bus, 0, end - start);
    block.left.fill(0);
    block.right.fill(0);
    await mixer.addTo(block, start);
    const found = findBursts(block.left, SECOND);
    assert.equal(found.length, 2, `cut ${n}: ${found}`);
    for (const [k, at] of found.entries()) assert(Math.abs(at - (k + 0.5)) < 0.001, `cut ${n}, onset ${k} at ${at}`);
  }
  assert.equal(total, Math.round(3603.6 * SECOND));
});

test('[C45] the sound of a tile starts at its sample, and other sounds are lowered by 6 dB for its length, smoothly', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const under = clipAt(0, 4 * SECOND);
  const tile = {
    lane: 'tier_tiles',
    bus: 'tile',
    source: 'impact',
    trim: { start: micros(0), end: micros(800_000) },
  } as const;
  const [from, to] = [SECOND + 7, SECOND + 7 + 38_400];
  const alone = await mixed([clipAt(from, to, tile)], [file], 4 * SECOND);
  const { left } = await mixed([under, clipAt(from, to, tile)], [file], 4 * SECOND);
  assert.equal(
    alone.left.findIndex((sample) => sample !== 0),
    from,
  );
  // Without the tile's own sound, what is left is the other's level.
  const level = (n: number) => (left[n]! - alone.left[n]!) / 0.5;
  const decibels = (n: number) => 20 * Math.log10(level(n));
  for (let n = from; n < to; n += 50) assert(Math.abs(decibels(n) + 6) < 0.05, `sample ${n}: ${decibels(n)} dB`);
  assert(Math.abs(level(from - 0.04 * SECOND) - 1) < 1e-4 && Math.abs(level(to + 0.2 * SECOND) - 1) < 1e-4);
  for (let n = EDGE; n < 3.9 * SECOND; n++) assert(Math.abs(level(n + 1) - level(n)) < 1e-3, `a step at ${n}`);
});

test('[C57] a tile does not lower voice', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const tile = clipAt(SECOND, 2 * SECOND, { lane: 'tier_tiles', bus: 'tile', source: 'impact' });
  const alone = await mixed([tile], [file], 3 * SECOND);
  const { left } = await mixed([clipAt(0, 3 * SECOND, { bus: 'voice' }), tile], [file], 3 * SECOND);
  for (let n = EDGE; n < 2.9 * SECOND; n += 100)
    assert(Math.abs(left[n]! - alone.left[n]! - 0.5) < 1e-6, `sample ${n}`);
});

test('[C80] the level is linear in decibels between volume points, and constant before and after them', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const volumePoints = [
    { at: samples(SECOND), gain: 1 },
    { at: samples(2 * SECOND), gain: 0.1 },
    { at: samples(3 * SECOND), gain: 0 },
  ];
  const { left } = await mixed([clipAt(0, 4 * SECOND, { volumePoints, gain: 2 })], [file], 4 * SECOND);
  const decibels = (seconds: number) => 20 * Math.log10(left[seconds * SECOND]!);
  for (const [at, db] of [
    [0.5, 0],
    [1, 0],
    [1.5, -10],
    [2, -20],
    [2.5, -40],
    [3, -60],
    [3.5, -60],
  ] as const) {
    assert(Math.abs(decibels(at) - db) < 0.01, `${decibels(at)} dB at ${at} s`);
  }
});

test('[C80] only clips that ask for it get noise reduction', async () => {
  const sound = tone(440, 0.2);
  const random = new Random(3);
  const noisy = samplesOf(
    6 * SECOND,
    (n) => (n % (2 * SECOND) < SECOND ? sound(n) : 0) + 0.01 * (random.fraction() - 0.5),
  );
  const file = wavFile([noisy]);
  const trim = { start: micros(0), end: micros(6_000_000) };
  const power = async (denoise: boolean) => {
    const { left } = await mixed([clipAt(0, 6 * SECOND, { trim, denoise })], [file], 6 * SECOND);
    return left.slice(3.2 * SECOND, 3.8 * SECOND).reduce((sum, sample) => sum + sample ** 2, 0);
  };
  const by = 10 * Math.log10((await power(false)) / (await power(true)));
  assert(by > 9, `${by} dB`);
});

test('[C80] more clips with noise reduction than the limit of open files sound like one', async () => {
  const random = new Random(3);
  const file = wavFile([
    samplesOf(SECOND, (n) => (n < 12_000 ? tone(440, 0.2)(n) : 0) + 0.01 * (random.fraction() - 0.5)),
  ]);
  const clip = clipAt(0, SECOND, { trim: { start: micros(0), end: micros(1_000_000) }, denoise: true });
  const one = await mixed([clip], [file], SECOND);
  const many = Array.from({ length: 34 }, () => ({ ...clip, gain: 1 / 34 }));
  const { left } = await mixed(many, [file], SECOND, 8192);
  for (const [n, sample] of left.entries()) assert(Math.abs(sample - one.left[n]!) < 1e-5, `sample ${n}`);
});

test('[C45] two tiles at once lower the rest no more than one; a louder tile is louder itself', async () => {
  const file = wavFile([samplesOf(10 * SECOND, () => 0.5)]);
  const pop = {
    lane: 'tier_tiles',
    bus: 'tile',
    source: 'pop',
    trim: { start: micros(0), end: micros(160_000) },
  } as const;
  const tiles = [clipAt(SECOND, SECOND + 7680, pop), clipAt(SECOND + 2000, SECOND + 9680, { ...pop, gain: 2 })];
  const [both, alone] = [
    await mixed([clipAt(0, 2 * SECOND), ...tiles], [file], 2 * SECOND),
    await mixed(tiles, [file], 2 * SECOND),
  ];
  const rest = both.left[SECOND + 5000]! - alone.left[SECOND + 5000]!;
  assert(Math.abs(20 * Math.log10(rest / 0.5) + 6) < 0.05);
});

async function mixed(
  clips: readonly AudioClip[],
  files: readonly string[],
  length: number,
  block = 1024,
): Promise<Stereo> {
  await using mixer = mixerOf(clips, files);
  const bus = silentStereo(length);
  for (let at = 0; at < length; at += block) await mixer.addTo(stereoView(bus, at, at + block), at);
  return bus;
}

function mixerOf(clips: readonly AudioClip[], files: readonly string[]): Mixer {
  return new Mixer(audioPlan(clips), [], new Map(files.entries()), DEFAULT_MEDIA_LIMITS, new AbortController().signal);
}
