import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { AacEncoder } from '../../../src/engine/sound/aac-encoder.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { samplesOf, tone } from './wav-file.ts';

const SECOND = 48_000;

/** Whether the fast search accepts its own result for a sound. */
function isFaithful(valueAt: (n: number) => number): boolean {
  using encoder = new AacEncoder(join(clipFolder(), 'checked.mp4'), 192, 'fast');
  const samples = samplesOf(2 * SECOND, valueAt);
  encoder.write({ left: samples, right: samples });
  encoder.finish();
  return encoder.faithful;
}

/** Loud for an eighth of a second, then soft for as long, repeatedly: the check restarts each time. */
const inBursts = (loud: (n: number) => number) => (n: number) => (n % 12_000 < 6000 ? loud(n) : tone(440, 0.05)(n));

test('[R16] a loud tone that the fast search clips is detected, also right after soft sound', () => {
  assert.equal(isFaithful(tone(110, 0.85)), false);
  assert.equal(isFaithful(inBursts(tone(110, 0.85))), false);
});

test('[R16] there is no alarm for sound that swells and fades, nor for a soft tone', () => {
  const choir = (n: number) => [220, 331, 447, 580, 1210, 1733].reduce((sum, hz) => sum + tone(hz, 0.2)(n), 0);
  const swelling = (n: number) => choir(n) * Math.sin((Math.PI * n) / 12_000) ** 2;
  assert.equal(isFaithful(swelling), true);
  assert.equal(isFaithful(tone(110, 0.2)), true);
});
