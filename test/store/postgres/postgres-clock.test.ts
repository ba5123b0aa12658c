import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore, PostgresClock } from '../../../src/store/postgres/postgres-store.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();
const DAY_MS = 86_400_000;

test('[H30] nodes use the clock of PostgreSQL: one whose own clock jumps has the same time as the others', async (t) => {
  const database = await fixture.open(t);
  const serversMs = async () => {
    const [row] = await database.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    );
    return row!.ms;
  };
  const real = Date.now;
  for (const offByMs of [2 * DAY_MS, -2 * DAY_MS]) {
    const store = await openPostgresStore(fixture.url, { onCancelled: () => {} });
    try {
      const jump = t.mock.method(Date, 'now', () => real() + offByMs);
      const [before, now, after] = [await serversMs(), store.now(), await serversMs()];
      jump.mock.restore();
      assert.ok(now > before - 1_000 && now < after + 1_000, `${now} is not between ${before} and ${after}`);
    } finally {
      await store.close();
    }
  }
});

test('[H30] a response that took long does not set the clock, unless it is the first', async (t) => {
  const serversMs = 1_800_000_000_000;
  let passedMs = 0;
  let delayMs = 4_000;
  t.mock.method(performance, 'now', () => passedMs);
  using clock = await PostgresClock.open({
    query: async <Row extends object>() => {
      const rows = [{ now_ms: serversMs + passedMs }] as unknown as Row[];
      passedMs += delayMs;
      return rows;
    },
    afterCommit: () => {},
  });
  const wrongByMs = () => clock.now() - (serversMs + passedMs);
  assert.equal(wrongByMs(), -2_000);
  delayMs = 10;
  await clock.ask();
  assert.equal(wrongByMs(), -5);
  delayMs = 4_000;
  await clock.ask();
  assert.equal(wrongByMs(), -5);
});
