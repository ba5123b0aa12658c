import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { seen } from '../service/export-client.ts';
import { uncancelled } from '../uncancelled.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JUMPS = {
  'an hour forward': HOUR_MS,
  'an hour back': -HOUR_MS,
  'two days forward': 2 * DAY_MS,
  'two days back': -2 * DAY_MS,
  'ten years forward': 3650 * DAY_MS,
  'ten years back': -3650 * DAY_MS,
} as const;
const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };
const POLICY = { prerender: 'selected', retentionMs: DAY_MS } as const;

/** A manual clock of the machine until the test ends; the returned function sets it. */
function takeClock(t: TestContext): (jumpMs: number) => void {
  const real = Date.now;
  let offByMs = 0;
  t.mock.method(Date, 'now', () => real() + offByMs);
  return (jumpMs) => {
    offByMs += jumpMs;
  };
}

function submit(exports: ExportsFixture, other: { idempotencyKey?: string; callbackUrl?: string } = {}) {
  return exports.api.submit(exports.submission(TEXT_ONLY, {}, other), uncancelled);
}

for (const [jump, ms] of Object.entries(JUMPS)) {
  test(`[C9, C35, H30] the clock jumps ${jump}: no lease, key or file is lost, and what waits is due`, async (t) => {
    const setClock = takeClock(t);
    await using exports = await ExportsFixture.open(POLICY);
    const { jobs } = exports.ports;
    const { id } = await submit(exports, { idempotencyKey: 'k' });
    const held = await jobs.claim();
    assert.ok(held !== null);
    setClock(ms);

    assert.notEqual((await jobs.claim())?.job.id, held.job.id, 'its lease runs on');
    assert.ok(await jobs.heartbeat(held), 'the worker keeps its lease');
    await jobs.release(held);
    assert.equal((await jobs.claim())?.job.id, held.job.id, 'what is given back is due at once');
    await exports.parts.removals.expire();
    assert.equal(await exports.parts.orphans.sweep(3_600_000), 0);
    assert.deepEqual(await submit(exports, { idempotencyKey: 'k' }), { id, created: false });
    assert.equal((await exports.api.get('default', id))?.state, 'queued');
  });
}

test('[C35, H30] jumps during a render, both ways: the export completes, and its progress is reported throughout', async (t) => {
  const setClock = takeClock(t);
  await using exports = await ExportsFixture.open(POLICY);
  const { id } = await submit(exports);
  exports.startWorker();
  let back = true;
  for await (const { state } of exports.api.follow(id, uncancelled)) {
    setClock(back ? -DAY_MS : 2 * DAY_MS);
    back = !back;
    if (state === 'failed') break;
  }
  assert.equal((await exports.api.get('default', id))?.state, 'completed', exports.logged.join('\n'));
});

test('[C35, H30] a paused job is due after a start with the clock set back', async () => {
  const ahead = () => Date.now() + DAY_MS;
  const first = await ExportsFixture.open(POLICY, undefined, ({ database }) => ({
    jobs: new SqliteJobQueue(database, { now: ahead }),
  }));
  await submit(first);
  const { jobs, database } = first.ports;
  const waiting = [(await jobs.claim())!, (await jobs.claim())!];
  for (const attempt of waiting) await database.transaction((tx) => jobs.fail(attempt, 'it broke', false, tx));
  await first.stop();

  await using second = await ExportsFixture.open(POLICY, first.folder);
  assert.equal((await second.ports.jobs.claim())?.job.id, waiting[0]!.job.id);
});

for (const [jump, ms] of Object.entries(JUMPS)) {
  test(`[C37, H30] the clock jumps ${jump} between two tries of a webhook: it is delivered within an hour`, async (t) => {
    const setClock = takeClock(t);
    const tries: string[] = [];
    const server = createServer((request, response) => {
      tries.push(String(request.headers['webhook-id']));
      response.writeHead(tries.length === 1 ? 500 : 204).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    t.after(() => server.close());
    const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // A service that starts again has the new time in its queue.
    await using exports = await ExportsFixture.open(POLICY, undefined, ({ database }) => ({
      jobs: new SqliteJobQueue(database, { now: () => Date.now() }),
    }));
    const { events, database } = exports.ports;
    const { id } = await submit(exports, { callbackUrl });
    const delivery = async () => (await events.deliveriesOf([`${id}.cancelled`], database)).get(`${id}.cancelled`)?.[0];
    setClock(ms);
    assert.ok(await exports.api.remove('default', id));
    await seen('the first try', async () => (await delivery())?.attempts === 1);

    setClock(ms);
    // It is checked again an hour later at the latest.
    setClock(HOUR_MS + 5_000);
    exports.parts.webhooks.wake();
    await seen('the delivery', async () => (await delivery())?.state === 'delivered');
    assert.deepEqual(new Set(tries), new Set([`${id}.cancelled`]));
  });
}

test('[C35, H30, H40] retention uses the wall clock, and only for ended exports', async (t) => {
  const setClock = takeClock(t);
  await using exports = await ExportsFixture.open(POLICY);
  const { ports, parts, api } = exports;
  const [ended, waiting] = [await submit(exports), await submit(exports)];
  await ports.database.transaction(async (tx) => {
    await ports.records.setState(ended.id, 'rendering', tx);
    await ports.records.setState(ended.id, 'completed', tx);
    await ports.records.setExpiry(ended.id, Date.now() + POLICY.retentionMs, tx);
  });
  setClock(-10 * DAY_MS);
  await parts.removals.expire();
  assert.ok((await api.get('default', ended.id)) !== null);
  setClock(12 * DAY_MS);
  await parts.removals.expire();
  assert.equal(await api.get('default', ended.id), null);
  assert.equal((await api.get('default', waiting.id))?.state, 'queued');
});
