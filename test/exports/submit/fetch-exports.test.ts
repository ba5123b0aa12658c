import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { ExportView } from '../../../src/exports/api/export-view.ts';
import type { Submission } from '../../../src/exports/api/submission.ts';
import { FetchPlaces } from '../../../src/exports/media/fetch-media.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { fileServer } from '../../outbound/file-server.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { sumOf } from '../media/put-media.ts';

const CLIP = (await makeClip({ frames: 30, width: 128, height: 72, sound: { seconds: 1 } })).file;
const OTHER = (await makeClip({ frames: 30, width: 96, height: 96 })).file;
const TIMELINE = { videos: [{ file_field: 'clip', duration: 1 }] };
const BOTH = {
  videos: [
    { file_field: 'clip', duration: 1 },
    { file_field: 'other', start: 1, duration: 1 },
  ],
};

function request(
  exports: ExportsFixture,
  timeline: object,
  urls: unknown,
  files: Record<string, string> = {},
  other: Partial<Submission> = {},
): Submission {
  const made = exports.submission({ timeline_data: timeline }, files, other);
  return { ...made, texts: new Map([...made.texts, ['media_urls', JSON.stringify(urls)]]) };
}

/** Serves a file, and returns 304 to conditional requests. */
function serving(file: string, etag = '"1"'): RequestListener {
  return ({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag }).end(readFileSync(file));
  };
}

/** The export when `wanted` holds of it. */
async function until(exports: ExportsFixture, id: string, wanted: (view: ExportView) => boolean): Promise<ExportView> {
  for await (const view of exports.api.follow(id, uncancelled)) if (wanted(view)) return view;
  const view = await exports.api.get(null, id);
  assert.ok(view !== null && wanted(view), JSON.stringify(view));
  return view;
}

const isHere = ({ fetching, state }: ExportView) => fetching === null || state === 'failed';

async function issuesOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ExportError)) throw error;
  return [error.kind, ...error.issues.map(({ path, code }) => `${path} ${code}`)];
}

test('[C66] an export is accepted before its files are fetched, and then equals one with uploaded files', async () => {
  await using exports = await ExportsFixture.open();
  const go = Promise.withResolvers<void>();
  await using server = await fileServer(async (incoming, response) => {
    await go.promise;
    serving(CLIP)(incoming, response);
  });
  const sent = request(exports, BOTH, { clip: `${server.base}/clip.mp4` }, { other: OTHER });
  const { id } = await exports.api.submit(sent, uncancelled);
  const before = await exports.api.get('default', id);
  assert.deepEqual([before?.state, before?.durationSeconds], ['queued', null]);
  assert.deepEqual(before?.fetching, { files: 1, filesDone: 0, bytesDone: 0 });
  assert.equal(await exports.api.chapters(id), null);
  assert.equal(await exports.api.captions(id, 'vtt'), null);
  go.resolve();
  const after = await until(exports, id, isHere);
  assert.deepEqual([after.state, after.durationSeconds, after.fetching], ['queued', 2, null]);
  const { records, database } = exports.ports;
  const uploads = (await records.find(id, database))?.uploads.map(({ field, hash }) => [field, hash]);
  assert.deepEqual(uploads, [
    ['clip', sumOf(CLIP)],
    ['other', sumOf(OTHER)],
  ]);
  const sending = exports.submission({ timeline_data: BOTH }, { clip: CLIP, other: OTHER });
  const twin = await exports.api.submit(sending, uncancelled);
  const plan = (of: string) => exports.ports.blobs.read(`plans/${of}/preset_one.json` as never);
  const texts = await Promise.all([id, twin.id].map(async (of) => (await (await plan(of)).toArray()).join('')));
  assert.equal(texts[0], texts[1]);
});

test('[C66] a waiting client gets the video, and a failed fetch fails the export with a readable error', async () => {
  await using exports = await ExportsFixture.open({ prerender: 'selected' });
  exports.startWorker();
  await using server = await fileServer((incoming, response) => {
    if (incoming.url === '/clip') serving(CLIP)(incoming, response);
    else response.writeHead(403).end();
  });
  const url = `${server.base}/clip`;
  const { id } = await exports.api.submit(request(exports, TIMELINE, { clip: url }), uncancelled);
  await exports.api.waitFor(id, 'preset_two', uncancelled);
  assert.notEqual(await exports.api.openOutput(id, 'preset_two'), null, 'one that nobody had asked for before');
  await exports.api.waitFor(id, 'preset_one', uncancelled);
  const both = request(exports, BOTH, { clip: url, other: `${server.base}/secret` });
  const failing = await exports.api.submit(both, uncancelled);
  await exports.api.waitFor(failing.id, 'preset_one', uncancelled);
  const { state, failure, fetching, durationSeconds } = (await exports.api.get('default', failing.id))!;
  assert.deepEqual([state, fetching, durationSeconds], ['failed', null, null]);
  assert.deepEqual([failure?.kind, failure?.code], ['invalid', 'fetch.failed']);
  assert.equal(failure?.issues[0]?.path, '/media_urls/other');
  assert.match(failure?.message ?? '', /it returned status 403 \(Forbidden\)/);
  assert.equal(await exports.api.remove('default', failing.id), true);
});

test('[C66, C3] an address that no entry uses is a warning, and is not fetched', async () => {
  await using exports = await ExportsFixture.open();
  await using server = await fileServer(serving(CLIP));
  const sent = request(exports, TIMELINE, { clip: `${server.base}/clip`, unused: `${server.base}/unused` });
  const { id } = await exports.api.submit(sent, uncancelled);
  const { warnings } = await until(exports, id, isHere);
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/media_urls/unused media.unreferenced'],
  );
  assert.deepEqual(
    server.asked.map(({ path }) => path),
    ['/clip'],
  );
});

test('[C66] invalid addresses are returned with all other errors, and nothing is fetched', async () => {
  await using exports = await ExportsFixture.open({
    maxMediaParts: 3,
    fetchRules: { allowPrivate: false, idleMs: 1000, totalMs: 1000 },
  });
  await using server = await fileServer(serving(CLIP));
  const wrong = {
    clip: `${server.base}/clip`,
    other: 'https://user:secret@example.com/x',
    third: 7,
  };
  const sent = request(exports, { videos: [{ file_field: 'clip', speed: 99 }] }, wrong);
  const expected = [
    'invalid',
    '/media_urls/third field.type',
    '/media_urls/clip fetch.address',
    '/media_urls/other fetch.address',
    '/timeline_data/videos/0/speed field.range',
  ];
  assert.deepEqual(await issuesOf(exports.api.submit(sent, uncancelled)), expected);
  assert.deepEqual(await issuesOf(exports.api.validate(sent, uncancelled)), expected);
  for (const urls of ['not an object', [1], null]) {
    const issues = await issuesOf(exports.api.submit(request(exports, TIMELINE, urls), uncancelled));
    assert.ok(issues.includes('/media_urls field.type'), issues.join());
  }
  const twice = request(exports, TIMELINE, { clip: 'https://example.com/clip' }, { clip: CLIP });
  assert.deepEqual(await issuesOf(exports.api.submit(twice, uncancelled)), [
    'invalid',
    '/media_urls/clip reference.repeated',
  ]);
  const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((field) => [field, 'https://example.com/clip']));
  assert.ok(
    (await issuesOf(exports.api.submit(request(exports, TIMELINE, many), uncancelled))).join().includes('too_many'),
  );
  assert.deepEqual(server.asked, []);
});

test('[C66] a known URL is revalidated, and different content is used as such', async () => {
  await using exports = await ExportsFixture.open();
  let current = serving(CLIP, '"1"');
  await using server = await fileServer((incoming, response) => current(incoming, response));
  const url = `${server.base}/clip?signature=secret`;
  const first = await exports.parts.media.fetch('default', url, uncancelled);
  assert.deepEqual([first?.known, first?.view.sha256], [false, sumOf(CLIP)]);
  const second = await exports.parts.media.fetch('default', url, uncancelled);
  assert.deepEqual([second?.known, second?.view.sha256], [true, sumOf(CLIP)]);
  assert.deepEqual(
    server.asked.map(({ headers }) => headers['if-none-match']),
    [undefined, '"1"'],
  );
  const elsewhere = await exports.parts.media.fetch('another', url, uncancelled);
  assert.equal(elsewhere?.known, false, 'what one tenant has is nothing to another');
  current = serving(OTHER, '"2"');
  assert.equal((await exports.parts.media.fetch('default', url, uncancelled))?.view.sha256, sumOf(OTHER));
  await exports.parts.media.remove('default', sumOf(OTHER));
  const again = await exports.parts.media.fetch('default', url, uncancelled);
  assert.equal(again?.known, false, 'what was deleted comes again');
  assert.equal(server.asked.at(-1)?.headers['if-none-match'], undefined);
  const metrics = await exports.metrics.text(await exports.api.status());
  assert.match(metrics, /tiercut_media_fetches_total\{outcome="unchanged"\} 1/);
  const rows = await exports.ports.database.query<{ address: string }>('select address from fetched_media');
  assert.ok(
    rows.every(({ address }) => /^[0-9a-f]{64}$/.test(address)),
    'an address may be a secret',
  );
});

test('[C66] a file that is too large or exceeds the quota is refused, and no bytes of it are left', async () => {
  await using exports = await ExportsFixture.open({ maxFileBytes: 1000, maxMediaBytes: 1500 });
  await using server = await fileServer(({ url }, response) => {
    const bytes = Buffer.alloc(Number(url!.split('/')[2]), url);
    if (url!.startsWith('/announced')) response.end(bytes);
    else response.write(bytes, () => response.end());
  });
  const code = async (path: string) => {
    const [, issue] = await issuesOf(exports.parts.media.fetch('default', server.base + path, uncancelled));
    return issue;
  };
  assert.equal(await code('/announced/1001'), '/url fetch.too_large');
  assert.equal(await code('/untold/1001'), '/url fetch.too_large');
  await exports.parts.media.fetch('default', `${server.base}/announced/900`, uncancelled);
  await assert.rejects(exports.parts.media.fetch('default', `${server.base}/untold/901`, uncancelled), {
    code: 'media.quota_full',
  });
  await exports.parts.media.fetch('another', `${server.base}/untold/901`, uncancelled);
  const { bytes } = await exports.ports.media.sum('default', exports.ports.database);
  assert.equal(bytes, 900);
  assert.equal((await exports.ports.database.query('select * from contents')).length, 2);
});

test('[C66] files of one tenant come a few at a time, and its slow servers do not delay other tenants', async () => {
  const places = new FetchPlaces({ maxFetches: 3, maxTenantFetches: 2 });
  const go = Promise.withResolvers<void>();
  let begun = 0;
  const wait = async () => {
    begun += 1;
    await go.promise;
  };
  const waiting = Array.from({ length: 4 }, () => places.run('slow', uncancelled, wait));
  await places.run('quick', uncancelled, async () => {});
  assert.equal(begun, 2);
  go.resolve();
  await Promise.all(waiting);
  assert.equal(begun, 4);
});

test('[C66] a fetch that a shutdown interrupts continues at the next start', async () => {
  const hold = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using server = await fileServer((incoming, response) => {
    asked.resolve();
    void hold.promise.then(() => serving(CLIP)(incoming, response));
  });
  const first = await ExportsFixture.open();
  const sent = request(first, BOTH, { clip: `${server.base}/clip` }, { other: OTHER });
  const { id } = await first.api.submit(sent, uncancelled);
  await asked.promise;
  await first.stop();
  hold.resolve();
  await using second = await ExportsFixture.open({}, first.folder);
  const view = await until(second, id, isHere);
  assert.deepEqual([view.state, view.durationSeconds], ['queued', 2]);
});

test('[C66] another node takes over a fetch whose node died, and a late result of the first changes nothing', async () => {
  const clock = { ms: Date.UTC(2026, 0, 2) };
  await using exports = await ExportsFixture.open({}, undefined, () => ({ alone: false, now: () => clock.ms }));
  const { jobs, database, records, changes } = exports.ports;
  const asked = Promise.withResolvers<void>();
  await using server = await fileServer(() => asked.resolve());
  const { id } = await exports.api.submit(request(exports, TIMELINE, { clip: server.base }), uncancelled);
  await asked.promise;
  const wanted = { lane: 'fetch', except: ['another'] } as const;
  assert.equal(await jobs.claim(wanted), null, 'it is held');
  clock.ms += 120_000;
  const attempt = (await jobs.claim(wanted))!;
  assert.deepEqual([attempt.job.exportId, attempt.job.tenant], [id, 'default']);
  assert.equal(await jobs.claim(wanted), null);
  changes.notify(id);
  await server.idle();
  assert.equal((await records.find(id, database))?.state, 'queued');
  assert.equal(await database.transaction((tx) => jobs.complete(attempt, tx)), true);
});

test('[C66, C29] deleting an export while its files are fetched ends the fetch', async () => {
  await using exports = await ExportsFixture.open();
  const asked = Promise.withResolvers<void>();
  await using server = await fileServer(() => asked.resolve());
  const { id } = await exports.api.submit(request(exports, TIMELINE, { clip: server.base }), uncancelled);
  await asked.promise;
  assert.equal(await exports.api.remove('default', id), true);
  await server.idle();
  assert.equal(await exports.api.get('default', id), null);
  assert.deepEqual(await exports.ports.database.query('select * from fetches'), []);
  assert.deepEqual(
    exports.logged.filter((line) => line.includes('fetch')),
    [],
  );
});

test('[C66, C29] a preset that is stopped while files are fetched stays stopped, and the others are rendered', async () => {
  await using exports = await ExportsFixture.open();
  const go = Promise.withResolvers<void>();
  await using server = await fileServer(async (incoming, response) => {
    await go.promise;
    serving(CLIP)(incoming, response);
  });
  const { id } = await exports.api.submit(request(exports, TIMELINE, { clip: server.base }), uncancelled);
  assert.equal(await exports.api.stop('default', id, 'preset_two'), true);
  const codes = (view: ExportView | null) => view?.outputs.map(({ state, failure }) => failure?.code ?? state);
  assert.deepEqual(codes(await exports.api.get('default', id)), ['idle', 'output.stopped', 'idle']);
  go.resolve();
  const after = await until(exports, id, isHere);
  assert.deepEqual(codes(after), ['queued', 'output.stopped', 'queued']);
  const { database } = exports.ports;
  const jobs = await database.query<{ presets: string }>('select presets from jobs');
  assert.ok(jobs.length > 0 && jobs.every(({ presets }) => !presets.includes('preset_two')));
  const [stopped] = await database.query<{ frames: number }>(
    "select total_frames as frames from outputs where preset = 'preset_two'",
  );
  assert.equal(stopped?.frames, 30);
  assert.deepEqual(await database.query("select * from part_pins where owner like '%preset_two%'"), []);
});

test('[C66, C29] stopping the selected preset during the fetch ends the export and the fetch', async () => {
  await using exports = await ExportsFixture.open();
  const asked = Promise.withResolvers<void>();
  await using server = await fileServer(() => asked.resolve());
  const { id } = await exports.api.submit(request(exports, TIMELINE, { clip: server.base }), uncancelled);
  await asked.promise;
  assert.equal(await exports.api.stop('default', id, 'preset_one'), true);
  await server.idle();
  const { state, failure, fetching, outputs } = (await exports.api.get('default', id))!;
  assert.deepEqual([state, failure?.code, fetching], ['failed', 'output.stopped', null]);
  assert.ok(outputs.every((output) => output.failure?.code === 'output.stopped'));
  assert.deepEqual(await exports.ports.database.query('select * from fetches'), []);
});

test('[C66, C30, C39, C78] validate, frames and pauses fetch the files they need', async () => {
  await using exports = await ExportsFixture.open();
  await using server = await fileServer(serving(CLIP));
  const url = `${server.base}/clip`;
  const sent = request(exports, TIMELINE, { clip: url });
  const { durationSeconds } = await exports.api.validate(sent, uncancelled);
  assert.equal(durationSeconds, 1);
  const texts = new Map([...sent.texts, ['at', '0.5']]);
  const frame = await exports.api.frame({ ...sent, texts, format: 'png' }, uncancelled);
  assert.deepEqual([frame.width, frame.height], [128, 72]);
  const asking = { tenant: 'default', texts: new Map([['media_url', url]]), uploads: new Map() };
  assert.equal((await exports.api.pauses(asking, uncancelled)).duration, 1);
  const other = { ...asking, texts: new Map([['media_url', `${url.replace('http:', 'ftp:')}`]]) };
  assert.deepEqual(await issuesOf(exports.api.pauses(other, uncancelled)), ['invalid', '/media_url fetch.address']);
  const two = { ...asking, texts: new Map([...asking.texts, ['media_ref', sumOf(CLIP)]]) };
  assert.deepEqual(await issuesOf(exports.api.pauses(two, uncancelled)), ['invalid', '/media_url reference.repeated']);
  assert.equal(server.asked.filter(({ headers }) => headers['if-none-match'] === undefined).length, 1);
});
