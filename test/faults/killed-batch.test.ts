import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { Random } from '../hostile/random.ts';
import { reached } from '../service/export-client.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

const KILLS = 5;
const ROWS = 12;
const UP_MS = 1_500;
/** About as long as a batch takes to be accepted. */
const CREATE_MS = 300;
/** Starts take seconds on a slow machine. */
const TIMEOUT_MS = 600_000;

test('[C85, C35] a batch survives kills at any moment: no row is lost, none is made twice', {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = new Random(Number(process.env.SEED ?? 1));
  await using service = await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'warn' });
  const client = () => new TiercutClient({ url: service.base });
  const project = randomUUID();
  await client().projects.save(project, {
    tier_list: { title: '{{title}}' },
    timeline_data: { subtitles: [{ text: '{{title}}', start: 0, duration: 1 }] },
    settings: { quality: 'draft', width: 320, height: 180, fps: 10 },
    fields: { title: { type: 'text', required: true } },
  });
  const rows = Array.from({ length: ROWS }, (_, n) => ({ title: `Row ${n}` }));
  const metadata = { batch: 'killed' };
  const create = () =>
    client().batches.create({ project, rows, metadata, presets: ['landscape'] }, { idempotencyKey: 'killed' });
  // It may be killed before the batch is stored, or before the response.
  const first = create().catch(() => null);
  await delay(random.fraction() * CREATE_MS);
  await service.killTree();
  await service.start();
  await first;
  const { batch_id } = await create();
  assert.deepEqual(
    (await client().batches.list()).batches.map((batch) => [batch.batch_id, batch.rows]),
    [[batch_id, ROWS]],
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(random.fraction() * UP_MS);
    await service.killTree();
    await service.start();
  }
  await reached('the end of the batch', async () => (await client().batches.get(batch_id)).state === 'completed', 300);
  const exports: string[] = [];
  for await (const row of client().batches.rows(batch_id)) {
    assert.equal(row.state, 'completed', JSON.stringify(row.error));
    exports.push(row.export_id!);
  }
  assert.equal(new Set(exports).size, ROWS);
  const made = (await client().list({ metadata, limit: 100 })).exports;
  assert.deepEqual(made.map(({ export_id }) => export_id).sort(), exports.toSorted(), 'no export beside those of rows');
  assert.deepEqual(made.map(({ title }) => title).sort(), rows.map(({ title }) => title).sort());
});
