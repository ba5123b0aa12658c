import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExportError } from '../../src/errors.ts';
import type { ExportView } from '../../src/exports/api/export-view.ts';
import { makeClip } from '../fixtures/clips.ts';
import { boxesAt } from '../iso/mp4/boxes.ts';
import { outputFile } from '../stored-files.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

const clip = await makeClip({ frames: 90, width: 128, height: 72 });
const TIMELINE = {
  videos: [{ id: 'v', file_field: 'clip', duration: 3 }],
  tier_blocks: [{ start: 1, duration: 2 }],
  tier_tiles: [{ tier_item_id: 'x', position: 2 }],
};
const TIER_LIST = { title: 'Few', rows: [{ id: 'S', item_ids: ['x'] }], items: [{ id: 'x', name: 'One' }] };
const DOCUMENTS = { tier_list: TIER_LIST, timeline_data: TIMELINE };

/** The last view of an export that is followed to its end. */
async function followed(exports: ExportsFixture, id: string): Promise<ExportView> {
  const views = await Array.fromAsync(exports.api.follow(id, uncancelled));
  for (const [i, { progress }] of views.entries())
    assert.ok(progress >= (views[i - 1]?.progress ?? 0), 'progress never falls');
  return views.at(-1)!;
}

function files(exports: ExportsFixture): string[] {
  const blobs = join(exports.folder, 'blobs');
  return readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(blobs.length + 1));
}

test('[C40] an external id has at most 200 characters, and exports are listed by it', async () => {
  await using exports = await ExportsFixture.open();
  const named = (externalId: string) => {
    return exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }, { externalId }), uncancelled);
  };
  await assert.rejects(named('x'.repeat(201)), { code: 'field.range', path: '/external_id' });
  const longest = '🎬'.repeat(200);
  const { id } = await named(longest);
  const listing = {
    state: null,
    externalId: longest,
    limit: 1,
    after: null,
    metadata: [],
    fromMs: null,
    beforeMs: null,
  };
  const { exports: found, next } = await exports.api.list('default', listing);
  assert.deepEqual([found.map((view) => view.id), next], [[id], null]);
  assert.deepEqual([found[0]!.title, found[0]!.externalId], ['Few', longest]);
  assert.deepEqual((await exports.api.list('another', listing)).exports, []);
});

test('[C12] an export is rendered in all three presets, each a playable file of its own, with poster and chapters', async () => {
  await using exports = await ExportsFixture.open();
  const { id, created } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  assert.ok(created);
  assert.equal((await exports.api.get('default', id))?.state, 'queued');
  exports.startWorker();
  const view = await followed(exports, id);
  assert.deepEqual([view.state, view.progress], ['completed', 1], exports.logged.join('\n'));
  const { host } = exports.ports;
  for (const { preset, state, width, height, bytes, sha256 } of view.outputs) {
    assert.equal(state, 'completed');
    const output = await exports.api.openOutput(id, preset);
    const whole = await buffer(await output!.stream());
    assert.deepEqual([whole.length, output!.sha256], [bytes, sha256]);
    await using folder = await exports.ports.local.scratch();
    const [probed] = await host.probe({ inputs: [outputFile(exports.folder, id, preset)!], workDir: folder.path });
    assert.ok(!(probed instanceof ExportError));
    assert.deepEqual(
      [probed!.facts.width, probed!.facts.height, probed!.facts.duration, probed!.facts.sound],
      [width, height, 3, true],
    );
  }
  const poster = await exports.api.poster(id);
  assert.deepEqual([...poster!.jpeg.subarray(0, 2)], [0xff, 0xd8]);
  assert.equal(await exports.api.chapters(id), '0:00 Few\n0:02 One\n');
});

test('[R34] without chapters the file has no chapter track and no chapter list; the endpoint still responds', async () => {
  await using exports = await ExportsFixture.open();
  exports.startWorker();
  const tracks = async (settings: object) => {
    const request = exports.submission({ ...DOCUMENTS, settings }, { clip: clip.file });
    const { id } = await exports.api.submit(request, uncancelled);
    assert.equal((await followed(exports, id)).state, 'completed', exports.logged.join('\n'));
    const { preset } = (await exports.api.get('default', id))!.outputs[0]!;
    const file = await buffer(await (await exports.api.openOutput(id, preset))!.stream());
    const handlers = boxesAt(file, 'moov/trak/mdia/hdlr').map(({ body }) => body.toString('latin1', 8, 12));
    return [handlers, boxesAt(file, 'moov/udta/chpl').length, await exports.api.chapters(id)];
  };
  const text = '0:00 Few\n0:02 One\n';
  assert.deepEqual(await tracks({ quality: 'draft' }), [['vide', 'soun', 'text'], 1, text]);
  assert.deepEqual(await tracks({ quality: 'draft', chapters: false }), [['vide', 'soun'], 0, text]);
});

test('[C9] the same key and content return the same export; different content is refused', async () => {
  await using exports = await ExportsFixture.open();
  const make = (timeline_data: object) =>
    exports.submission({ ...DOCUMENTS, timeline_data }, { clip: clip.file }, { idempotencyKey: 'k' });
  const [first, joined] = await Promise.all([
    exports.api.submit(make(TIMELINE), uncancelled),
    exports.api.submit(make(TIMELINE), uncancelled),
  ]);
  const again = await exports.api.submit(make(TIMELINE), uncancelled);
  assert.deepEqual(new Set([first.id, joined.id, again.id]).size, 1);
  assert.deepEqual([first, joined, again].filter(({ created }) => created).length, 1);
  const other = exports.api.submit(make({ ...TIMELINE, videos: [{ file_field: 'clip', duration: 1 }] }), uncancelled);
  await assert.rejects(other, (error) => error instanceof ExportError && error.code === 'idempotency.conflict');
});

test('[C26] a status request does not wait for writers', async () => {
  await using exports = await ExportsFixture.open();
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  const done: string[] = [];
  const written = Promise.withResolvers<void>();
  const writing = exports.ports.database.transaction(() => written.promise).then(() => done.push('written'));
  const look = exports.api.get('default', id).then((view) => done.push(`looked: ${view?.state}`));
  const following = exports.api.follow(id, uncancelled)[Symbol.asyncIterator]();
  const follow = following.next().then(({ value }) => done.push(`followed: ${value.state}`));
  // Far more turns of the loop than a lookup takes.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  written.resolve();
  await Promise.all([writing, look, follow]);
  await following.return?.(undefined);
  assert.equal(done.at(-1), 'written');
  assert.deepEqual(done.toSorted(), ['followed: queued', 'looked: queued', 'written']);
});

test('[chunks] unchanged chunks are neither rendered again nor stored twice', async () => {
  await using exports = await ExportsFixture.open();
  exports.startWorker();
  const first = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await followed(exports, first.id);
  const before = files(exports).filter((file) => file.startsWith('parts') || file.startsWith('uploads'));
  const renamed = {
    ...DOCUMENTS,
    timeline_data: { ...TIMELINE, videos: [{ id: 'renamed', file_field: 'other', duration: 3 }] },
  };
  const second = await exports.api.submit(exports.submission(renamed, { other: clip.file }), uncancelled);
  assert.deepEqual((await followed(exports, second.id)).state, 'completed');
  const jobs = await exports.ports.database.query<{ kind: string }>('select kind from jobs where export_id = $1', [
    second.id,
  ]);
  assert.deepEqual(
    jobs.map(({ kind }) => kind),
    ['assembly', 'assembly', 'assembly'],
    'what is in the cache is not queued',
  );
  assert.deepEqual(
    files(exports).filter((file) => file.startsWith('parts') || file.startsWith('uploads')),
    before,
  );
});

test('[chunks] chunks rendered in one job are recorded one by one, and none is rendered twice', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const cuts = { timeline_data: { videos: [{ file_field: 'clip', duration: 36 }] } };
  const { id } = await exports.api.submit(exports.submission(cuts, { clip: clip.file }), uncancelled);
  exports.startWorker();
  const shares = new Set<number>();
  for await (const { progress } of exports.api.follow(id, uncancelled)) shares.add(progress);
  assert.ok(shares.size > 3, 'progress is reported in steps');
  const jobs = await exports.ports.database.query<{ failures: number }>('select id, failures from jobs');
  assert.equal(jobs.length, 5 + 2, 'nine chunks, two in a job; the sound, the assembly');
  assert.deepEqual(
    jobs.filter(({ failures }) => failures > 0),
    [],
    exports.logged.join('\n'),
  );
});

test('[C29] deleting an export during its render stops it and leaves none of its files', async () => {
  await using exports = await ExportsFixture.open();
  const long = {
    timeline_data: {
      videos: [
        { file_field: 'clip', duration: 3, speed: 0.1 },
        { id: 'b', file_field: 'clip', start: 3, duration: 600 },
      ],
    },
  };
  const { id } = await exports.api.submit(exports.submission(long, { clip: clip.file }), uncancelled);
  exports.startWorker();
  for await (const { progress } of exports.api.follow(id, uncancelled)) if (progress > 0) break;
  assert.ok(await exports.api.remove('default', id));
  assert.equal(await exports.api.get('default', id), null);
  assert.equal(await exports.api.remove('default', id), false);
  const next = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  assert.equal((await followed(exports, next.id)).state, 'completed');
  assert.deepEqual(
    files(exports).filter((file) => file.includes(id)),
    [],
  );
});

test('[C29] deleting an export that a worker has just started is not an error, and is not counted', async () => {
  let removed: Promise<boolean> | undefined;
  await using exports = await ExportsFixture.open({}, undefined, ({ local }) => ({
    local: {
      scratch: () => local.scratch(),
      room: () => local.room(),
      hold: async (key, options) => {
        if (key.startsWith('plans/')) removed ??= exports.api.remove('default', id);
        await removed;
        return local.hold(key, options);
      },
    },
  }));
  // The record stays until the webhook is delivered.
  const callback = { callbackUrl: 'http://127.0.0.1:9/' };
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }, callback), uncancelled);
  exports.startWorker();
  const next = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  assert.equal((await followed(exports, next.id)).state, 'completed');
  assert.equal(await removed, true);
  assert.deepEqual(
    exports.logged.filter((line) => line.includes('failed')),
    [],
  );
  const { exportsByState } = await exports.api.status();
  assert.deepEqual(exportsByState, { queued: 0, rendering: 0, completed: 1, failed: 0 });
});

test('[H19] another tenant cannot see it', async () => {
  await using exports = await ExportsFixture.open();
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  assert.equal(await exports.api.get('someone', id), null);
  assert.equal(await exports.api.remove('someone', id), false);
});

test('[C34] media that do not render are errors at their entry, and nothing is stored', async () => {
  await using exports = await ExportsFixture.open();
  const submission = exports.submission(DOCUMENTS, { clip: import.meta.filename });
  await assert.rejects(exports.api.submit(submission, uncancelled), (error) => {
    assert.ok(error instanceof ExportError);
    assert.deepEqual([error.kind, error.path], ['unsupported', '/timeline_data/videos/0/file_field']);
    return true;
  });
  assert.deepEqual(files(exports), []);
});

test('[C35] the next service finishes what a stopped service was rendering', async () => {
  const long = {
    timeline_data: {
      videos: [{ file_field: 'clip', duration: 60 }],
      subtitles: [{ text: 'x', start: 0, duration: 60 }],
    },
  };
  const first = await ExportsFixture.open({ prerender: 'selected' });
  const { id } = await first.api.submit(first.submission(long, { clip: clip.file }), uncancelled);
  first.startWorker();
  for await (const { progress } of first.api.follow(id, uncancelled)) if (progress > 0.2) break;
  await first.stop();
  await using second = await ExportsFixture.open({ prerender: 'selected' }, first.folder);
  assert.equal((await second.api.get('default', id))?.state, 'queued');
  second.startWorker();
  await second.api.waitFor(id, 'preset_one', uncancelled);
  assert.equal((await second.api.get('default', id))?.state, 'completed');
});

test('[C12] if only the selected preset is rendered in advance, another one starts on request', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await exports.api.waitFor(id, 'preset_one', uncancelled);
  assert.equal(await exports.api.openOutput(id, 'preset_three'), null);
  await exports.api.waitFor(id, 'preset_three', uncancelled);
  assert.ok((await exports.api.openOutput(id, 'preset_three')) !== null);
});

test('[C72] an output is idle until a client asks for it', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  const documents = { ...DOCUMENTS, settings: { preset: 'preset_two' } };
  const { id } = await exports.api.submit(exports.submission(documents, { clip: clip.file }), uncancelled);
  const states = async () => (await exports.api.get('default', id))!.outputs.map(({ state }) => state);
  assert.deepEqual(await states(), ['idle', 'queued', 'idle']);
  const stop = new AbortController();
  const waiting = exports.api.waitFor(id, 'preset_three', stop.signal);
  while ((await states())[2] === 'idle') await nextTurn();
  assert.deepEqual(await states(), ['idle', 'queued', 'queued']);
  stop.abort();
  await assert.rejects(waiting);
});

test('[C33] a full queue and a full disk turn exports away before they cost anything', async () => {
  await using crowded = await ExportsFixture.open({ maxWaiting: 1 });
  await crowded.api.submit(crowded.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  const second = crowded.api.submit(crowded.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await assert.rejects(second, (error) => error instanceof ExportError && error.code === 'queue.full');
  await using full = await ExportsFixture.open({ minFreeDiskPercent: 100 });
  const refused = full.api.submit(full.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await assert.rejects(refused, (error) => error instanceof ExportError && error.code === 'disk.full');
});

test('[C35, H40] an export is removed with all its files after its retention', async () => {
  await using exports = await ExportsFixture.open({ retentionMs: -1 });
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(DOCUMENTS, { clip: clip.file }), uncancelled);
  await followed(exports, id);
  await exports.parts.removals.expire();
  assert.equal(await exports.api.get('default', id), null);
  assert.deepEqual(
    files(exports).filter((file) => !file.startsWith('parts')),
    [],
  );
});

test('[C73] an export is kept for the requested time, and its files are named by preset', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' }, undefined, ({ rules }) => {
    const [one, two, three] = rules.presets;
    return { rules: { ...rules, presets: [one, { ...two, aliases: ['portrait', 'tall'] }, three] } };
  });
  exports.startWorker();
  const documents = { ...DOCUMENTS, settings: { file_name: 'Ranked' } };
  const submit = (hours: string) =>
    exports.api.submit(exports.submission(documents, { clip: clip.file }, { retentionHours: hours }), uncancelled);
  const begun = Date.now();
  const { id } = await submit('48');
  await exports.api.waitFor(id, 'preset_one', uncancelled);
  await exports.api.waitFor(id, 'preset_two', uncancelled);
  const { expiresAtMs } = (await exports.api.get('default', id))!;
  assert.ok(expiresAtMs! >= begun + 48 * 3_600_000);
  const names = await Promise.all(['preset_one', 'preset_two'].map((preset) => exports.api.openOutput(id, preset)));
  assert.deepEqual(
    names.map((output) => output?.fileName),
    ['Ranked.mp4', 'Ranked-portrait.mp4'],
  );
  for (const wrong of ['0', '49', '1.5', 'long']) {
    await assert.rejects(submit(wrong), { code: 'field.range', path: '/retention_hours' }, wrong);
  }
});

test('[C37, C68] the webhook of an export gets the event of its end', async () => {
  const { promise: reported, resolve: report } = Promise.withResolvers<{ id: string; body: string }>();
  const server = createServer(async (request, response) => {
    report({ id: String(request.headers['webhook-id']), body: String(await buffer(request)) });
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`;
  await using exports = await ExportsFixture.open();
  exports.startWorker();
  const { id } = await exports.api.submit(
    exports.submission(DOCUMENTS, { clip: clip.file }, { callbackUrl }),
    uncancelled,
  );
  const message = await reported;
  const { type, data } = JSON.parse(message.body);
  assert.deepEqual([message.id, type, data], [`${id}.completed`, 'export.completed', { export_id: id }]);
  server.close();
});
