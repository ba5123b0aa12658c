import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { NoiseReducer } from '../../../src/engine/sound/noise-reducer.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { type Stereo, silentStereo } from '../../../src/sound/dsp/stereo.ts';
import { KeptSound } from '../../../src/sound/kept-sound.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { Random } from '../../hostile/random.ts';
import { samplesOf, tone } from './wav-file.ts';

const SECOND = 48_000;
const { signal } = new AbortController();

/** What a fan sounds like: more of the low than of the high. */
function fanNoise(count: number, db: number): Float32Array {
  const random = new Random(7);
  let low = 0;
  const noise = samplesOf(count, () => {
    const white = random.fraction() - 0.5;
    low = 0.95 * low + 0.05 * white;
    return white * 0.3 + low * 3;
  });
  const gain = 10 ** ((db - level(noise, 0, count)) / 20);
  return noise.map((sample) => sample * gain);
}

function plus(a: Float32Array, b: Float32Array): Stereo {
  const sum = a.map((sample, n) => sample + b[n]!);
  return { left: sum, right: sum.slice() };
}

function level(sound: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let n = Math.round(from); n < to; n++) sum += sound[n]! ** 2;
  return 10 * Math.log10(sum / (to - from) + 1e-12);
}

async function reduced(noisy: Stereo): Promise<Float32Array> {
  const trim = { start: 0, end: noisy.left.length };
  using reducer = await NoiseReducer.open(new KeptSound(noisy), trim, signal);
  assert.ok(reducer !== null);
  const out = silentStereo(trim.end);
  reducer.read(0, out);
  return out.left;
}

/** Bursts of a second, every other second. */
function bursts(seconds: number): Float32Array {
  const sound = tone(440, 0.2);
  return samplesOf(seconds * SECOND, (n) => (Math.floor(n / SECOND) % 2 === 1 ? sound(n) : 0));
}

test('[C80] steady noise is lowered by about 12 dB, and louder sound stays unchanged, to the sample', async () => {
  const noisy = plus(bursts(8), fanNoise(8 * SECOND, -45));
  const clean = await reduced(noisy);
  for (const second of [2, 4, 6]) {
    const [from, to] = [second * SECOND + 9600, (second + 1) * SECOND - 9600];
    const by = level(noisy.left, from, to) - level(clean, from, to);
    assert.ok(by > 9 && by < 16, `${by} dB less at ${second} s`);
  }
  for (const second of [1, 3, 5]) {
    const [from, to] = [second * SECOND + 4800, (second + 1) * SECOND - 4800];
    let farthest = 0;
    for (let n = from; n < to; n++) farthest = Math.max(farthest, Math.abs(clean[n]! - tone(440, 0.2)(n)));
    assert.ok(farthest < 0.03, `off by ${farthest} at ${second} s`);
  }
});

test('[C80] a read does not depend on earlier reads', async () => {
  const noisy = plus(bursts(8), fanNoise(8 * SECOND, -45));
  const whole = await reduced(noisy);
  using reducer = await NoiseReducer.open(new KeptSound(noisy), { start: 0, end: 8 * SECOND }, signal);
  for (const at of [300_000, 12_345, 310_000, 0]) {
    const part = silentStereo(5000);
    reducer!.read(at, part);
    assert.deepEqual(part.left, whole.slice(at, at + 5000), `at ${at}`);
  }
});

test('[C80] a sound without noise, and one without a pause, stay unchanged', async () => {
  const pure = { left: bursts(4), right: bursts(4) };
  assert.equal(await NoiseReducer.open(new KeptSound(pure), { start: 0, end: 4 * SECOND }, signal), null);
  const steady = plus(samplesOf(4 * SECOND, tone(440, 0.2)), fanNoise(4 * SECOND, -45));
  assert.equal(await NoiseReducer.open(new KeptSound(steady), { start: 0, end: 4 * SECOND }, signal), null);
});

const jfk = join(REAL_MEDIA, 'speech/jfk.flac');
const skip = existsSync(jfk) ? false : 'no jfk in the folder of real media';
for (const db of [-40, -32]) {
  test(`[C80] recorded speech over noise at ${db} dB: never louder, pauses quieter, no syllable lost`, {
    skip,
  }, async () => {
    await using reader = (await SoundReader.open(jfk, DEFAULT_MEDIA_LIMITS, signal))!;
    const speech = silentStereo(11 * SECOND);
    reader.read(0, speech);
    const noisy = plus(speech.left, fanNoise(11 * SECOND, db));
    const clean = await reduced(noisy);
    for (let at = 0.1; at < 10.8; at += 0.1) {
      const louder =
        level(clean, at * SECOND, (at + 0.1) * SECOND) - level(noisy.left, at * SECOND, (at + 0.1) * SECOND);
      assert.ok(louder < 0.5, `${louder} dB louder at ${at} s`);
    }
    const pause = level(noisy.left, 2.5 * SECOND, 3.1 * SECOND) - level(clean, 2.5 * SECOND, 3.1 * SECOND);
    assert.ok(pause > 8, `a pause is ${pause} dB quieter`);
    const words = JSON.parse(readFileSync(jfk.replace('.flac', '.json'), 'utf8')) as {
      w: string;
      t: number;
      e: number;
    }[];
    for (const { w, t, e } of words) {
      const lost = level(speech.left, t * SECOND, e * SECOND) - level(clean, t * SECOND, e * SECOND);
      assert.ok(lost < 3, `"${w}" is ${lost} dB quieter`);
    }
  });
}
