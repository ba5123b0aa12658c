import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VoiceResampler } from '../../src/studio/media/voice-resampler.ts';

/** Two channels of a tone, in pieces of odd lengths. */
function resampled(rate: number, from = 0): Float32Array {
  const made: number[] = [];
  const sound = new VoiceResampler((piece) => made.push(...piece));
  const tone = Float32Array.from({ length: rate }, (_, n) => Math.sin((2 * Math.PI * 200 * n) / rate));
  for (let at = 0; at < rate; at += 1023) {
    const piece = tone.subarray(at, at + 1023);
    sound.push([piece, piece.map((value) => value * 0.5)], rate, from + at / rate);
  }
  return Float32Array.from(made);
}

for (const rate of [8000, 16_000, 22_050, 44_100, 48_000, 96_000]) {
  test(`a second at ${rate} Hz is a second at 16 kHz, of the same tone in one channel`, () => {
    const made = resampled(rate);
    assert.ok(Math.abs(made.length - 16_000) <= 1, `${made.length} samples`);
    for (let n = 16; n < made.length - 16; n += 1) {
      // The mean over a sample is half a sample late.
      const expected = 0.75 * Math.sin((2 * Math.PI * 200 * (n + 0.5 - 8000 / rate)) / 16_000);
      assert.ok(Math.abs(made[n]! - expected) < 0.06, `sample ${n}: ${made[n]} and not ${expected}`);
    }
  });
}

test('sound that begins later has silence before it', () => {
  const made = resampled(48_000, 2);
  assert.ok(Math.abs(made.length - 48_000) <= 1);
  assert.ok(made.subarray(0, 32_000).every((value) => value === 0));
});
