import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { fileSource, saveTo } from '../../packages/client/src/node.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { fileServer } from '../outbound/file-server.ts';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { program } from './program.ts';

const KEY = 'a-key-of-my-own-1';
const OPERATOR = 'the-key-of-the-operator-1';

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({
    TIERCUT_API_KEYS: `me:${KEY}`,
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_MAX_DRAFTS: '1',
    TIERCUT_METRICS_KEY: OPERATOR,
  });
});
after(() => service?.[Symbol.asyncDispose]());

function clientWith(spoil: (request: string, answer: Response) => Response = (_, answer) => answer) {
  const line: typeof fetch = async (input, init) =>
    spoil(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`, await fetch(input, init));
  return new TiercutClient({ url: service.base, key: KEY, fetch: line, retry: 2 });
}

const WORDS = {
  tier_list: { rows: [], items: [] },
  timeline_data: { subtitles: [{ text: 'Hello', start: 0, duration: 1 }] },
  settings: { quality: 'draft' },
} as const;

test('[C27, C73] a short program uploads, creates, follows, downloads three files, gets an error and cancels', async () => {
  using folder = new ScratchFolder();
  const said = await program(service.base, KEY, CLIP.file, folder.in(''));
  const files = ['Sixty.mp4', 'Sixty-portrait.mp4', 'Sixty-square.mp4'];
  assert.deepEqual(readdirSync(folder.in('')).sort(), files.toSorted());
  assert.deepEqual(
    said.filter((one) => one !== 'queued' && one !== 'rendering'),
    ['uploaded video', 'completed', ...files, '/settings/fps field.range', 'enough'],
  );
});

test('[C27] a download that is redirected to the object store is checked against the hash from the service', async () => {
  const client = clientWith();
  const { export_id } = await client.create(WORDS);
  const known = await client.wait(export_id);
  const bytes = Buffer.from(await new Response((await client.download(export_id)).stream).arrayBuffer());
  // Like a deployment on S3: GET redirects to a store with its own ETags, HEAD gets a response from the service.
  const server = createServer(async (request, response) => {
    if (request.url === '/store') {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const status = request.headers.range === undefined || request.headers['if-range'] !== undefined ? 200 : 206;
      const body = status === 200 ? bytes : bytes.subarray(start);
      response.writeHead(status, { etag: '"d41d8cd98f00b204e9800998ecf8427e"', 'content-length': body.length });
      // The first connection breaks.
      if (status === 200) response.write(body.subarray(0, 500), () => response.destroy());
      else response.end(body);
      return;
    }
    if (request.method === 'GET' && request.url!.includes('/download/')) {
      response.writeHead(302, { location: '/store' }).end();
      return;
    }
    const { headers, status, body } = await fetch(service.base + request.url, {
      method: request.method!,
      headers: { authorization: `Bearer ${KEY}` },
    });
    response.writeHead(status, Object.fromEntries(headers));
    response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const elsewhere = new TiercutClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: KEY,
    });
    const video = await elsewhere.download(export_id);
    assert.deepEqual(
      [video.sha256, video.bytes, video.name],
      [known.outputs.preset_one!.sha256, bytes.length, 'export.mp4'],
    );
    assert.ok(bytes.equals(Buffer.from(await new Response(video.stream).arrayBuffer())));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('[C38] files of a request are uploaded in parallel, and progress names them; an empty file is refused immediately', async () => {
  const client = clientWith();
  const fields = new Set<string | undefined>();
  await client.validate(
    { ...WORDS, media: { clip: await fileSource(CLIP.file), picture: await fileSource(PICTURE.file) } },
    { onProgress: ({ field }) => fields.add(field) },
  );
  assert.deepEqual([...fields].toSorted(), ['clip', 'picture']);
  await assert.rejects(client.upload(new Blob([])), { code: 'client.usage', message: /empty/ });
});

test('a poster and a delete are retried; a delete whose response was lost counts as done', async () => {
  let broken = 0;
  const client = clientWith((request, answer) => {
    const isFirst = request.startsWith('DELETE') || request.endsWith('/poster');
    if (!isFirst || broken++ % 2 === 1) return answer;
    return new Response('busy', { status: 503 });
  });
  const { export_id } = await client.create(WORDS);
  await client.wait(export_id);
  assert.equal((await client.poster(export_id)).type, 'image/jpeg');
  assert.match(await client.captions(export_id), /^WEBVTT[\s\S]*Hello/);
  assert.equal((await client.deliveries(export_id)).callback_state, 'none');
  assert.ok((await client.limits()).max_file_bytes! > 0);
  assert.equal((await client.presets())[1]!.name, 'portrait');
  assert.equal((await client.usage({ from: '2026-01-01', to: '2026-01-31' })).days.length, 31);
  assert.ok((await client.usage()).days.some(({ exports }) => exports > 0));
  await client.delete(export_id);
  await assert.rejects(client.status(export_id), { code: 'export.unknown' });
});

test('type errors of an untyped program get clear messages', async () => {
  const client = clientWith();
  const usage = { name: 'TiercutError', code: 'client.usage' };
  const careless = client as unknown as { create(request: unknown): Promise<unknown>; status(id?: unknown): unknown };
  for (const clip of ['clip.mp4', undefined, 7, fileSource(CLIP.file)]) {
    await assert.rejects(careless.create({ ...WORDS, media: { clip } }), usage, String(clip));
  }
  assert.throws(() => careless.status(), usage);
  assert.throws(() => new TiercutClient({} as { url: string }), usage);
});

/** A receiver of webhooks. */
function receiver() {
  return fileServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
}

test('[C93] registered webhooks are listed, read and deleted; an event is sent again to one of them', async () => {
  await using there = await receiver();
  await using other = await receiver();
  const client = clientWith();
  const made = await client.webhooks.put('first', { url: `${there.base}/first`, events: ['export.completed'] });
  assert.match(made.secret ?? '', /^whsec_/);
  await client.webhooks.put('second', { url: `${other.base}/second`, events: ['export.completed'], enabled: false });
  assert.deepEqual((await client.webhooks.list()).map(({ name }) => name).toSorted(), ['first', 'second']);
  const { export_id } = await client.create(WORDS);
  await client.wait(export_id);
  const [event] = await Array.fromAsync(client.events({ exportId: export_id, type: 'export.completed' }));
  assert.equal(event?.type, 'export.completed');
  const all = await Array.fromAsync(client.events());
  assert.ok(all.some(({ id }) => id === event.id));
  await client.webhooks.put('second', { url: `${other.base}/second`, events: ['export.completed'] });
  const details = await client.resend(event.id, { webhook: 'first' });
  assert.equal(details.id, event.id);
  assert.deepEqual(
    other.asked.map(({ path }) => path),
    [],
  );
  assert.ok(there.asked.length >= 1);
  assert.ok((await client.event(event.id)).deliveries.every(({ webhook }) => webhook === 'first'));
  await assert.rejects(client.resend(event.id, { webhook: 'third' }), { name: 'TiercutError' });
  assert.equal((await client.redeliver(export_id, { eventId: event.id })).callback_state, 'none');
  assert.equal((await client.webhooks.get('first')).url, `${there.base}/first`);
  await client.webhooks.delete('first');
  await client.webhooks.delete('second');
  assert.deepEqual(await client.webhooks.list(), []);
});

test('[C27, C70] another alias than the first names a preset, without a request that renders', async () => {
  // What a service with more aliases says.
  const preset = { ...(await clientWith().presets())[1]!, aliases: ['portrait', 'vertical'] };
  const asked: string[] = [];
  const client = clientWith((request, answer) => {
    asked.push(request);
    return request.endsWith('/presets') ? Response.json({ ok: true, presets: [preset] }) : answer;
  });
  const { export_id } = await client.create({ ...WORDS, presets: ['landscape', 'portrait'] });
  const { outputs } = await client.wait(export_id, { preset: 'vertical' });
  assert.equal(outputs.preset_two!.state, 'completed');
  assert.deepEqual(
    asked.filter((request) => request.startsWith('HEAD')),
    [],
  );
  await assert.rejects(client.wait(export_id, { preset: 'round' }), /no round, but landscape \(preset_one\), /);
});

test('[C38, C88] stored media are listed, described, read and removed; a file has pauses', async () => {
  const client = clientWith();
  const clip = await client.upload(await fileSource(CLIP.file));
  const known = await client.known([clip.media, '0'.repeat(64)]);
  assert.deepEqual([known.get(clip.media)?.stored, known.get('0'.repeat(64))?.stored], [true, false]);
  assert.ok((await Array.fromAsync(client.media())).some(({ media }) => media === clip.media));
  assert.ok(readFileSync(CLIP.file).equals(Buffer.from(await (await client.bytes(clip.media)).arrayBuffer())));
  assert.deepEqual((await client.pauses(clip.media)).pauses, [{ start: 0, end: 3 }]);
  await client.forget(clip.media);
  assert.equal(await client.has(clip.media), false);
});

test('[C84, C89] a template on the service is checked, shown and made; its short and its texts are read', async () => {
  using folder = new ScratchFolder();
  const client = clientWith();
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const picture = await client.upload(await fileSource(PICTURE.file));
  await client.projects.save(id, {
    tier_list: {
      title: '{{title}}',
      rows: [{ id: 's', item_ids: ['one'] }],
      items: [{ id: 'one', name: '{{title}}', file_field: 'picture' }],
    },
    timeline_data: { tier_blocks: [{ start: 0, duration: 2 }], tier_tiles: [{ tier_item_id: 'one', position: 0.5 }] },
    settings: { quality: 'draft', fps: 10, shorts: true },
    fields: {
      title: { type: 'text', required: true },
      picture: { type: 'media', kind: 'picture', default: `sha256:${picture.media}` },
    },
  });
  const missing = await client.projects.validate(id).catch((error) => error);
  assert.deepEqual(
    missing.errors.map(({ code }: { code: string }) => code),
    ['value.required'],
  );
  const values = { title: 'Snacks' };
  assert.equal((await client.projects.validate(id, { values })).ok, true);
  const shown = await client.projects.frame(id, { values, frame: 7, type: 'image/jpeg' });
  assert.deepEqual([shown.frame, shown.frames, shown.picture.type], [7, 20, 'image/jpeg']);
  const made = await client.projects.export(id, { values });
  await client.wait(made.export_id);
  await saveTo(folder.in('short.mp4'), await client.short(made.export_id, 1));
  assert.match((await client.documents(made.export_id)).tier_list?.title ?? '', /^Snacks$/);
  await client.stop(made.export_id, 'square');
  // The project itself.
  const { project, etag } = await client.projects.get(id);
  await client.projects.save(id, { ...project, name: 'Second' }, { etag });
  assert.equal((await client.projects.revisions(id)).revisions.length, 2);
  assert.equal((await client.projects.get(id, { revision: 1 })).project.name, undefined);
  await client.projects.setThumbnail(id, new Blob([readFileSync(PICTURE.file)], { type: 'image/png' }));
  assert.equal((await client.projects.thumbnail(id)).size, readFileSync(PICTURE.file).length);
  await client.projects.save(other, '{"name":"Other"}');
  const names = (await Array.fromAsync(client.projects.all())).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ['Other', 'Second']);
  assert.equal((await client.projects.list({ limit: 1 })).projects.length, 1);
  const { url } = await client.projects.share(id);
  const secret = url.split('/').at(-1)!;
  assert.equal((await client.projects.shared(secret)).project.name, 'Second');
  assert.equal((await client.projects.sharedBytes(secret, picture.media)).size, readFileSync(PICTURE.file).length);
  const { links } = await client.projects.links(id);
  assert.equal(links.length, 1);
  await client.projects.revoke(id, links[0]!.link_id);
  await assert.rejects(client.projects.shared(secret), { status: 404 });
  const archive = Buffer.from(await new Response(await client.projects.archive(id)).arrayBuffer());
  assert.equal(archive.subarray(0, 2).toString(), 'PK');
  for (const one of [id, other]) await client.projects.delete(one);
  assert.equal((await client.projects.list()).projects.length, 0);
});

test('[C37] the log and the operator learn that webhooks are unsigned; others learn nothing', async () => {
  assert.equal(service.lines.filter((line) => line.includes('"msg":"webhooks unsigned"')).length, 1);
  const checksFor = async (key: string) => {
    const reply = await fetch(`${service.base}/readyz`, { headers: { authorization: `Bearer ${key}` } });
    const { checks = [] } = (await reply.json()) as { checks?: { name: string; ok: boolean; detail?: string }[] };
    return [reply.status, checks.find(({ name }) => name === 'webhooks')?.detail];
  };
  assert.deepEqual(await checksFor(OPERATOR), [200, 'unsigned: set TIERCUT_WEBHOOK_SECRET']);
  assert.equal((await checksFor(KEY))[1], undefined);
});

test('[C79] a draft is put, read and deleted', async () => {
  const client = clientWith();
  const id = crypto.randomUUID();
  await client.drafts.put(id, WORDS);
  assert.equal((await client.drafts.get(id)).ok, true);
  await client.drafts.delete(id);
  await assert.rejects(client.drafts.get(id), { status: 404 });
});

test('[C77] what is said in a video is followed until it is there; an abort cancels it', async () => {
  const asked: string[] = [];
  let progress = 0;
  await using speech = await fileServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push(`${request.method} ${request.url} ${body}`);
    if (request.url === '/video/captions/models') return void response.end('{"ok":true,"models":[{"name":"tiny"}]}');
    const state = progress >= 1 ? 'completed' : 'running';
    const segments = [{ start: 0, end: 1, text: 'Hello', words: [] }];
    const shown = { ok: true, captions_id: 'c', state, progress, language: 'en', warnings: [], segments };
    response.end(JSON.stringify(shown));
    progress += 1;
  });
  const client = new TiercutClient({ url: speech.base });
  assert.deepEqual(
    (await client.captionModels()).map(({ name }) => name),
    ['tiny'],
  );
  const { language, segments } = await client.transcribe(WORDS, { language: 'en' });
  assert.deepEqual([language, segments?.[0]?.text], ['en', 'Hello']);
  assert.deepEqual(JSON.parse(asked[1]!.slice('POST /video/captions '.length)), {
    ...WORDS,
    media_refs: {},
    language: 'en',
  });
  progress = Number.NEGATIVE_INFINITY;
  const stop = new AbortController();
  const aborted = client.transcribe(
    { sha256: 'a' },
    { signal: stop.signal, onTranscribed: () => stop.abort(new Error('enough')) },
  );
  await assert.rejects(aborted, /enough/);
  assert.equal(asked.at(-1), 'DELETE /video/captions/c ');
  // A real service without a model, to a client without the operator's key.
  await assert.rejects(clientWith().installCaptionModel('tiny'), { name: 'TiercutError' });
  await clientWith().closeSession();
  assert.ok((await clientWith().fonts()).every(({ weights }) => weights.length > 0));
});

test('a test calls every method of the client', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'));
  const source = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('');
  const client = clientWith();
  const methodsOf = (object: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
  const parts = Object.entries(client).flatMap(([part, of]) => methodsOf(of).map((name) => `${part}.${name}`));
  const missing = [...methodsOf(client), ...parts].filter((name) => !source.includes(`.${name}(`));
  assert.deepEqual(missing, []);
});
