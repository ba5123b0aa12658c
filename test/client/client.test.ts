import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { TiercutClient, TiercutError } from '../../packages/client/src/client.ts';
import { fileSource, saveTo } from '../../packages/client/src/node.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { CLIP } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_API_KEYS: 'me:a-key-of-my-own-1', TIERCUT_PRERENDER: 'selected' });
});
after(() => service?.[Symbol.asyncDispose]());

/** A client on a connection that a test can break, and its traffic. */
function clientOn(spoil: (request: string, response: () => Promise<Response>) => Promise<Response> = (_, r) => r()) {
  const sent: string[] = [];
  const line: typeof fetch = (input, init) => {
    const request = `${init?.method ?? 'GET'} ${String(input).slice(service.base.length)}`;
    sent.push(request);
    return spoil(request, () => fetch(input, init));
  };
  return {
    client: new TiercutClient({ url: `${service.base}/`, key: 'a-key-of-my-own-1', fetch: line, retry: 2 }),
    sent,
  };
}

const DOCUMENTS = {
  tier_list: { rows: [], items: [] },
  timeline_data: { subtitles: [{ text: 'Hello', start: 0, duration: 1 }] },
  settings: { quality: 'draft' },
} as const;

/** A WAVE file of noise, different each time. */
function noise(bytes: number): Blob {
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(48_000, 24);
  header.writeUInt32LE(192_000, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return new Blob([header, randomBytes(bytes)]);
}

test('[C38] an upload reports progress, and stored content is not sent again', async () => {
  const { client, sent } = clientOn();
  const blob = noise(200_000);
  const stages: string[] = [];
  const partBytes = 65_536;
  const media = await client.upload(blob, {
    partBytes,
    onProgress: ({ stage, done, bytes }) => stages.push(`${stage} ${done}/${bytes}`),
  });
  const whole = 200_044;
  assert.deepEqual(stages, [
    `hashing ${whole}/${whole}`,
    ...[0, 1, 2, 3].map((n) => `sending ${n * partBytes}/${whole}`),
    `sending ${whole}/${whole}`,
  ]);
  assert.deepEqual([media.bytes, media.facts.kind, media.facts.sound?.channels], [whole, 'audio', 2]);
  sent.length = 0;
  const again = await client.upload(blob, { partBytes });
  assert.deepEqual({ ...again, expires_at: null }, { ...media, expires_at: null });
  assert.deepEqual(
    sent.map((request) => request.split(' ')[0]),
    ['HEAD', 'PUT'],
    'one byte, whose response has the size',
  );
});

test('[C38] an interrupted upload resumes, in the same run and in another', async () => {
  let puts = 0;
  const { client, sent } = clientOn(async (request, response) => {
    if (!request.startsWith('PUT')) return response();
    puts += 1;
    if (puts === 2) throw new TypeError('the line is cut');
    return response();
  });
  const blob = noise(200_000);
  const stop = new AbortController();
  const first = client.upload(blob, {
    partBytes: 50_000,
    signal: stop.signal,
    onProgress: ({ stage, done }) => stage === 'sending' && done >= 100_000 && stop.abort(new Error('enough')),
  });
  await assert.rejects(first, /enough/);
  assert.deepEqual(
    sent.map((request) => request.split(' ')[0]),
    ['HEAD', 'PUT', 'PUT', 'HEAD', 'PUT'],
  );
  const offsets: number[] = [];
  await clientOn().client.upload(blob, { onProgress: ({ stage, done }) => stage === 'sending' && offsets.push(done) });
  assert.deepEqual(offsets, [100_000, 200_044]);
});

test('a client creates, follows and downloads an export over connections that break', async () => {
  let streams = 0;
  const lastIds: string[] = [];
  const { client } = clientOn(async (request, response) => {
    const answer = await response();
    if (request.endsWith('/events')) {
      streams += 1;
      // The first event arrives, then the connection is cut.
      if (streams === 1) return cutAfter(answer, 400, 'end');
    }
    if (request.includes('/download/') && answer.status === 200) return cutAfter(answer, 1000, 'break');
    if (request.includes('/download/')) lastIds.push(String(answer.status));
    return answer;
  });
  using folder = new ScratchFolder();
  const clip = await fileSource(CLIP.file);
  const made = await client.create({
    ...DOCUMENTS,
    timeline_data: { videos: [{ file_field: 'clip', duration: 2 }] },
    media: { clip },
    external_id: 'one of mine',
  });
  assert.equal(made.external_id, 'one of mine');
  const shares: number[] = [];
  const done = await client.wait(made.export_id, { onProgress: (share) => shares.push(share) });
  assert.equal(done.state, 'completed');
  assert.equal(shares.at(-1), 1);
  assert.ok(streams >= 2, 'it came back');

  const video = await client.download(made.export_id);
  await saveTo(folder.in('out.mp4'), video);
  const bytes = readFileSync(folder.in('out.mp4'));
  assert.equal(createHash('sha256').update(bytes).digest('hex'), done.outputs.preset_one!.sha256);
  assert.deepEqual([video.bytes, video.name, lastIds], [bytes.length, 'export.mp4', ['206']]);

  const { exports, next } = await client.list({ external_id: 'one of mine' });
  assert.deepEqual([exports.map(({ export_id }) => export_id), next], [[made.export_id], null]);
  assert.equal((await client.poster(made.export_id)).type, 'image/jpeg');
  assert.equal(await client.chapters(made.export_id), '');
  await client.delete(made.export_id);
  await assert.rejects(client.status(made.export_id), { code: 'export.unknown', status: 404 });
});

test('a damaged download is an error, and leaves no file', async () => {
  const { client } = clientOn(async (request, response) => {
    const answer = await response();
    if (!request.includes('/download/')) return answer;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    bytes[bytes.length >> 1]! ^= 1;
    return new Response(bytes, { headers: answer.headers });
  });
  using folder = new ScratchFolder();
  const { export_id } = await client.create(DOCUMENTS);
  await assert.rejects(async () => saveTo(folder.in('out.mp4'), await client.download(export_id)), {
    name: 'TiercutError',
    code: 'client.damaged',
  });
  assert.deepEqual(readdirSync(folder.path), []);
});

test('a download replaces a file unless it must not, and follows no link', async () => {
  const { client } = clientOn();
  using folder = new ScratchFolder();
  const { export_id } = await client.create(DOCUMENTS);
  await client.wait(export_id);
  const save = async (options: { overwrite?: boolean }) =>
    saveTo(folder.in('out.mp4'), await client.download(export_id), options);
  writeFileSync(folder.in('mine'), 'mine');
  symlinkSync(folder.in('mine'), folder.in('out.mp4'));
  symlinkSync(folder.in('mine'), folder.in('out.mp4.part'));
  await assert.rejects(save({ overwrite: false }), { code: 'EEXIST' });
  await save({});
  assert.equal(readFileSync(folder.in('mine'), 'utf8'), 'mine');
  assert.ok(readFileSync(folder.in('out.mp4')).length > 1000);
  await assert.rejects(save({ overwrite: false }), { code: 'EEXIST' });
  assert.deepEqual(readdirSync(folder.path).sort(), ['mine', 'out.mp4', 'out.mp4.part']);
});

test('a create whose response was lost is retried, and makes one export', async () => {
  let creates = 0;
  const { client } = clientOn(async (request, response) => {
    const answer = await response();
    if (request === 'POST /video/exports' && ++creates === 1) throw new TypeError('the answer is lost');
    return answer;
  });
  const { export_id } = await client.create({ ...DOCUMENTS, external_id: 'once' });
  const { exports } = await client.list({ external_id: 'once' });
  assert.deepEqual([creates, exports.map((one) => one.export_id)], [2, [export_id]]);
});

test('[C39] a frame is returned as a picture with its number', async () => {
  const { client } = clientOn();
  const { picture, frame, frames, time } = await client.frame({ ...DOCUMENTS, at: 0.55, type: 'image/webp' });
  assert.deepEqual([picture.type, frame, frames, time], ['image/webp', 16, 30, 0.533333]);
  await assert.rejects(client.frame({ ...DOCUMENTS, frame: 99_999 }), { name: 'TiercutError' });
});

test('[C92, R40] a thumbnail is returned as a picture, of documents and of an export; so are the texts to publish', async () => {
  const { client } = clientOn();
  const tier_list = {
    title: 'Two',
    rows: [{ id: 'S', item_ids: ['a'] }, { id: 'F' }],
    items: [{ id: 'a' }, { id: 'b' }],
  };
  const documents = { ...DOCUMENTS, tier_list };
  const { picture, warnings } = await client.thumbnail({ ...documents, style: 'versus', items: ['b', 'a'] });
  assert.deepEqual([picture.type, warnings], ['image/jpeg', []]);
  await assert.rejects(client.thumbnail({ ...documents, style: 'versus', items: ['a'] }), { code: 'thumbnail.items' });
  const { export_id } = await client.create(documents);
  const own = await client.exportThumbnail(export_id, { text: '', type: 'image/png' });
  assert.equal(own.picture.type, 'image/png');
  assert.equal((await client.publishingKit(export_id)).title, 'Two');
});

test('[C38] a file with a known hash is not read for hashing, and a request needs only its reference', async () => {
  const { client, sent } = clientOn();
  const blob = noise(1000);
  const sha256 = createHash('sha256')
    .update(Buffer.from(await blob.arrayBuffer()))
    .digest('hex');
  const stages = new Set<string>();
  assert.equal(await client.has(sha256), false);
  const { media } = await client.upload(blob, { sha256, onProgress: ({ stage }) => stages.add(stage) });
  assert.deepEqual([media, [...stages]], [sha256, ['sending']]);
  assert.equal(await client.has(sha256), true);
  sent.length = 0;
  const timeline_data = { soundtracks: [{ file_field: 'song' }] };
  await client.validate({ ...DOCUMENTS, timeline_data, media: { song: { media: sha256 } } });
  assert.deepEqual(sent, ['POST /video/exports/validate']);
});

test('[C67] a request is one JSON object that names files by hash or address', async () => {
  const bodies: unknown[] = [];
  const client = new TiercutClient({
    url: service.base,
    key: 'a-key-of-my-own-1',
    fetch: (input, init) => {
      const { body, headers } = init!;
      if (typeof body === 'string') bodies.push([new Headers(headers).get('content-type'), JSON.parse(body)]);
      return fetch(input, init);
    },
  });
  const song = noise(1000);
  const timeline_data = { soundtracks: [{ file_field: 'song' }], videos: [{ file_field: 'clip' }] };
  const refused = client.validate({ ...DOCUMENTS, timeline_data, media: { song, clip: { url: 'ftp://a.example/b' } } });
  await assert.rejects(refused, { code: 'fetch.address', status: 422 });
  const { media } = await client.upload(song);
  const files = { media_refs: { song: media }, media_urls: { clip: 'ftp://a.example/b' } };
  assert.deepEqual(bodies, [['application/json', { ...DOCUMENTS, timeline_data, ...files }]]);
});

test('[C77] the languages of captions are listed; there are none without a model', async () => {
  assert.deepEqual(await clientOn().client.captionLanguages(), []);
});

test('the client retries failed requests as its policy says', async () => {
  const asked: string[] = [];
  let failures = 6;
  const client = new TiercutClient({
    url: service.base,
    key: 'a-key-of-my-own-1',
    fetch: async (input, init) => {
      failures -= 1;
      if (failures >= 3) throw new TypeError('the line is cut');
      if (failures >= 1) return new Response('', { status: 401 });
      return fetch(input, init);
    },
    retry: async ({ code, status }, attempt) => {
      asked.push(`${attempt} ${code} ${status}`);
      return status === 401 || code === 'client.unreachable';
    },
  });
  assert.equal((await client.list()).ok, true);
  assert.deepEqual(asked, [
    ...[0, 1, 2].map((attempt) => `${attempt} client.unreachable 0`),
    ...[3, 4].map((attempt) => `${attempt} client.unexpected 401`),
  ]);
  const stop = new AbortController();
  const retry = async () => {
    stop.abort(new Error('enough'));
    return true;
  };
  const ended = new TiercutClient({ url: 'http://127.0.0.1:9', retry });
  await assert.rejects(ended.list({ signal: stop.signal }), /enough/);
});

test('a response that is not JSON is not retried', async () => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return new Response('<title>A proxy</title>');
  };
  await assert.rejects(new TiercutClient({ url: service.base, fetch }).list(), { code: 'client.unexpected' });
  assert.equal(requests, 1);
});

test('[C51] a key opens a session; a wrong key is an error and is not retried', async () => {
  const { client, sent } = clientOn();
  assert.equal((await client.openSession('a-key-of-my-own-1')).tenant, 'me');
  const stranger = new TiercutClient({ url: service.base, retry: () => assert.fail('it is sent once') });
  await assert.rejects(stranger.openSession('not-a-key-of-mine'), { code: 'auth.required', status: 401 });
  assert.deepEqual(sent, ['POST /session']);
});

test('[C32] failures are values: all errors of a request, a wrong key, an unreachable service', async () => {
  const { client } = clientOn();
  const wrong = { ...DOCUMENTS, settings: { fps: 1000, quality: 'best' as 'high' } };
  for (const call of [() => client.create(wrong), () => client.validate(wrong)]) {
    await assert.rejects(call(), (error: TiercutError) => {
      assert.deepEqual(error.errors.map(({ path }) => path).toSorted(), ['/settings/fps', '/settings/quality']);
      return error instanceof TiercutError && error.status === 422 && error.code === 'request.invalid';
    });
  }
  assert.deepEqual((await client.validate(DOCUMENTS)).warnings, []);
  await assert.rejects(new TiercutClient({ url: service.base }).list(), { code: 'auth.required', status: 401 });
  const nobody = new TiercutClient({ url: 'http://127.0.0.1:9', retry: 0 });
  await assert.rejects(nobody.list(), { code: 'client.unreachable', status: 0 });
});

test('a create waits for room in the queue, as long as its caller allows', async () => {
  let crowded = 3;
  const full = { ok: false, status: 429, code: 'queue.full', detail: 'Too many exports are waiting.' };
  const busy = new Response(JSON.stringify(full), { status: 429, headers: { 'retry-after': '0' } });
  const { client, sent } = clientOn(async (request, response) => {
    if (request !== 'POST /video/exports' || crowded === 0) return response();
    crowded -= 1;
    return busy.clone();
  });
  const { export_id } = await client.create({ ...DOCUMENTS, idempotencyKey: 'waits-for-room' });
  assert.equal(sent.filter((request) => request === 'POST /video/exports').length, 4);
  await client.delete(export_id);
  crowded = 1;
  await assert.rejects(client.create(DOCUMENTS, { roomWithinMs: -1 }), { code: 'queue.full', status: 429 });
  assert.equal(crowded, 0, 'it was sent once');
  crowded = Number.POSITIVE_INFINITY;
  const late = client.create(DOCUMENTS, { signal: AbortSignal.timeout(300), roomWithinMs: Number.POSITIVE_INFINITY });
  await assert.rejects(late, { name: 'TimeoutError' });
});

test('[C40] iterators yield every page of a list', async () => {
  const external_id = 'listed-by-an-iterator';
  const { client, sent } = clientOn();
  const made: string[] = [];
  for (let n = 0; n < 3; n += 1) made.unshift((await client.create({ ...DOCUMENTS, external_id })).export_id);
  const listed = await Array.fromAsync(client.exports({ external_id }), ({ export_id }) => export_id);
  assert.deepEqual(listed, made);
  const paged = clientOn(async (request, response) => {
    const isList = request.startsWith('GET /video/exports?');
    // One a page, as if there were many.
    return isList && !request.includes('limit=') ? fetch(...onePerPage(request)) : response();
  });
  assert.deepEqual(await Array.fromAsync(paged.client.exports({ external_id }), ({ export_id }) => export_id), made);
  assert.equal(paged.sent.length, 3);
  assert.equal(sent.filter((request) => request.startsWith('GET')).length, 1);
  for (const id of made) await client.delete(id);
});

function onePerPage(request: string): [string, RequestInit] {
  const address = `${service.base}${request.slice('GET '.length)}&limit=1`;
  return [address, { headers: { authorization: 'Bearer a-key-of-my-own-1' } }];
}

test('a signal aborts any operation, with its own reason', async () => {
  const { client } = clientOn();
  const long = { subtitles: Array.from({ length: 60 }, (_, i) => ({ text: `No. ${i}`, start: i, duration: 1 })) };
  const { export_id } = await client.create({ ...DOCUMENTS, timeline_data: long, settings: { quality: 'high' } });
  const stop = new AbortController();
  const waiting = client.wait(export_id, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
  await assert.rejects(waiting, /enough/);
  await assert.rejects(client.download(export_id, { signal: AbortSignal.abort(new Error('never')) }), /never/);
  await client.delete(export_id);
  await assert.rejects(client.wait(export_id), { code: 'export.unknown' });
});

test('[C26] following or waiting for an export ends when it is deleted, without further requests', async () => {
  const { client, sent } = clientOn();
  const long = { subtitles: Array.from({ length: 60 }, (_, i) => ({ text: `Nr. ${i}`, start: i, duration: 1 })) };
  const { export_id } = await client.create({ ...DOCUMENTS, timeline_data: long, settings: { quality: 'high' } });
  const following = client.follow(export_id);
  await following.next();
  const waiting = client.wait(export_id, { onProgress: () => void client.delete(export_id).catch(() => {}) });
  await assert.rejects(waiting, { name: 'TiercutError', code: 'export.cancelled' });
  const states = await Array.fromAsync(following, ({ state }) => state);
  assert.equal(states.at(-1), 'cancelled');
  assert.equal(sent.filter((request) => request.endsWith('/events')).length, 2, 'nobody came back');
});

/** The same response, whose body ends or breaks after so many bytes. */
function cutAfter(answer: Response, most: number, how: 'end' | 'break'): Response {
  let passed = 0;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, Math.max(0, most - passed)));
      passed += chunk.length;
      if (passed < most) return;
      if (how === 'end') controller.terminate();
      else controller.error(new TypeError('the line is cut'));
    },
  });
  return new Response(answer.body!.pipeThrough(cut), { status: answer.status, headers: answer.headers });
}

test('[C85] a batch: created, followed, its rows one by one, cancelled', async () => {
  const { client } = clientOn();
  const id = crypto.randomUUID();
  await client.projects.save(id, {
    tier_list: { title: '{{title}}' },
    timeline_data: { subtitles: [{ text: '{{title}}', start: 0, duration: 1 }] },
    fields: { title: { type: 'text', required: true } },
  });
  const rows = Array.from({ length: 101 }, (_, n) => (n === 7 ? {} : { title: `Week ${n}` }));
  const { batch_id, counts } = await client.batches.create({ project: id, rows, metadata: { series: 'weeks' } });
  assert.deepEqual([counts.waiting, counts.invalid], [100, 1]);
  const seen: number[] = [];
  for await (const { row } of client.batches.rows(batch_id)) seen.push(row);
  assert.deepEqual(
    seen,
    Array.from({ length: 101 }, (_, n) => n),
  );
  const [invalid] = (await client.batches.page(batch_id, { state: 'invalid' })).rows;
  assert.deepEqual([invalid?.row, invalid?.error?.code], [7, 'value.required']);
  assert.match(await (await client.batches.results(batch_id)).text(), /^title,state,export_id/);
  const shares: number[] = [];
  const waiting = client.batches.wait(batch_id, { onProgress: (share) => shares.push(share) });
  await client.batches.cancel(batch_id);
  assert.deepEqual([(await waiting).state, shares.at(-1)], ['cancelled', 1]);
  assert.equal((await client.batches.get(batch_id)).counts.cancelled, 100);
  const again = await client.batches.retry(batch_id);
  assert.ok(again.state === 'running' && again.counts.waiting > 50);
  await client.batches.cancel(batch_id);
  const listed = await Array.fromAsync(client.batches.all({ project: id, metadata: { series: 'weeks' } }));
  assert.deepEqual([listed.map((batch) => batch.batch_id), listed[0]?.state], [[batch_id], 'cancelled']);
  assert.deepEqual((await client.batches.list({ project: id, state: 'running' })).batches, []);
});
