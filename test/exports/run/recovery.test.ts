import assert from 'node:assert/strict';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Recovery } from '../../../src/exports/run/recovery.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const TEXT_ONLY = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };

for (const [how, lose] of Object.entries({
  missing: (file: string) => rmSync(file),
  damaged: (file: string) => truncateSync(file, 100),
})) {
  test(`[C35] a plan that is ${how} at the start fails only its own export, with the reason`, async () => {
    const first = await ExportsFixture.open({ prerender: 'selected' });
    const submit = async () => (await first.api.submit(first.submission(TEXT_ONLY), uncancelled)).id;
    const [lost, fine] = [await submit(), await submit()];
    await first.stop();
    const plans = join(first.folder, 'blobs', 'plans', lost);
    for (const file of readdirSync(plans)) lose(join(plans, file));

    await using second = await ExportsFixture.open({ prerender: 'selected' }, first.folder);
    const view = await second.api.get('default', lost);
    assert.deepEqual([view?.state, view?.failure?.code], ['failed', 'export.plan_missing']);
    assert.ok(view?.settled);
    const jobs = await second.ports.database.query(`select id from jobs where export_id = $1`, [lost]);
    assert.deepEqual(jobs, [], 'nobody works for it any more');
    second.startWorker();
    await second.api.waitFor(fine, 'preset_one', uncancelled);
    assert.equal((await second.api.get('default', fine))?.state, 'completed', second.logged.join('\n'));
  });
}

test('[C35] a plan that is found to be damaged during the render fails its export immediately, with the reason', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const { id } = await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled);
  truncateSync(join(exports.folder, 'blobs', 'plans', id, 'preset_one.json'), 100);
  exports.startWorker();
  const { state, failure } = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual([state, failure?.code], ['failed', 'export.plan_missing'], exports.logged.join('\n'));
  const [{ tries }] = (await exports.ports.database.query<{ tries: number }>(
    'select max(attempt) as tries from jobs where export_id = $1',
    [id],
  )) as [{ tries: number | null }];
  assert.ok((tries ?? 1) === 1, 'what is damaged is no better the next time');
});

test('[C35] a missing plan of another preset fails only that preset', async () => {
  const first = await ExportsFixture.open();
  const { id } = await first.api.submit(first.submission(TEXT_ONLY), uncancelled);
  await first.stop();
  rmSync(join(first.folder, 'blobs', 'plans', id, 'preset_two.json'));
  await using second = await ExportsFixture.open({}, first.folder);
  second.startWorker();
  const { state, outputs } = (await Array.fromAsync(second.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, ...outputs.map((output) => output.failure?.code ?? output.state)],
    ['completed', 'completed', 'export.plan_missing', 'completed'],
    second.logged.join('\n'),
  );
});

test('[C35] in a cluster, only an export without a worker in two consecutive checks is queued again', async () => {
  await using exports = await ExportsFixture.open();
  const { ports } = exports;
  const { database, records, outputs, jobs } = ports;
  const submit = async () => (await exports.api.submit(exports.submission(TEXT_ONLY), uncancelled)).id;
  const [live, dead] = [await submit(), await submit()];
  for (const id of [live, dead]) {
    await database.transaction(async (tx) => {
      await records.setState(id, 'rendering', tx);
      await outputs.setState(id, 'preset_one', 'rendering', tx);
    });
  }
  const attempt = await jobs.claim();
  assert.equal(attempt?.job.exportId, live);
  const recovery = new Recovery({ ...ports, plans: null, work: null, ends: null } as never);
  const states = async () => [await records.stateOf(live, database), await records.stateOf(dead, database)];
  await recovery.requeueAbandoned();
  assert.deepEqual(await states(), ['rendering', 'rendering'], 'it may be between two jobs');
  await recovery.requeueAbandoned();
  assert.deepEqual(await states(), ['rendering', 'queued']);
  const output = (await records.find(dead, database))?.outputs[0];
  assert.equal(output?.state, 'queued');
});
