import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../../src/store/database.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { seen } from '../../service/export-client.ts';
import { PostgresFixture } from '../../store/postgres/postgres-fixture.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { createBatch, feeder, saveProject, TEMPLATE } from './batches-fixture.ts';

const fixture = await PostgresFixture.create();

/** The use cases on PostgreSQL, where transactions run side by side. */
async function open(t: TestContext): Promise<ExportsFixture> {
  const { database, jobs, changes, close } = await openPostgresStore(fixture.url, { onCancelled: () => {} });
  const exports = await ExportsFixture.open({}, undefined, () => ({ database, jobs, changes }));
  t.after(async () => {
    await exports[Symbol.asyncDispose]();
    await close();
  });
  return exports;
}

/** Every row that waits fails, but the batch has not ended. */
async function failRows({ ports: { batches, database } }: ExportsFixture, batch: string): Promise<void> {
  const error = { kind: 'internal', code: 'internal.error', message: 'It failed.', issues: [] } as const;
  await batches.failWaiting({ batch, number: 0 }, error, database);
}

async function waitsForLock({ committed }: Database): Promise<boolean> {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await committed.query(sql)).length > 0;
}

test('[C85] postgres: a batch does not end beside a retry of its rows', async (t) => {
  const exports = await open(t);
  const { batches, database } = exports.ports;
  const { id } = await createBatch(exports, await saveProject(exports, TEMPLATE), [{ title: 'a' }]);
  await failRows(exports, id);
  const [updated, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const retry = batches.retry.bind(batches);
  t.mock.method(batches, 'retry', async (...args: Parameters<typeof retry>) => {
    const rows = await retry(...args);
    updated.resolve();
    await commit.promise;
    return rows;
  });
  const retried = exports.parts.batches.retry('default', id);
  await updated.promise;
  await using _feeding = feeder(exports);
  await seen('the feeder waits for the retry', () => waitsForLock(database));
  commit.resolve();
  await retried;
  const view = await seen('what becomes of it', async () => {
    const found = (await exports.parts.batches.get('default', id))!;
    return found.counts.queued === 1 || found.state === 'completed' ? found : undefined;
  });
  assert.deepEqual([view.state, view.counts.waiting], ['running', 0]);
});

test('[C85, C37] postgres: an event of a batch that is recorded beside the delivery of another one is sent', async (t) => {
  const ids: string[] = [];
  const answer = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume();
    await answer.promise;
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const exports = await open(t);
  const { database, jobs } = exports.ports;
  const callback_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const project = await saveProject(exports, TEMPLATE);
  const { id } = await createBatch(exports, project, [{ title: 'a' }], { callback_url });
  await failRows(exports, id);
  {
    await using _feeding = feeder(exports);
    await seen('the first event', () => ids.length === 1);
  }
  await exports.parts.batches.retry('default', id);
  await failRows(exports, id);
  const [recorded, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const enqueue = jobs.enqueue.bind(jobs);
  t.mock.method(jobs, 'enqueue', async (...args: Parameters<typeof enqueue>) => {
    await enqueue(...args);
    recorded.resolve();
    await commit.promise;
  });
  await using _feeding = feeder(exports);
  await recorded.promise;
  answer.resolve();
  const isDelivered = async () =>
    (await database.committed.query(`select event_id from event_receivers where state = 'delivered'`)).length > 0;
  await seen('the delivery has ended, or waits', async () => (await isDelivered()) || (await waitsForLock(database)));
  commit.resolve();
  await seen('the second event', () => ids.length === 2, 20);
  assert.notEqual(ids[0], ids[1]);
});
