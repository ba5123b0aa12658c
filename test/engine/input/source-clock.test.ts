import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import { SourceClock } from '../../../src/engine/input/source-clock.ts';
import { frames, micros, sourceElapsed } from '../../../src/time.ts';

test('[R5] a frame is due at exactly the microsecond that the planner rounds down to', () => {
  const rate = { num: 30_000, den: 1001 };
  const clock = new SourceClock({ num: 1, den: 30_000 }, micros(0));
  for (let n = 0; n < 200_000; n += 7) {
    const at = sourceElapsed(frames(n), rate, 1_000_000);
    assert(clock.isDue(clock.sourceTime(BigInt(n * 1001))!, at), `frame ${n}`);
    assert(!clock.isDue(clock.sourceTime(BigInt((n + 1) * 1001))!, at), `frame ${n + 1} too early`);
  }
});

test('source time counts from the origin; a missing timestamp gives none', () => {
  const clock = new SourceClock({ num: 1, den: 90_000 }, micros(1_400_000));
  assert.equal(clock.sourceTime(126_000n), 0);
  assert.equal(clock.sourceTime(216_000n), 1_000_000);
  assert.equal(clock.sourceTime(AV_NOPTS_VALUE), null);
});
