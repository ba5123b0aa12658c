import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { migrateStore, openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { ExportRecords } from '../../../src/store/records/export-records.ts';
import { PostgresServer } from '../../postgres/postgres-server.ts';
import { chunk } from '../job-queue-suite.ts';
import { newExport } from '../new-export.ts';

test('postgres: after a crash and restart of the server, committed data is there, and all clients continue', async () => {
  const server = await PostgresServer.create();
  await using held = new AsyncDisposableStack();
  held.use(server);
  const url = server.url('postgres');
  await migrateStore(url);
  const [api, worker] = [await openPostgresStore(url, quiet), await openPostgresStore(url, quiet)];
  held.defer(() => api.close());
  held.defer(() => worker.close());
  const [records, kept, lost] = [new ExportRecords(), newExport(), newExport()];
  await api.database.transaction(async (tx) => {
    await records.insert(kept, tx);
    await api.jobs.enqueue([chunk(kept.id, 0)], tx);
  });
  const stop = new AbortController();
  held.defer(() => stop.abort());
  await worker.jobs.changed(stop.signal);
  const attempt = await worker.jobs.claim();
  const leads = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let times = 0;
  const leading = worker.leader.run(
    'upkeep',
    async (signal) => {
      leads[times]?.resolve();
      times += 1;
      if (!signal.aborted) await once(signal, 'abort');
    },
    stop.signal,
  );
  await leads[0]!.promise;

  const inserted = Promise.withResolvers<void>();
  const crashed = Promise.withResolvers<void>();
  const interrupted = api.database.transaction(async (tx) => {
    await records.insert(lost, tx);
    inserted.resolve();
    await crashed.promise;
    await tx.query('select 1');
  });
  const refused = assert.rejects(interrupted, { code: 'store.unreachable', kind: 'unavailable' });
  await inserted.promise;
  await server.stop('immediate');
  crashed.resolve();
  await refused;
  await assert.rejects(api.database.committed.query('select 1'), { code: 'store.unreachable' });
  await server.start();

  assert.deepEqual(await records.stateOf(lost.id, api.database), null);
  assert.equal(await worker.jobs.heartbeat(attempt!), true, 'its lease is still the worker’s');
  assert.equal(await worker.database.transaction((tx) => worker.jobs.complete(attempt!, tx)), true);
  await leads[1]!.promise;
  assert.equal(await worker.jobs.claim(), null);
  const [woken, reported] = [worker.jobs.changed(stop.signal), worker.changes.listen(kept.id).next];
  await api.database.transaction((tx) => api.jobs.enqueue([chunk('b', 0)], tx));
  api.changes.notify(kept.id);
  await Promise.all([woken, reported]);
  assert.equal((await worker.jobs.claim())?.job.id, 'b/0');
  stop.abort();
  await leading;
});

const quiet = { onCancelled: () => {} };
