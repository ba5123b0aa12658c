import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SteadyRateStore } from '../../../src/http/limit-requests.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

function counted(store: SteadyRateStore, key: string): { current: number; ttl: number } {
  let reported: { current: number; ttl: number } | undefined;
  store.incr(
    key,
    (_error, result) => {
      reported = result;
    },
    MINUTE_MS,
  );
  return reported!;
}

for (const jumpMs of [0, -DAY_MS, DAY_MS]) {
  test(`[H30] a rate window ends after its minute, and not before, with the clock ${jumpMs} ms off`, (t) => {
    let passedMs = 1_000;
    t.mock.method(performance, 'now', () => passedMs);
    t.mock.timers.enable({ apis: ['Date'], now: 10 * DAY_MS });
    const store = new SteadyRateStore();
    assert.deepEqual(counted(store, 'a'), { current: 1, ttl: MINUTE_MS });
    t.mock.timers.setTime(10 * DAY_MS + jumpMs);
    passedMs += MINUTE_MS - 1;
    assert.deepEqual(counted(store, 'a'), { current: 2, ttl: 1 });
    assert.equal(counted(store, 'b').current, 1);
    passedMs += 1;
    assert.deepEqual(counted(store, 'a'), { current: 1, ttl: MINUTE_MS });
  });
}

test('[H22] ten thousand callers do not fill the memory, and an active caller is not forgotten', () => {
  const store = new SteadyRateStore();
  for (let i = 0; i < 10_000; i += 1) {
    counted(store, `caller ${i}`);
    counted(store, 'busy');
  }
  assert.equal(counted(store, 'busy').current, 10_001);
  assert.equal(counted(store, 'caller 1').current, 1);
});
