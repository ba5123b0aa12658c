import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sample, timeLeftWords, withShare } from '../../src/studio/kit/time-left.ts';

/** Work that reaches these shares at these milliseconds. */
function samplesOf(...reached: readonly (readonly [ms: number, share: number])[]): readonly Sample[] {
  return reached.reduce<readonly Sample[]>((samples, [ms, share]) => withShare(samples, share, ms), []);
}

test('an upload shows the time left from its measured speed, and none before there is one', () => {
  const slow = [
    [0, 0],
    [5000, 0.1],
    [10_000, 0.2],
  ] as const;
  assert.equal(timeLeftWords(samplesOf(...slow.slice(0, 2)), 5000, null), null, 'too early to say');
  assert.equal(timeLeftWords(samplesOf(...slow), 10_000, null), 'About 40 s left.');
  // Without progress the estimate grows; the work does not become faster by waiting.
  assert.equal(timeLeftWords(samplesOf(...slow), 20_000, null), 'About 80 s left.');
  // A connection that became fast: only the last minute counts.
  const faster = samplesOf(...slow, [200_000, 0.3], [210_000, 0.7], [215_000, 0.9]);
  assert.equal(timeLeftWords(faster, 215_000, null), 'About 5 s left.');
});

test('the first steps of some work, which include its start, give no time', () => {
  const started = [
    [0, 0],
    [17_000, 0.01],
    [18_000, 0.07],
  ] as const;
  assert.equal(timeLeftWords(samplesOf(...started), 20_000, null), null);
  const steady = samplesOf(...[0, 1, 2, 3, 4].map((step) => [step * 5000, step * 0.01] as const));
  assert.equal(timeLeftWords(steady, 20_000, null), 'About 8 min left.');
});

test('captions show the time that they take usually, and the measured one once they take longer', () => {
  const usual = { seconds: 120, beganMs: 1000 };
  // Known from the start on, also while the service reports no progress.
  assert.equal(timeLeftWords([], 1000, usual), 'About 2 min left.');
  assert.equal(timeLeftWords(samplesOf([1000, 0.1]), 91_000, usual), 'About 30 s left.');
  const late = samplesOf([1000, 0], [100_000, 0.4], [130_000, 0.6]);
  assert.equal(timeLeftWords(late, 131_000, usual), 'About 65 s left.');
  assert.equal(timeLeftWords([], 131_000, usual), null, 'nothing was measured');
});
