import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const DOCUMENTS = {
  tier_list: {
    rows: [{ id: 's', item_ids: ['a', 'b', 'c'] }],
    items: ['a', 'b', 'c'].map((id) => ({ id, name: id })),
  },
  timeline_data: {
    tier_blocks: [{ start: 0, duration: 30 }],
    tier_tiles: ['a', 'b', 'c'].map((tier_item_id, n) => ({ tier_item_id, position: 4 + 10 * n })),
  },
  settings: { shorts: true, fps: 5, quality: 'draft' },
};

async function submit(exports: ExportsFixture): Promise<string> {
  return (await exports.api.submit(exports.submission(DOCUMENTS), uncancelled)).id;
}

test('[C52] a requested short takes a place in the queue like an export, until it starts', async () => {
  await using exports = await ExportsFixture.open({ maxWaiting: 2, prerender: 'selected' });
  const id = await submit(exports);
  // No worker runs here, so the waiting call is aborted.
  const ask = (short: string) => exports.api.waitFor(id, short, AbortSignal.abort(new Error('enough')));
  await assert.rejects(ask('short.1'), /enough/);
  await assert.rejects(ask('short.2'), { code: 'queue.full' });
  await assert.rejects(submit(exports), { code: 'queue.full' });
  await assert.rejects(ask('short.1'), /enough/, 'it is there already');
  exports.startWorker();
  await exports.api.waitFor(id, 'short.1', uncancelled);
  await exports.api.waitFor(id, 'preset_one', uncancelled);
  await exports.api.waitFor(id, 'short.2', uncancelled);
  const { shorts } = (await exports.api.get(null, id))!;
  assert.deepEqual(
    shorts.map(({ state }) => state),
    ['completed', 'completed', 'idle'],
    exports.logged.join('\n'),
  );
});

test('[C52][R18] a short of an export that another engine finished is planned again, and nothing else of it', async () => {
  const old = await ExportsFixture.open({ prerender: 'selected' });
  const id = await submit(old);
  old.startWorker();
  await old.api.waitFor(id, 'preset_one', uncancelled);
  await old.api.waitFor(id, 'preset_two', uncancelled);
  const before = (await old.api.get(null, id))!;
  await old.stop();
  await using now = await ExportsFixture.open({ prerender: 'selected' }, old.folder, ({ rules }) => {
    return { rules: { ...rules, engineVersion: 'new' } };
  });
  now.startWorker();
  await now.api.waitFor(id, 'short.2', uncancelled);
  const after = (await now.api.get(null, id))!;
  assert.deepEqual(
    after.shorts.map(({ state }) => state),
    ['idle', 'completed', 'idle'],
    now.logged.join('\n'),
  );
  assert.deepEqual(after.outputs.slice(0, 2), before.outputs.slice(0, 2));
  assert.equal(after.durationSeconds, before.durationSeconds);
  const { ports } = now;
  const engines = (await ports.records.find(id, ports.database))!.outputs.map(({ engineVersion }) => engineVersion);
  assert.deepEqual(engines, ['test', 'test', 'new', 'new', 'new', 'new']);
});
