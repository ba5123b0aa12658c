import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoudnessMeter } from '../../../src/sound/dsp/loudness-meter.ts';
import { samplesOf, tone } from '../../engine/sound/wav-file.ts';

const SECOND = 48_000;

/** The cases of EBU Tech 3341 that stereo can show: tones at a level for a time, and the loudness a meter must read. */
const CASES: readonly { name: string; steps: readonly (readonly [dbfs: number, seconds: number])[]; lufs: number }[] = [
  { name: 'case 1', steps: [[-23, 20]], lufs: -23 },
  { name: 'case 2', steps: [[-33, 20]], lufs: -33 },
  {
    name: 'case 3',
    steps: [
      [-36, 10],
      [-23, 60],
      [-36, 10],
    ],
    lufs: -23,
  },
  {
    name: 'case 4',
    steps: [
      [-72, 10],
      [-36, 10],
      [-23, 60],
      [-36, 10],
      [-72, 10],
    ],
    lufs: -23,
  },
  {
    name: 'case 5',
    steps: [
      [-26, 20],
      [-20, 20.1],
      [-26, 20],
    ],
    lufs: -23,
  },
];

for (const { name, steps, lufs } of CASES) {
  test(`[R15] EBU Tech 3341 ${name} reads ${lufs} LUFS`, () => {
    const meter = new LoudnessMeter();
    for (const [dbfs, seconds] of steps) {
      const samples = samplesOf(Math.round(seconds * SECOND), tone(1000, 10 ** (dbfs / 20)));
      for (let at = 0; at < samples.length; at += 3000) {
        const part = samples.subarray(at, at + 3000);
        meter.push({ left: part, right: part });
      }
    }
    assert(Math.abs(meter.integrated()! - lufs) <= 0.1, `${meter.integrated()}`);
  });
}

test('[R15] silence and the shortest sounds have no loudness', () => {
  const meter = new LoudnessMeter();
  assert.equal(meter.integrated(), null);
  const silence = samplesOf(SECOND, () => 0);
  meter.push({ left: silence, right: silence });
  assert.equal(meter.integrated(), null);
});

test('[R15] EBU Tech 3341 case 9: the loudness of the last three seconds stays at -23 LUFS', () => {
  const meter = new LoudnessMeter();
  assert.equal(meter.shortTerm(), null);
  const samples = [samplesOf(1.34 * SECOND, tone(1000, 0.1)), samplesOf(1.66 * SECOND, tone(1000, 10 ** (-30 / 20)))];
  for (let turn = 0; turn < 10; turn += 1) {
    const part = samples[turn % 2]!;
    meter.push({ left: part, right: part });
    if (turn >= 1) assert(Math.abs(meter.shortTerm()! + 23) <= 0.1, `${turn}: ${meter.shortTerm()}`);
  }
  const silence = samplesOf(4 * SECOND, () => 0);
  meter.push({ left: silence, right: silence });
  assert.equal(meter.shortTerm(), null);
});
