import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { fileSource } from '../../packages/client/src/node.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { program } from './program.ts';

const KEY = 'a-key-of-my-own-1';

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_API_KEYS: `me:${KEY}`, TIERCUT_PRERENDER: 'selected' });
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
