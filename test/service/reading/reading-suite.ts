import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { problemOf } from '../../http/serve.ts';
import {
  createAsync,
  download,
  ended,
  eventsOf,
  metadataOf,
  post,
  reached,
  type StreamedEvent,
  statusOf,
} from '../export-client.ts';
import { longRequest, sampleRequest } from '../sample-request.ts';
import type { Deployment } from '../service-fixture.ts';

/** Reading, following and ending exports, on any deployment. */
export function readingSuite(start: () => Promise<Deployment>): void {
  let service: Deployment;
  let made: ExportMetadata;
  before(async () => {
    service = await start();
    const settings = { file_name: 'Größte „Hits“' };
    const { export_id } = await metadataOf(await post(service, sampleRequest({ settings })), 201);
    made = await ended(service, export_id);
  });
  after(() => service[Symbol.asyncDispose]());

  function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${service.base}${path}`, { method, headers, redirect: 'manual' });
  }

  test('[C26] events go from the queue to the end, and never back', async () => {
    const { export_id } = await createAsync(service, longRequest(40, { label: 'followed' }));
    const events: StreamedEvent[] = await Array.fromAsync(eventsOf(service, export_id));
    const states = events.map(({ data }) => data.state);
    assert.equal(events.at(-1)!.data.state, 'completed');
    assert.deepEqual([...new Set(states)], ['queued', 'rendering', 'completed'].slice(states[0] === 'queued' ? 0 : 1));
    for (const [i, { id, data }] of events.entries()) {
      assert.ok(data.progress >= (events[i - 1]?.data.progress ?? 0));
      assert.ok(Number(id) > Number(events[i - 1]?.id ?? 0));
    }
    assert.ok(events.filter(({ event }) => event === 'progress').length > 2, 'progress is reported meanwhile');
    await ended(service, export_id);
    const middle = events[Math.floor(events.length / 2)]!;
    const rest = await Array.fromAsync(eventsOf(service, export_id, { 'last-event-id': middle.id }));
    assert.deepEqual(
      [rest.length, rest.at(-1)!.data.state],
      [1, 'completed'],
      'a client that reconnects gets the current state',
    );
    const last = await get(`/video/exports/${export_id}/events`, { 'last-event-id': rest.at(-1)!.id });
    assert.equal(last.status, 204, 'a client that has seen the end gets no more events');
  });

  test('[C27] a download has its length, ETag and name; ranges, conditions and HEAD work as RFC 9110 says', async () => {
    const { bytes, sha256 } = made.outputs.preset_one!;
    const etag = `"${sha256}"`;
    const head = await get(made.download_url, {}, 'HEAD');
    assert.deepEqual(
      ['content-type', 'content-length', 'etag', 'accept-ranges', 'x-content-type-options'].map((name) =>
        head.headers.get(name),
      ),
      ['video/mp4', String(bytes), etag, 'bytes', 'nosniff'],
    );
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    assert.match(head.headers.get('content-disposition')!, /^attachment; .*filename\*=UTF-8''Gr%C3%B6%C3%9Fte/);
    const inline = await get(`${made.download_url}?inline`);
    assert.match(inline.headers.get('content-disposition')!, /^inline/);
    const whole = Buffer.from(await inline.arrayBuffer());
    const part = await get(made.download_url, { range: 'bytes=100-299', 'if-range': etag });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 100-299/${bytes}`]);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 300));
    const tail = await get(made.download_url, { range: 'bytes=-7' });
    assert.deepEqual(Buffer.from(await tail.arrayBuffer()), whole.subarray(-7));
    const changed = await get(made.download_url, { range: 'bytes=0-1', 'if-range': '"another"' });
    assert.deepEqual([changed.status, (await changed.arrayBuffer()).byteLength], [200, bytes]);
    assert.equal((await get(made.download_url, { 'if-none-match': etag })).status, 304);
    await problemOf(await get(made.download_url, { range: `bytes=${bytes}-` }), 416);
  });

  test('[C27] the client chooses whether to wait for an unfinished download', async () => {
    const { export_id, downloads } = await createAsync(service, longRequest(40, { label: 'awaited' }));
    const impatient = await get(downloads.preset_three!, { prefer: 'wait=0' });
    const { state } = await metadataOf(impatient, 202);
    assert.ok(state === 'queued' || state === 'rendering', state);
    assert.ok(Number(impatient.headers.get('retry-after')) > 0);
    const waited = await get(downloads.preset_three!);
    assert.deepEqual([waited.status, waited.headers.get('content-type')], [200, 'video/mp4']);
    await waited.arrayBuffer();
    const { outputs } = await ended(service, export_id);
    for (const preset of Object.keys(outputs)) await download(service, { downloads, outputs }, preset);
  });

  test('[C11] an alias leads to the same video as the preset’s name', async () => {
    const byAlias = await get(made.downloads.preset_three!.replace('preset_three', 'square'), {}, 'HEAD');
    assert.equal(byAlias.headers.get('etag'), `"${made.outputs.preset_three!.sha256}"`);
  });

  test('[C28] the poster is a JPEG of the finished board, chapters are lines for a description', async () => {
    const poster = await get(made.links.poster);
    assert.equal(poster.headers.get('content-type'), 'image/jpeg');
    assert.deepEqual([...new Uint8Array(await poster.arrayBuffer()).subarray(0, 2)], [0xff, 0xd8]);
    assert.equal(await (await get(made.links.chapters)).text(), '0:00 Few, ranked\n0:02 One\n');
  });

  test('[C29] a deleted export is gone with its files, also if it is deleted during its render', async () => {
    const { export_id: finished } = await metadataOf(
      await post(service, sampleRequest({ settings: { fps: 25 } })),
      201,
    );
    const { export_id: running } = await createAsync(service, longRequest(600, { label: 'deleted' }));
    for await (const { data } of eventsOf(service, running)) if (data.progress > 0) break;
    const following = eventsOf(service, running);
    await following.next();
    const rest = Array.fromAsync(following);
    for (const id of [finished, running]) {
      assert.equal((await get(`/video/exports/${id}`, {}, 'DELETE')).status, 204);
      const addresses = ['', '/events', '/poster', '/chapters', '/download/preset_one'];
      for (const address of addresses) await problemOf(await get(`/video/exports/${id}${address}`), 404);
      await problemOf(await get(`/video/exports/${id}`, {}, 'DELETE'), 404);
      assert.deepEqual(
        service.files('blobs').filter((file) => file.includes(id)),
        [],
      );
    }
    const { event, data } = (await rest).at(-1)!;
    assert.deepEqual(
      [event, data.state, data.export_id],
      ['state', 'cancelled', running],
      'a follower gets the event (C26)',
    );
    await reached('an empty work folder', () => service.files('work').length === 0);
  });

  test('[C30] validate checks as create does, with or without files, and keeps nothing', async () => {
    const before = service.files('blobs');
    const request = sampleRequest({ settings: { preset: 'preset_two' } });
    const bare = await post(service, { documents: request.documents }, {}, '/video/exports/validate');
    const { ok, unchecked, settings } = (await bare.json()) as Record<string, unknown>;
    assert.deepEqual([bare.status, ok, (settings as { width: number }).width], [200, true, 72]);
    assert.deepEqual(unchecked, Object.keys(request.files!), 'each file is optional (C71)');
    const words = { tier_list: {}, timeline_data: { subtitles: [{ text: 'No files', start: 0, duration: 2 }] } };
    const needsNone = await post(service, { documents: words }, {}, '/video/exports/validate');
    const planned = (await needsNone.json()) as Record<string, unknown>;
    assert.deepEqual([planned.duration, typeof planned.plan], [2, 'string'], 'nothing is missing, so it is planned');
    const full = await post(service, request, {}, '/video/exports/validate');
    const { plan, duration, warnings, ...more } = (await full.json()) as Record<string, unknown>;
    assert.deepEqual(more.unchecked, []);
    assert.equal((more.plan_json as { preset: string }).preset, 'preset_two');
    assert.match(String(plan), /^preset preset_two {2}72×128 {2}30 fps/);
    assert.deepEqual([duration, warnings], [3, []]);
    const wrong = sampleRequest({ timeline_data: {} });
    const problem = await problemOf(await post(service, wrong, {}, '/video/exports/validate'), 422);
    assert.equal(problem.code, (await problemOf(await post(service, wrong), 422)).code);
    assert.deepEqual(service.files('blobs'), before);
  });

  test('[C31] the service describes itself', async () => {
    const openApi = (await (await get('/openapi.json')).json()) as { openapi: string; paths: Record<string, object> };
    assert.match(openApi.openapi, /^3\.1/);
    for (const path of ['', '/validate', '/{id}', '/{id}/events', '/{id}/poster', '/{id}/chapters']) {
      assert.ok(`/video/exports${path}` in openApi.paths, path);
    }
    assert.match(await (await get('/docs/api')).text(), /\/video\/exports/);
    assert.equal(((await (await get('/limits')).json()) as Record<string, number>).max_json_bytes, 2 ** 20);
    assert.equal(((await (await get('/healthz')).json()) as { ok: boolean }).ok, true);
    const ready = (await (await get('/readyz')).json()) as {
      ok: boolean;
      checks: { name: string; detail: string }[];
    };
    assert.equal(ready.ok, true);
    const sandbox = ready.checks.find(({ name }) => name.startsWith('sandbox'));
    assert.match(sandbox?.detail ?? '', /rlimits .*self-test: \d+ of \d+$/);
    const metrics = await (await get('/metrics')).text();
    assert.match(metrics, /^tiercut_exports\{state="completed"\} [1-9]/m);
    assert.match(metrics, /^tiercut_http_request_seconds_bucket/m);
  });

  test('[C35] an ended export does not change', async () => {
    const before = await statusOf(service, made.export_id);
    assert.deepEqual([before.state, before.progress], ['completed', 1]);
    assert.deepEqual(await statusOf(service, made.export_id), before);
  });
}
