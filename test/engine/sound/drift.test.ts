import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { waveAt } from '../../../src/sound/dsp/interpolation.ts';
import { type Stereo, silentStereo } from '../../../src/sound/dsp/stereo.ts';
import { type Drift, driftingFile, toneAt } from './drifting-file.ts';

const RATE = 48_000;

/** `bend`: the sharpest turn of the wave that is not a click, given the codec and the tone. */
const DRIFTING: Readonly<Record<string, Drift & { readonly bend: number }>> = {
  'six minutes of ALAC in MOV, 100 ppm slow': {
    ...{ container: 'mov', codec: 'alac', sampleRate: 16_000, seconds: 360, ppm: 100, bend: 1e-4 },
  },
  'six minutes of FLAC in Matroska, 100 ppm fast': {
    ...{ container: 'matroska', codec: 'flac', sampleRate: 16_000, seconds: 360, ppm: -100, bend: 1e-4 },
  },
  'AAC in MP4, 400 ppm slow': {
    ...{ container: 'mp4', codec: 'aac', sampleRate: 48_000, seconds: 120, ppm: 400, bend: 5e-4 },
  },
  'Opus in WebM, 300 ppm fast, timestamps up to 4 ms off': {
    ...{ container: 'webm', codec: 'libopus', sampleRate: 48_000, seconds: 90, ppm: -300, jitter: 0.004, bend: 5e-4 },
  },
};

for (const [name, { bend, ...drift }] of Object.entries(DRIFTING)) {
  test(`[R21] ${name}: in step with its timestamps, without a gap, a cut or a click`, async () => {
    await using reader = (await SoundReader.open(await driftingFile(drift), DEFAULT_MEDIA_LIMITS))!;
    const stretch = 1 + drift.ppm / 1e6;
    const last = Math.floor(drift.seconds * stretch) - 2;
    const played = new Map<number, Float32Array>();
    let [before, beforeThat, worstLag, worstBend] = [Number.NaN, Number.NaN, 0, 0];
    for (let second = 1; second < last; second++) {
      const { left } = read(reader, second * RATE, RATE);
      for (let n = 0; n < left.length; n++) {
        const bent = Math.abs(left[n]! - 2 * before + beforeThat);
        if (bent > worstBend) worstBend = bent;
        beforeThat = before;
        before = left[n]!;
      }
      assert(Math.abs(power(left) - 0.125) < 0.01, `second ${second} has a power of ${power(left)}`);
      if (second % 7 !== 3) continue;
      played.set(second, left);
      worstLag = Math.max(worstLag, Math.abs(lagOf(left, (place) => toneAt((second + place / RATE) / stretch))));
    }
    assert(worstBend < bend, `the wave bends by ${worstBend}`);
    assert(worstLag < 0.0035, `it is off by ${worstLag} s`);

    for (const [second, expected] of [...played].reverse()) {
      const { left } = read(reader, second * RATE, RATE);
      const apart = left.reduce((most, value, n) => Math.max(most, Math.abs(value - expected[n]!)), 0);
      assert(
        apart < (drift.codec === 'alac' || drift.codec === 'flac' ? 1e-6 : 2e-3),
        `second ${second}: ${apart} apart`,
      );
    }
  });
}

test('[R21] sound without drift is returned as recorded, to the bit', async () => {
  for (const container of ['matroska', 'mov'] as const) {
    const codec = container === 'mov' ? 'alac' : 'flac';
    const file = await driftingFile({ container, codec, sampleRate: RATE, seconds: 20, ppm: 0 });
    await using reader = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
    for (const second of [0, 1, 7, 18, 3]) {
      const { left } = read(reader, second * RATE, RATE);
      const recorded = (n: number) => Math.round(toneAt(second + n / RATE) * 32_767) / 32_768;
      const apart = left.findIndex((value, n) => Math.abs(value - recorded(n)) > 1.6e-5);
      assert.equal(apart, -1, `${container}, second ${second}`);
    }
  }
});

test('values between samples follow the sampled wave', () => {
  const samples = Float32Array.from({ length: 400 }, (_, n) => Math.sin(n * 1.9));
  for (let place = 50; place < 350; place += 0.37) {
    const apart = Math.abs(waveAt(samples, place) - Math.sin(place * 1.9));
    assert(apart < 1e-4, `${apart} at ${place}`);
  }
  assert.equal(waveAt(samples, 7), samples[7]);
  assert.equal(waveAt(samples, -40.5), 0);
  assert.equal(waveAt(samples, 440.5), 0);
});

function read(reader: SoundReader, at: number, count: number): Stereo {
  const sound = silentStereo(count);
  reader.read(at, sound);
  return sound;
}

function power(samples: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < samples.length; n++) sum += samples[n]! * samples[n]!;
  return sum / samples.length;
}

/** How much later than expected a tone comes, in seconds, measured by its phase; up to half its 20 ms. */
function lagOf(samples: Float32Array, expected: (place: number) => number): number {
  const quarter = RATE / 200;
  let [along, across] = [0, 0];
  for (const [place, value] of samples.entries()) {
    along += value * expected(place);
    across += value * expected(place + quarter);
  }
  return Math.atan2(-across, along) / (2 * Math.PI * 50);
}
