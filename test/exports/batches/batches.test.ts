import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { MediaOfRows } from '../../../src/exports/batches/media-of-rows.ts';
import { seen } from '../../service/export-client.ts';
import { CLIP, PICTURE } from '../../service/sample-request.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia } from '../media/put-media.ts';
import { createBatch, createFailingBatch, feeder, saveProject, TEMPLATE } from './batches-fixture.ts';

test('[C85] every row of a batch becomes an export of its values, and the batch ends with the last', async () => {
  await using exports = await ExportsFixture.open();
  const project = await saveProject(exports, TEMPLATE);
  const titles = ['one', 'two', '{{title}}', 'four', 'five', 'six'];
  const fields = { presets: '["preset_one"]', metadata: '{"channel":"snacks"}', settings: '{"quality":"draft"}' };
  const { id } = await createBatch(
    exports,
    project,
    titles.map((title) => ({ title })),
    fields,
  );
  exports.startWorker();
  await using _feeding = feeder(exports);
  const { batches } = exports.parts;
  const ended = await seen('the end of the batch', async () => {
    const view = await batches.get('default', id);
    return view?.state === 'completed' ? view : undefined;
  });
  assert.deepEqual([ended.counts.completed, ended.progress, ended.estimatedEndMs], [6, 1, null]);
  const rows = await batches.rows('default', id, { state: 'completed', after: -1, limit: 100 });
  const made = await Promise.all(rows!.map(({ exportId }) => exports.api.get('default', exportId!)));
  // Values are data: braces inside them are not read again.
  assert.deepEqual(
    made.map((view) => view?.title),
    titles,
  );
  for (const view of made) {
    assert.deepEqual(
      view!.outputs.map(({ state }) => state),
      ['completed', 'idle', 'idle'],
    );
    assert.deepEqual([view!.metadata, view!.settings.quality], [{ channel: 'snacks' }, 'draft']);
  }
  assert.equal(await batches.get('another', id), null);
});

test('[C85] the batch ends while rows fail, and a retry makes these again', async () => {
  await using exports = await ExportsFixture.open();
  const { id } = await createFailingBatch(exports, [{ title: 'a' }, { title: 'b' }]);
  await using _feeding = feeder(exports);
  const { batches } = exports.parts;
  const ended = () =>
    seen('the end', async () => {
      const view = await batches.get('default', id);
      return view?.state === 'completed' ? view : undefined;
    });
  assert.equal((await ended()).counts.failed, 2);
  const [first] = (await batches.rows('default', id, { state: 'failed', after: -1, limit: 1 }))!;
  assert.equal(first!.error?.code, 'reference.unknown', JSON.stringify(first));
  const again = await batches.retry('default', id);
  assert.deepEqual([again?.state, again?.endedAtMs], ['running', null]);
  assert.equal((await ended()).counts.failed, 2);
  await assert.rejects(
    batches.retry('default', id).then(() => batches.retry('default', id)),
    {
      code: 'batch.nothing_failed',
    },
  );
});

test('[C85, C83] media of rows are there and of the kind of their field, or the row is wrong', async () => {
  await using exports = await ExportsFixture.open();
  const { sha256: clip } = await putMedia(exports, CLIP.file);
  const { sha256: picture } = await putMedia(exports, PICTURE.file);
  const unknown = 'a'.repeat(64);
  const template = {
    tier_list: { rows: [{ id: 's', label: 'S' }], items: [] },
    timeline_data: { videos: [{ file_field: 'host', start: 0, duration: 1 }] },
    fields: { host: { type: 'media', kind: 'video' }, list: { type: 'items' } },
    media: { host: `sha256:${clip}` },
  };
  const project = await saveProject(exports, template);
  const rows = [
    {},
    { host: `sha256:${clip}`, list: [{ name: 'One', picture: `sha256:${picture}` }] },
    { host: `sha256:${picture}` },
    { host: `sha256:${unknown}` },
    { list: [{ name: 'One' }, { name: 'Two', picture: `sha256:${clip}` }] },
    { host: 'ftp://cdn.example/x.mp4' },
    { host: 'https://cdn.example/x.mp4' },
  ];
  const { id, counts } = await createBatch(exports, project, rows);
  assert.deepEqual([counts.waiting, counts.invalid], [3, 4]);
  const invalid = await exports.parts.batches.rows('default', id, { state: 'invalid', after: -1, limit: 10 });
  assert.deepEqual(
    invalid?.map(({ number, error }) => `${number} ${error?.code} ${error?.issues[0]?.path}`),
    [
      '2 media.kind /rows/2/host',
      '3 reference.unknown /rows/3/host',
      '4 media.kind /rows/4/list/1/picture',
      '5 fetch.address /rows/5/host',
    ],
  );
  assert.match(invalid![0]!.error!.message, /"host" must be a video; the file is a picture/);
  // Another tenant's file does not exist.
  const theirs = await saveProject(exports, { ...template, media: {} }, 'another');
  await assert.rejects(createBatch(exports, theirs, [rows[1]!], {}, 'another'), { code: 'request.invalid' });
  const lost = await saveProject(exports, { ...template, media: { host: `sha256:${unknown}` } });
  await assert.rejects(createBatch(exports, lost, rows), { code: 'reference.unknown', path: '/media/host' });
  const overridden = await createBatch(exports, lost, [{ host: `sha256:${clip}` }]);
  assert.equal(overridden.counts.waiting, 1);
  const table = `video,host\r\na,sha256:${clip}\r\nb,sha256:${unknown}\r\n`;
  const refused = {
    texts: new Map([
      ['project', project],
      ['on_error', 'refuse'],
    ]),
    isCsv: true,
  };
  const sent = { tenant: 'default', ...refused, rows: new TextEncoder().encode(table) };
  await assert.rejects(
    exports.parts.batches.create({ ...sent, idempotencyKey: null, requestHash: '' }, uncancelled),
    /does not exist .*line 3, column 2, "host"/,
  );
});

test('[C85] a cancelled batch makes nothing more, and what was made of it is removed', async () => {
  await using exports = await ExportsFixture.open();
  const project = await saveProject(exports, TEMPLATE);
  const { id } = await createBatch(
    exports,
    project,
    Array.from({ length: 20 }, () => ({ title: 'x' })),
  );
  await using _feeding = feeder(exports);
  const { batches } = exports.parts;
  await seen('exports of the batch', async () => (await batches.get('default', id))!.counts.queued === 4 || undefined);
  assert.ok(await batches.cancel('default', id));
  const view = await batches.get('default', id);
  assert.deepEqual([view?.state, view?.counts.cancelled, view?.progress], ['cancelled', 20, 1]);
  const all = { state: null, externalId: null, metadata: [], fromMs: null, beforeMs: null, limit: 100, after: null };
  assert.deepEqual((await exports.api.list('default', all)).exports, []);
  assert.equal(await batches.cancel('another', id), false);
});

test('[C85] a cancel that a killed node did not finish is finished by the feeder, and by a second cancel', async () => {
  for (const finish of ['feeder', 'cancel'] as const) {
    await using exports = await ExportsFixture.open();
    const { batches } = exports.parts;
    const project = await saveProject(exports, TEMPLATE);
    const { id } = await createBatch(exports, project, [{ title: 'x' }, { title: 'y' }]);
    {
      await using _feeding = feeder(exports);
      await seen(
        'exports of the batch',
        async () => (await batches.get('default', id))!.counts.queued === 2 || undefined,
      );
    }
    // What a cancel commits before it removes anything.
    const { database, batches: records } = exports.ports;
    const times = { endedAtMs: Date.now(), expiresAtMs: Date.now() + 60_000 };
    await database.transaction((tx) => records.cancel('default', id, times, tx));
    await using _feeding = finish === 'feeder' ? feeder(exports) : null;
    if (finish === 'cancel') assert.ok(await batches.cancel('default', id));
    const counts = async () => (await batches.get('default', id))!.counts;
    await seen('the batch without exports', async () => (await counts()).cancelled === 2 || undefined);
    const all = { state: null, externalId: null, metadata: [], fromMs: null, beforeMs: null, limit: 9, after: null };
    assert.deepEqual((await exports.api.list('default', all)).exports, []);
  }
});

test('[C85] two feeders at once make no row twice', async () => {
  await using exports = await ExportsFixture.open();
  const project = await saveProject(exports, TEMPLATE);
  const { id } = await createBatch(
    exports,
    project,
    Array.from({ length: 6 }, (_, n) => ({ title: `${n}` })),
    {
      presets: '["preset_one"]',
    },
  );
  exports.startWorker();
  {
    await using _one = feeder(exports);
    await using _two = feeder(exports);
    await seen('the end', async () => {
      return (await exports.parts.batches.get('default', id))?.state === 'completed' || undefined;
    });
  }
  const all = { state: null, externalId: null, metadata: [], fromMs: null, beforeMs: null, limit: 100, after: null };
  const { exports: made } = await exports.api.list('default', all);
  assert.deepEqual(made.map(({ title }) => title).sort(), ['0', '1', '2', '3', '4', '5']);
});

test('[C85] all rows are checked before anything is made; `skip` leaves wrong rows out, `refuse` names all', async () => {
  await using exports = await ExportsFixture.open();
  const project = await saveProject(exports, TEMPLATE);
  const rows = [{ title: 'a' }, { title: 'x'.repeat(51) }, {}, { title: 'b', seconds: '2', other: 1 }];
  const refused = await createBatch(exports, project, rows, { on_error: 'refuse' }).catch((error: unknown) => error);
  assert.ok(refused instanceof ExportError);
  assert.deepEqual(
    refused.issues.map(({ path, code }) => `${path} ${code}`),
    [
      '/rows/1/title field.range',
      '/rows/2/title value.required',
      '/rows/3/other value.unknown',
      '/rows/3/seconds field.type',
    ],
  );
  const { id, counts } = await createBatch(exports, project, rows);
  assert.deepEqual([counts.waiting, counts.invalid], [1, 3]);
  const invalid = await exports.parts.batches.rows('default', id, { state: 'invalid', after: 1, limit: 10 });
  assert.deepEqual(
    invalid?.map(({ number, error }) => [number, error?.code]),
    [
      [2, 'value.required'],
      [3, 'request.invalid'],
    ],
  );
  await assert.rejects(createBatch(exports, project, [{}, {}]), { code: 'request.invalid' });
  await assert.rejects(createBatch(exports, project, []), { code: 'field.range', path: '/rows' });
  await assert.rejects(createBatch(exports, project, Array(10_001).fill({ title: 'x' })), { path: '/rows' });
  await assert.rejects(createBatch(exports, crypto.randomUUID(), [{}]), { code: 'project.unknown' });
  const broken = await saveProject(exports, { ...TEMPLATE, timeline_data: { videos: [{ file_field: '{{title}}' }] } });
  await assert.rejects(createBatch(exports, broken, [{ title: 'a' }]), (error: ExportError) => error.issues.length > 0);
  await assert.rejects(createBatch(exports, project, rows, { presets: '["wide"]' }), { path: '/presets/0' });
  assert.equal(await exports.parts.batches.get('default', 'x'), null);
});

test('[C85, C88] the errors of wrong rows are bounded and counted; every wrong row still has one, at its place', async () => {
  await using exports = await ExportsFixture.open();
  const long = Array.from({ length: 60 }, (_, n) => `${'é'.repeat(60)}${n}`);
  const fields = Object.fromEntries(long.map((name) => [name, { type: 'text' }]));
  const project = await saveProject(exports, {
    ...TEMPLATE,
    tier_list: { title: `{{title}}${long.map((name) => `{{${name}}}`).join('')}` },
    fields: { ...TEMPLATE.fields, ...fields },
  });
  // Names too short for a hint, which costs most.
  const unknown = Object.fromEntries(Array.from('abcdefghijklmnopqrstuvwxy', (letter) => [`q${letter}`, 1]));
  const wrong = 1_500;
  const rows = [{ title: 'right' }, ...Array.from({ length: wrong }, () => ({ title: 'wrong', ...unknown }))];
  const { id, counts } = await createBatch(exports, project, rows);
  assert.deepEqual([counts.waiting, counts.invalid], [1, wrong]);
  const invalid = (await exports.parts.batches.rows('default', id, { state: 'invalid', after: -1, limit: 10_000 }))!;
  assert.equal(invalid[0]!.error!.issues.length, 20);
  for (const { number, error } of invalid) {
    assert.deepEqual([error!.issues[0]!.path, error!.issues[0]!.code], [`/rows/${number}/qa`, 'value.unknown']);
  }
  assert.match(invalid.at(-1)!.error!.message, /too many errors to describe each/);
  const [stored] = await exports.ports.database.query<{
    errors: number;
    rows: number;
    bytes: number;
    template: number;
  }>(
    `select b.bytes, length(cast(b.template as blob)) as template, sum(length(cast(r.fill as blob))) as rows,
       sum(length(cast(r.error as blob))) as errors
     from batches b join batch_rows r on r.batch_id = b.id where b.id = $1`,
    [id],
  );
  assert.ok(stored!.errors < 8_000_000, `${stored!.errors} bytes`);
  assert.equal(stored!.bytes, stored!.template + stored!.rows + stored!.errors);
});

test('[C85, H60] the files of a batch are marked as used together, and its errors let the event loop turn', async (t) => {
  await using exports = await ExportsFixture.open();
  const { media, database } = exports.ports;
  const hashes = Array.from({ length: 250 }, (_, n) => n.toString(16).padStart(64, '0'));
  await database.transaction(async (tx) => {
    for (const sha256 of hashes) await media.keep({ tenant: 'default', sha256, bytes: 1 }, 1, tx);
  });
  const touch = t.mock.method(media, 'touch');
  const parts = new MediaOfRows({
    ...exports.ports,
    facts: { known: () => null },
    fetching: { read: () => assert.fail('nothing is fetched') },
  });
  const unknown = Array.from({ length: 5_000 }, (_, n) => n.toString(16).padStart(64, 'f'));
  const named = [...hashes, ...unknown].map((sha256, row) => {
    const path = `/rows/${row}/host`;
    const place = { kind: 'stored', sha256, path } as const;
    return { field: 'host', kind: null, place, at: JSON.stringify([[row, path, '']]) };
  });
  const { found, turns } = await turnsDuring(() => parts.faults('default', { media: named }));
  assert.deepEqual([found.of(0).length, found.of(250)[0]?.code], [0, 'reference.unknown']);
  assert.equal(touch.mock.callCount(), 2);
  const [used] = await database.query<{ n: number }>('select count(*) as n from media where used_at_ms > 1');
  assert.equal(used!.n, 250);
  assert.ok(turns >= 10, `${turns} turns`);
});

/** Counts the turns of the event loop. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly found: T; readonly turns: number }> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const found = await work();
  clearImmediate(next);
  return { found, turns };
}
