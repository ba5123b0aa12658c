import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClip } from '../../fixtures/clips.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { audioPlan, clipAt, rendering } from './sound-plan.ts';

test('[R16] the track begins at 0 and lasts to the sample, whatever the length', async () => {
  const clip = await makeClip({ frames: 0, sound: { seconds: 3, codec: 'pcm_f32le' }, container: 'wav' });
  for (const length of [1, 1023, 1024, 1025, 48_000, 100_001]) {
    const { result, track } = await rendering(audioPlan([clipAt(0, length)]), [clip.file]);
    assert.equal(result.samples, length);
    assert.equal(track.firstAt, 0);
    assert.equal(track.left.length, length);
    assert.equal(track.toldLength, length);
    assert.equal(track.profile, 1, 'AAC-LC');
  }
});

test('[R15] tone onsets land within a millisecond', async () => {
  const clip = await makeClip({ frames: 0, sound: { seconds: 5 } });
  const { track } = await rendering(audioPlan([clipAt(12_345, 12_345 + 5 * 48_000)]), [clip.file]);
  const found = findBursts(track.left, 48_000);
  for (const second of [0, 1, 2, 3, 4])
    assert(Math.abs(found[second]! - (second + 12_345 / 48_000)) < 0.001 || second === 0, `${found}`);
});
