import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { reached, statusOf } from '../service/export-client.ts';
import type { FaultyCluster } from './faulty-cluster.ts';

const ROWS = 8;
const END_SECONDS = 180;

/**
 * Every node is killed in the middle of a batch, so the one that feeds it and those that render it are among them. Each
 * row becomes one export. (C85)
 */
export async function batchWhileNodesDie(cluster: FaultyCluster, label: string): Promise<() => Promise<void>> {
  // A node that is killed breaks off its responses: the client asks again, at another one.
  const ask = <T>(request: (client: TiercutClient) => Promise<T>) =>
    reached('a response', async () => {
      const client = new TiercutClient({ url: (await cluster.api()).base, retry: 0 });
      return request(client).then(
        (value) => ({ value }),
        () => null,
      );
    }).then(({ value }) => value);
  const project = randomUUID();
  await ask((client) =>
    client.projects.save(project, {
      tier_list: { title: `{{title}} of ${label}` },
      timeline_data: { subtitles: [{ text: '{{title}}', start: 0, duration: 1 }] },
      settings: { quality: 'draft' },
      fields: { title: { type: 'text', required: true } },
    }),
  );
  const rows = Array.from({ length: ROWS }, (_, n) => ({ title: `Row ${n}` }));
  const metadata = { batch: project };
  const idempotencyKey = randomUUID();
  const { batch_id } = await ask((client) =>
    client.batches.create({ project, rows, metadata, presets: ['landscape'] }, { idempotencyKey }),
  );
  const batch = () => ask((client) => client.batches.get(batch_id));
  await reached('the middle of the batch', async () => (await batch()).counts.completed > 0, END_SECONDS);
  assert.equal((await batch()).state, 'running', 'rows are left');
  const { apis, workers } = cluster.nodes;
  for (const [api, worker] of [
    [apis[0]!, workers[0]!],
    [apis[1]!, workers[1]!],
  ] as const) {
    await Promise.all([cluster.strike(api), cluster.strike(worker)]);
    await cluster.settled();
  }
  return async () => {
    await reached('the end of the batch', async () => (await batch()).state === 'completed', END_SECONDS);
    const made = await ask((client) => Array.fromAsync(client.batches.rows(batch_id)));
    assert.deepEqual(
      made.map(({ state }) => state),
      rows.map(() => 'completed'),
    );
    const ids = made.map(({ export_id }) => export_id!);
    assert.equal(new Set(ids).size, ROWS, 'each row has its own export');
    const { exports } = await ask((client) => client.list({ metadata, limit: 100 }));
    assert.deepEqual(exports.map(({ export_id }) => export_id).sort(), ids.toSorted(), 'and there is no other');
    for (const id of ids) cluster.promised.push(await statusOf(cluster.nodes, id));
    await ask((client) => client.projects.delete(project));
  };
}
