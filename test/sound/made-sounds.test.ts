import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MADE_SOUND_CUES, type MadeSound } from '../../src/plan/model/audio-plan.ts';
import { madeSound } from '../../src/sound/made-sounds.ts';
import { SAMPLE_RATE } from '../../src/time.ts';
import { bandShare } from './band-energy.ts';

const NAMES = Object.keys(MADE_SOUND_CUES) as MadeSound[];
const MINUS_6_DB = 10 ** (-6 / 20);

function highest(signal: Float32Array): number {
  return signal.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

test('the share of a band equals that of its tones', () => {
  const tones = (...hertz: number[]) =>
    Float32Array.from({ length: SAMPLE_RATE }, (_, n) =>
      hertz.reduce((sum, each) => sum + Math.sin((2 * Math.PI * each * n) / SAMPLE_RATE), 0),
    );
  assert.ok(bandShare(tones(1000), SAMPLE_RATE, [200, 4000]) > 0.99);
  assert.ok(bandShare(tones(60), SAMPLE_RATE, [200, 4000]) < 0.01);
  assert.ok(Math.abs(bandShare(tones(60, 1000), SAMPLE_RATE, [200, 4000]) - 0.5) < 0.02);
});

for (const name of NAMES) {
  test(`[R29] ${name} is audible on a phone, peaks at −6 dBFS at most, and starts and ends without a click`, () => {
    const { left, right } = madeSound(name);
    for (const side of [left, right]) {
      assert.ok(bandShare(side, SAMPLE_RATE, [200, 4000]) > 0.7, 'most of it between 200 Hz and 4 kHz');
      assert.ok(highest(side) <= MINUS_6_DB, `${highest(side)}`);
      assert.ok(highest(side) > 0.1, 'it is heard');
      assert.ok(Math.abs(side[0]!) < 0.02 && Math.abs(side.at(-1)!) < 0.01, `${side[0]} … ${side.at(-1)}`);
    }
    assert.equal(left.length, Math.round(MADE_SOUND_CUES[name].seconds * SAMPLE_RATE));
  });
}

test('[R29] a whoosh is loudest at the instant of the take-off', () => {
  const { left, right } = madeSound('whoosh');
  const window = SAMPLE_RATE / 20;
  let loudest = { at: 0, level: 0 };
  for (let start = 0; start + window <= left.length; start += window / 10) {
    let level = 0;
    for (let i = start; i < start + window; i++) level += left[i]! ** 2 + right[i]! ** 2;
    if (level > loudest.level) loudest = { at: (start + window / 2) / SAMPLE_RATE, level };
  }
  assert.ok(Math.abs(loudest.at - MADE_SOUND_CUES.whoosh.meets) < 0.05, `${loudest.at}`);
});
