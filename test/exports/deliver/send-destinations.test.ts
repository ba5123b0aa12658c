import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import type { ExportsPorts } from '../../../src/compose/exports-ports.ts';
import { requestKey } from '../../../src/exports/export-keys.ts';
import { nextTryInMs, RETRIES } from '../../../src/store/job-queue.ts';
import { type PlayedExports, playedExports } from '../../http/played-exports.ts';
import { fileServer } from '../../outbound/file-server.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 0.2 }] } };
const taken: RequestListener = (request, response) => {
  request.resume().once('end', () => response.end());
};

async function submit(exports: ExportsFixture, destinations: object, tenant = 'default'): Promise<string> {
  const other = { destinations: JSON.stringify(destinations), tenant };
  return (await exports.api.submit(exports.submission(TEXT_ONLY, {}, other), uncancelled)).id;
}

/** The same, and its selected output is finished. */
async function finish(exports: PlayedExports, destinations: object, tenant?: string): Promise<string> {
  const id = await submit(exports.fixture, destinations, tenant);
  await exports.complete(id, 'preset_one', Buffer.from('a video'));
  return id;
}

async function destinationOf({ api }: ExportsFixture, id: string) {
  const { outputs } = (await api.get(null, id))!;
  return outputs.find(({ preset }) => preset === 'preset_one')!.destination!;
}

test('[C69] a real video is sent after faults and restarts, at the retry times of webhooks', async () => {
  const clock = { ms: Date.UTC(2026, 0, 2) };
  const replaced = (): Partial<ExportsPorts> => ({ now: () => clock.ms });
  const hold = Promise.withResolvers<void>();
  const answers: RequestListener[] = [
    (request, response) => request.resume().once('end', () => response.writeHead(503).end()),
    // The process ends while this one is open.
    (request) => {
      request.resume();
      hold.resolve();
    },
    (request, response) => request.resume().once('end', () => response.writeHead(500).end()),
  ];
  await using server = await fileServer((request, response) => (answers.shift() ?? taken)(request, response));
  const first = await ExportsFixture.open({ prerender: 'selected' }, undefined, replaced);
  first.startWorker();
  const id = await submit(first, { preset_one: `${server.base}/one?secret` });
  await seen('the first attempt', async () => (await destinationOf(first, id)).attempts === 1);
  await seen('it waits', async () => (await destinationOf(first, id)).state === 'waiting');
  const { error } = await destinationOf(first, id);
  assert.deepEqual([error?.code, error?.kind], ['destination.failed', 'invalid']);
  assert.match(error?.message ?? '', /it returned status 503/);
  first.parts.sending.wake();
  assert.equal(server.asked.length, 1, 'not before its time');
  clock.ms += nextTryInMs(1, RETRIES.destination)!;
  first.parts.sending.wake();
  await hold.promise;
  await first.stop();

  await using second = await ExportsFixture.open({}, first.folder, replaced);
  await seen('the third attempt', () => server.asked.length === 3);
  await seen('it waits', async () => (await destinationOf(second, id)).state === 'waiting');
  assert.equal((await destinationOf(second, id)).attempts, 2, 'a shutdown is no attempt');
  clock.ms += nextTryInMs(2, RETRIES.destination)! - 1;
  second.parts.sending.wake();
  assert.equal(server.asked.length, 3);
  clock.ms += 1;
  second.parts.sending.wake();
  await seen('it is sent', async () => (await destinationOf(second, id)).state === 'sent');
  assert.deepEqual(await destinationOf(second, id), { state: 'sent', attempts: 3, error: null });
  const output = (await second.api.openOutput(id, 'preset_one'))!;
  const digest = `sha-256=:${Buffer.from(output.sha256, 'hex').toString('base64')}:`;
  for (const { headers } of server.asked) {
    assert.deepEqual([headers['repr-digest'], headers['content-length']], [digest, String(output.bytes)]);
  }
});

test('[C69] after the last try a destination has failed', async () => {
  const clock = { ms: Date.UTC(2026, 0, 2) };
  await using server = await fileServer((request, response) => {
    request.resume().once('end', () => response.writeHead(500).end());
  });
  await using exports = await playedExports({}, { now: () => clock.ms });
  const id = await finish(exports, { preset_one: server.base });
  let attempts = 1;
  for (; nextTryInMs(attempts, RETRIES.destination) !== null; attempts += 1) {
    await seen(`attempt ${attempts}`, async () => {
      const { state, attempts: made } = await destinationOf(exports.fixture, id);
      return made === attempts && state === 'waiting';
    });
    clock.ms += nextTryInMs(attempts, RETRIES.destination)!;
    exports.fixture.parts.sending.wake();
  }
  await seen('it has failed', async () => (await destinationOf(exports.fixture, id)).state === 'failed');
  assert.equal((await destinationOf(exports.fixture, id)).attempts, attempts);
  assert.equal(server.asked.length, attempts);
});

test('[C69] a video whose node died is sent by another, and a late result of the first node changes nothing', async () => {
  const clock = { ms: Date.UTC(2026, 0, 2) };
  await using exports = await playedExports({}, { alone: false, now: () => clock.ms });
  const { jobs, changes, database } = exports.fixture.ports;
  const asked = Promise.withResolvers<void>();
  await using server = await fileServer((request) => {
    request.resume();
    asked.resolve();
  });
  const id = await finish(exports, { preset_one: server.base });
  await asked.promise;
  const wanted = { lane: 'destination' } as const;
  assert.equal(await jobs.claim(wanted), null, 'it is held');
  clock.ms += 120_000;
  assert.equal(await jobs.claim({ ...wanted, except: ['default'] }), null, 'its tenant has enough');
  const other = (await jobs.claim(wanted))!;
  assert.deepEqual([other.job.exportId, other.job.presets, other.failures], [id, ['preset_one'], 0]);
  changes.notify(id);
  await server.idle();
  assert.equal((await destinationOf(exports.fixture, id)).state, 'sending');
  assert.equal(await database.transaction((tx) => jobs.complete(other, tx)), true);
});

test('[C69] videos of one tenant are sent a few at a time, and do not delay other tenants', async () => {
  const go = Promise.withResolvers<void>();
  await using server = await fileServer(async (request, response) => {
    if (request.url === '/slow') await go.promise;
    taken(request, response);
  });
  await using exports = await playedExports({ maxTenantSends: 1 });
  const slow = [
    await finish(exports, { preset_one: `${server.base}/slow` }),
    await finish(exports, { preset_one: `${server.base}/slow` }),
  ];
  const quick = await finish(exports, { preset_one: `${server.base}/quick` }, 'another');
  await seen('the other tenant’s is sent', async () => (await destinationOf(exports.fixture, quick)).state === 'sent');
  const states = await Promise.all(slow.map(async (id) => (await destinationOf(exports.fixture, id)).state));
  assert.deepEqual(states.sort(), ['sending', 'waiting']);
  go.resolve();
  for (const id of slow)
    await seen('it is sent', async () => (await destinationOf(exports.fixture, id)).state === 'sent');
});

test('[C69, C66, C73] an export with fetched files sends its videos too, and is kept for the requested time', async () => {
  await using server = await fileServer((request, response) => {
    if (request.method === 'GET') response.end('a picture');
    else taken(request, response);
  });
  await using exports = await playedExports({ prerender: 'selected' });
  const { fixture, api } = { fixture: exports.fixture, api: exports.fixture.api };
  const timeline = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };
  const destinations = JSON.stringify({ portrait: `${server.base}/two?secret` });
  const sent = fixture.submission(timeline, {}, { destinations, retentionHours: '2' });
  const texts = new Map([
    ...sent.texts,
    ['destinations', destinations],
    ['media_urls', JSON.stringify({ clip: server.base })],
  ]);
  const { id } = await api.submit({ ...sent, texts }, uncancelled);
  const portrait = async () => (await api.get(null, id))!.outputs.find(({ preset }) => preset === 'preset_two')!;
  await seen('it is asked for', async () => (await portrait()).state === 'queued');
  await exports.complete(id, 'preset_two', Buffer.from('a video'));
  await seen('it is sent', async () => (await portrait()).destination?.state === 'sent');
  const beforeMs = Date.now();
  await exports.complete(id, 'preset_one', Buffer.from('a video'));
  const { expiresAtMs } = (await api.get(null, id))!;
  assert.ok(expiresAtMs! >= beforeMs + 2 * 3_600_000, 'longer than the hour of this service');
  const kept = await fixture.ports.blobs.read(requestKey(id));
  assert.doesNotMatch((await kept.toArray()).join(''), /secret/);
});
