import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { type SoundSource, TimeStretch } from '../../../src/sound/dsp/time-stretch.ts';
import { samplesOf, tone } from '../../engine/sound/wav-file.ts';

const SECOND = 48_000;
const SPEEDS = [0.1, 0.25, 0.5, 0.8, 0.97, 1.03, 1.25, 1.5, 2, 3.7, 10];

for (const speed of SPEEDS) {
  test(`[C17] at ${speed} times its speed a sound keeps its pitch and its level`, () => {
    const length = Math.round(SECOND * Math.max(1, speed));
    for (const hz of [110, 440, 3000]) {
      const out = stretched(samplesOf(length, tone(hz, 0.5)), speed);
      const middle = out.subarray(out.length / 4, (out.length * 3) / 4);
      assert(Math.abs(pitch(middle) / hz - 1) < 0.005, `${hz} Hz became ${pitch(middle)}`);
      const level = Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length) * Math.SQRT2;
      assert(Math.abs(level - 0.5) < 0.02, `${hz} Hz: level ${level}`);
    }
  });

  test(`[R15] at ${speed} times its speed every onset lands within a millisecond`, () => {
    for (const noise of [0, 0.02]) {
      const gap = noise === 0 ? 0.5 * SECOND : 22_345;
      const samples = samplesOf(6 * SECOND, (n) => {
        const into = n % gap;
        return (
          (into < 4800 ? 0.5 * Math.cos((2 * Math.PI * 1000 * into) / SECOND) : 0) + noise * Math.sin(n * n * 12.9898)
        );
      });
      const out = stretched(samples, speed);
      for (let burst = 0; burst < 12; burst++) {
        const due = Math.round((burst * gap) / speed);
        const found = onsetAfter(out, due - Math.round((0.25 * gap) / speed));
        assert(Math.abs(found - due) <= 48, `burst ${burst} due at ${due} came at ${found} (noise ${noise})`);
      }
    }
  });
}

for (const speed of SPEEDS) {
  test(`[R15] at ${speed} times its speed a sound that stops ends within a millisecond, without an echo`, () => {
    const waves = { tone: tone(440), hiss: (n: number) => 0.5 * Math.sin(n * n * 12.9898) };
    for (const [name, wave] of Object.entries(waves)) {
      for (const seconds of [0.4, 0.63]) {
        const end = Math.round(SECOND * seconds * Math.max(1, speed));
        const out = stretched(
          samplesOf(end + Math.ceil(0.3 * SECOND * speed), (n) => (n < end ? wave(n) : 0)),
          speed,
        );
        const due = Math.round(end / speed);
        const heard = out.findLastIndex((value) => Math.abs(value) > 0.02) + 1;
        assert(Math.abs(heard - due) <= 48, `${name} due to end at ${due} ended at ${heard}`);
      }
    }
  });
}

test('[R15] the result does not depend on how it is requested', () => {
  const samples = samplesOf(SECOND, (n) => tone(300 + (n % 7000), 0.4)(n));
  assert.deepEqual(stretched(samples, 1.3, 17), stretched(samples, 1.3, 5000));
});

test('[C17] a sound without onsets is not kept in memory', () => {
  const before = heldBytes();
  const stretch = new TimeStretch(0, 600 * SECOND, 1_250_000);
  const part = silentStereo(SECOND);
  const wave = tone(440, 0.3);
  const source: SoundSource = {
    read(at, into) {
      for (let i = 0; i < into.left.length; i++) into.left[i] = into.right[i] = wave(at + i);
    },
  };
  for (let second = 0; second < 100; second++) stretch.read(source, part);
  const held = heldBytes() - before;
  assert(held < 2_000_000, `${held} bytes`);
  stretch.read(source, part);
});

/** What typed arrays hold once the garbage is gone. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // Twice, since the first sweep goes on in the background.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Plays `samples` at `speed`, for as long as they last. */
function stretched(samples: Float32Array, speed: number, block = 1000): Float32Array {
  const stretch = new TimeStretch(0, samples.length, Math.round(speed * 1e6));
  const out = silentStereo(Math.round(samples.length / speed));
  const source: SoundSource = {
    read(at, into) {
      into.left.set(samples.subarray(at, at + into.left.length));
      into.right.set(samples.subarray(at, at + into.left.length));
    },
  };
  for (let at = 0; at < out.left.length; at += block) stretch.read(source, stereoView(out, at, at + block));
  return out.left;
}

/** Hertz by counting upward crossings of zero. */
function pitch(samples: Float32Array): number {
  let first = -1;
  let last = -1;
  let count = -1;
  for (let n = 1; n < samples.length; n++) {
    if (samples[n - 1]! >= 0 || samples[n]! < 0) continue;
    if (first < 0) first = n;
    last = n;
    count++;
  }
  return (count * SECOND) / (last - first);
}

function onsetAfter(samples: Float32Array, from: number): number {
  for (let n = Math.max(0, from); n < samples.length; n++) if (Math.abs(samples[n]!) > 0.25) return n;
  return Number.POSITIVE_INFINITY;
}
