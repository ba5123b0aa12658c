import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ExclusiveRuns } from '../../src/exports/run/exclusive-runs.ts';

const { signal } = new AbortController();

test('[C35] an exclusive holder waits for all others, and blocks new ones', async () => {
  const exclusive = new ExclusiveRuns();
  const first = await exclusive.enter(signal);
  const second = await exclusive.enter(signal);
  const seen: string[] = [];
  const alone = second.becomeAlone(signal).then(() => seen.push('alone'));
  const third = exclusive.enter(signal).then((place) => {
    seen.push('third');
    return place;
  });
  await setImmediate();
  assert.deepEqual([seen, exclusive.isClosed], [[], true]);
  first[Symbol.dispose]();
  await alone;
  await setImmediate();
  assert.deepEqual(seen, ['alone']);
  second[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assert.deepEqual([seen, exclusive.isClosed], [['alone', 'third'], false]);
});

test('[C35] exclusive holders run one after the other', async () => {
  const exclusive = new ExclusiveRuns();
  const places = await Promise.all([0, 1, 2, 3].map(() => exclusive.enter(signal)));
  let alone = 0;
  let most = 0;
  await Promise.all(
    places.map(async (place) => {
      await place.becomeAlone(signal);
      most = Math.max(most, ++alone);
      await setImmediate();
      alone -= 1;
      place[Symbol.dispose]();
    }),
  );
  assert.equal(most, 1);
});

test('[C35] an exclusive waiter that gives up does not block others', async () => {
  const exclusive = new ExclusiveRuns();
  const first = await exclusive.enter(signal);
  const second = await exclusive.enter(signal);
  const stop = new AbortController();
  const waiting = second.becomeAlone(stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
  second[Symbol.dispose]();
  (await exclusive.enter(signal))[Symbol.dispose]();
  first[Symbol.dispose]();
});
