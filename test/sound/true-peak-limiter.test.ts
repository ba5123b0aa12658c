import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateConverter } from '../../src/engine/sound/rate-converter.ts';
import { OVERSAMPLING, type Oversampler, PlainOversampler } from '../../src/sound/dsp/oversampler.ts';
import { type Stereo, silentStereo, stereoView } from '../../src/sound/dsp/stereo.ts';
import { CEILING, TruePeakLimiter } from '../../src/sound/true-peak-limiter.ts';
import { samplesOf, tone } from '../engine/sound/wav-file.ts';

const SECOND = 48_000;

test('[R15] sound below the ceiling passes bit for bit, however it is split', () => {
  const sound = { left: samplesOf(SECOND, tone(997, 0.8)), right: samplesOf(SECOND, tone(61, 0.83)) };
  for (const block of [1, 100, 1024, SECOND]) {
    const { out, peak } = limited(sound, block);
    assert.deepEqual(out, sound);
    assert(Math.abs(peak - 0.83) < 0.005);
  }
});

const LOUD: Readonly<Record<string, (n: number) => number>> = {
  'a tone four times too loud': tone(997, 4),
  'a high tone whose peaks lie between the samples': (n) => Math.sin((Math.PI / 2) * n + Math.PI / 4) * 1.2,
  'bursts out of silence': (n) => (n % 12_000 < 2400 ? tone(1000, 3)(n) : 0),
  'single clicks': (n) => (n % 5000 === 2500 ? 8 : 0),
  'a square wave': (n) => (Math.sin((2 * Math.PI * 110 * n) / SECOND) > 0 ? 1.5 : -1.5),
  'forty tones at once, up to 20 kHz': (n) => {
    let sum = 0;
    for (let k = 1; k <= 40; k++) sum += Math.sin((2 * Math.PI * 500 * k * n) / SECOND + k * k * 12.9898);
    return sum;
  },
};

for (const [name, valueAt] of Object.entries(LOUD)) {
  test(`[R15] ${name}: no true peak above −1.5 dB`, () => {
    const samples = samplesOf(SECOND, valueAt);
    const { out, peak } = limited({ left: samples, right: samplesOf(SECOND, (n) => 0.1 * valueAt(n)) }, 1024);
    assert.equal(out.left.length, SECOND);
    assert.equal(peak, CEILING);
    const reached = 20 * Math.log10(truePeak(out.left));
    // Fourfold oversampling, which defines true peak, reads high tones up to a fifth of a decibel low.
    assert(reached < -1.3, `${reached.toFixed(2)} dBTP`);
    assert(reached > -4, `needlessly low: ${reached.toFixed(2)} dBTP`);
  });
}

test('[R15] a peak is limited at its sample after any length of soft sound, which is not oversampled', () => {
  const loud = (n: number) => (n % 9000 < 1500 ? tone(997, 3)(n) : tone(331, 0.2)(n));
  const sound = { left: samplesOf(SECOND, loud), right: samplesOf(SECOND, tone(61, 0.1)) };
  const small = limited(sound, 37);
  const large = limited(sound, 500);
  // Buffers of 37 samples are too short to be skipped.
  assert.deepEqual(large.out, small.out);
  assert(20 * Math.log10(truePeak(large.out.left)) < -1.3);
});

test('[R15] both channels are lowered equally, and the level returns after a peak', () => {
  const left = samplesOf(2 * SECOND, (n) => (n > 20_000 && n < 20_480 ? tone(1000, 4)(n) : tone(1000, 0.5)(n)));
  const right = samplesOf(2 * SECOND, tone(1000, 0.5));
  const { out } = limited({ left, right }, 2048);
  for (let n = 1000; n < left.length; n += 777) {
    if (Math.abs(left[n]!) < 0.01 || Math.abs(right[n]!) < 0.01) continue;
    assert(Math.abs(out.left[n]! / left[n]! - out.right[n]! / right[n]!) < 1e-5, `sample ${n}`);
  }
  assert.deepEqual(out.left.subarray(0, 19_000), left.subarray(0, 19_000));
  assert(out.right[20_252]! !== right[20_252]!, 'the right side yields with the left one');
  const later = stereoView(out, 2 * SECOND - 4800, 2 * SECOND).right;
  assert(Math.abs(later.reduce((most, value) => Math.max(most, value), 0) - 0.5) < 1e-3);
});

test('[R15] limits with the oversampler of browsers as with that of the service', () => {
  // libswresample mirrors the first samples, and a browser begins with silence.
  const fromSilence = (name: string) => samplesOf(SECOND, (n) => (n < 100 ? 0 : LOUD[name]!(n)));
  const sound = { left: fromSilence('forty tones at once, up to 20 kHz'), right: fromSilence('bursts out of silence') };
  const [service, browser] = [limited(sound, 1024), limited(sound, 1024, () => new PlainOversampler())];
  assert.equal(browser.peak, service.peak);
  for (const side of ['left', 'right'] as const) {
    const apart = service.out[side].reduce(
      (most, value, n) => Math.max(most, Math.abs(value - browser.out[side][n]!)),
      0,
    );
    assert(apart < 1e-4, `${apart} apart`);
  }
});

/** As the service raises the rate. */
function converter(): Oversampler {
  return new RateConverter(SECOND, OVERSAMPLING * SECOND);
}

function limited(sound: Stereo, block: number, oversampler = converter): { out: Stereo; peak: number } {
  using limiter = new TruePeakLimiter(oversampler);
  const out = silentStereo(sound.left.length);
  let at = 0;
  const take = (part: Stereo) => {
    out.left.set(part.left, at);
    out.right.set(part.right, at);
    at += part.left.length;
  };
  for (let from = 0; from < sound.left.length; from += block)
    take(limiter.process(stereoView(sound, from, from + block)));
  take(limiter.flush());
  assert.equal(at, sound.left.length);
  return { out, peak: limiter.peak };
}

/** For each eighth between two samples, a sinc of 64 taps under a Hann window. */
const KERNELS = Array.from({ length: 8 }, (_, step) =>
  Float64Array.from({ length: 64 }, (_, tap) => {
    const x = tap - 31 - step / 8;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / 33));
  }),
);

/** The highest value of the wave at eight points between samples. */
function truePeak(samples: Float32Array): number {
  let peak = 0;
  for (let n = 32; n < samples.length - 32; n++) {
    for (const kernel of KERNELS) {
      let value = 0;
      for (let tap = 0; tap < 64; tap++) value += samples[n - 31 + tap]! * kernel[tap]!;
      peak = Math.max(peak, Math.abs(value));
    }
  }
  return peak;
}
