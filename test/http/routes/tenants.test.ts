import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, type Service, serve } from '../serve.ts';
import { addCaptions } from './made-captions.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];
const ANN = { 'x-api-key': 'key-of-ann-1234567' };
const BOB = { 'x-api-key': 'key-of-bob-1234567' };
const NEVER = '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
const EXTERNAL_ID = 'what ann calls it';

/**
 * Who may use an address that names something of a tenant.
 *
 * - `owner`: to another tenant what it names does not exist;
 * - `id`: the id is enough, with any key or none (C81);
 * - `nothing`: it names nothing of a tenant. What it reads of the body is looked at below.
 */
type Access = 'owner' | 'id' | 'nothing';

/** Every operation there is. A new one needs a line. */
const OPERATIONS: Readonly<Record<string, Access>> = {
  'POST /video/exports': 'nothing',
  'GET /video/exports': 'nothing',
  'POST /video/exports/validate': 'nothing',
  'POST /video/frames': 'nothing',
  'POST /video/thumbnails': 'nothing',
  'POST /video/pauses': 'nothing',
  'POST /video/captions': 'nothing',
  'GET /video/captions/languages': 'nothing',
  'GET /video/captions/models': 'nothing',
  'PUT /video/captions/models/{model}': 'nothing',
  'GET /video/captions/{captions_id}': 'owner',
  'DELETE /video/captions/{captions_id}': 'owner',
  'GET /video/exports/{id}': 'owner',
  'DELETE /video/exports/{id}': 'owner',
  'GET /video/exports/{id}/events': 'owner',
  'DELETE /video/exports/{id}/outputs/{preset}': 'owner',
  'GET /video/exports/{id}/download/{preset}': 'id',
  'HEAD /video/exports/{id}/download/{preset}': 'id',
  'GET /video/exports/{id}/shorts/{number}': 'id',
  'HEAD /video/exports/{id}/shorts/{number}': 'id',
  'GET /video/exports/{id}/poster': 'id',
  'GET /video/exports/{id}/thumbnail': 'owner',
  'GET /video/exports/{id}/publish.json': 'owner',
  'GET /video/exports/{id}/documents': 'owner',
  'GET /video/exports/{id}/chapters': 'id',
  'GET /video/exports/{id}/captions.vtt': 'id',
  'GET /video/exports/{id}/captions.srt': 'id',
  'GET /video/exports/{id}/hls/{preset}/index.m3u8': 'id',
  'HEAD /video/exports/{id}/hls/{preset}/index.m3u8': 'id',
  'GET /video/exports/{id}/hls/{preset}/{track}/index.m3u8': 'id',
  'HEAD /video/exports/{id}/hls/{preset}/{track}/index.m3u8': 'id',
  'GET /video/exports/{id}/hls/{preset}/{track}/{segment}': 'id',
  'HEAD /video/exports/{id}/hls/{preset}/{track}/{segment}': 'id',
  'GET /video/exports/{id}/deliveries': 'owner',
  'POST /video/exports/{id}/deliveries': 'owner',
  'GET /events': 'nothing',
  'GET /events/{event_id}': 'owner',
  'POST /events/{event_id}/deliveries': 'owner',
  'GET /webhooks': 'nothing',
  'PUT /webhooks/{name}': 'owner',
  'GET /webhooks/{name}': 'owner',
  'DELETE /webhooks/{name}': 'owner',
  'GET /media': 'nothing',
  'POST /media': 'nothing',
  'POST /media/known': 'nothing',
  'PUT /media/{sha256}': 'owner',
  'GET /media/{sha256}': 'owner',
  'HEAD /media/{sha256}': 'owner',
  'DELETE /media/{sha256}': 'owner',
  'GET /projects': 'nothing',
  'PUT /projects/{project_id}': 'owner',
  'GET /projects/{project_id}': 'owner',
  'HEAD /projects/{project_id}': 'owner',
  'DELETE /projects/{project_id}': 'owner',
  'GET /projects/{project_id}/revisions': 'owner',
  'GET /projects/{project_id}/revisions/{revision}': 'owner',
  'GET /projects/{project_id}/archive': 'owner',
  'PUT /projects/{project_id}/thumbnail': 'owner',
  'GET /projects/{project_id}/thumbnail': 'owner',
  'POST /projects/{project_id}/exports': 'owner',
  'POST /projects/{project_id}/validate': 'owner',
  'POST /projects/{project_id}/frames': 'owner',
  'POST /projects/{project_id}/links': 'owner',
  'GET /projects/{project_id}/links': 'owner',
  'DELETE /projects/{project_id}/links/{link}': 'owner',
  'GET /shared/{secret}': 'id',
  'GET /shared/{secret}/media/{sha256}': 'id',
  'GET /shared/{secret}/thumbnail': 'id',
  'PUT /video/drafts/{draft_id}': 'owner',
  'GET /video/drafts/{draft_id}': 'owner',
  'DELETE /video/drafts/{draft_id}': 'owner',
  'POST /batches': 'nothing',
  'GET /batches': 'nothing',
  'GET /batches/{batch_id}': 'owner',
  'DELETE /batches/{batch_id}': 'owner',
  'GET /batches/{batch_id}/rows': 'owner',
  'GET /batches/{batch_id}/results.csv': 'owner',
  'POST /batches/{batch_id}/retry': 'owner',
  'GET /usage': 'nothing',
  'POST /session': 'nothing',
  'DELETE /session': 'nothing',
  'GET /limits': 'nothing',
  'GET /presets': 'nothing',
  'GET /fonts': 'nothing',
  'GET /healthz': 'nothing',
  'GET /readyz': 'nothing',
  'GET /readyz/intake': 'nothing',
  'GET /metrics': 'nothing',
  'GET /openapi.json': 'nothing',
  'GET /llms.txt': 'nothing',
  'GET /schemas/project.json': 'nothing',
  'GET /docs': 'nothing',
  'GET /docs/errors': 'nothing',
  'GET /': 'nothing',
  'GET /studio': 'nothing',
  'GET /studio/check': 'nothing',
};

/** A service on which ann has an export that is ready, a file, one that is half sent, and a project with a link. */
async function annsThings(t: TestContext) {
  const service = await serve(t, { apiKeys: KEYS });
  service.exports.renderWith = Buffer.from('a video');
  const fields = [
    { name: 'external_id', content: EXTERNAL_ID },
    { name: 'callback_url', content: 'https://hooks.example.com/ann' },
  ];
  const settings = { settings: { shorts: true } };
  const reply = await postForm(service, [...exampleParts(settings), ...fields], ANN);
  assert.equal(reply.status, 201, await reply.clone().text());
  const { export_id: id } = (await reply.json()) as { export_id: string };
  const sent = Buffer.from('a file of ann');
  const half = Buffer.from('a file of which ann has sent the half');
  assert.equal((await put(service, ANN, sent)).status, 201);
  assert.equal((await put(service, ANN, half, 0, 10)).status, 202);
  const shared = await annsProject(service, sha256(sent));
  const draft_id = await annsDraft(service);
  const batch_id = await annsBatch(service, shared.project_id, sha256(sent));
  const captions_id = await addCaptions(service, 'ann');
  return {
    service,
    id,
    sent: sha256(sent),
    half: sha256(half),
    halfBytes: half,
    ...shared,
    draft_id,
    captions_id,
    batch_id,
  };
}

async function annsProject({ base }: Service, media: string) {
  const project_id = '0d9c1a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
  const at = `${base}/projects/${project_id}`;
  const body = JSON.stringify({ name: EXTERNAL_ID, media_refs: { clip: media } });
  assert.equal((await fetch(at, { method: 'PUT', headers: ANN, body })).status, 201);
  const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  assert.equal((await fetch(`${at}/thumbnail`, { method: 'PUT', headers: ANN, body: picture })).status, 204);
  const made = await fetch(`${at}/links`, { method: 'POST', headers: ANN });
  const { link_id: link, url } = (await made.json()) as { link_id: string; url: string };
  return { project_id, link, secret: url.split('/').at(-1)! };
}

async function annsBatch({ base }: Service, project_id: string, media: string): Promise<string> {
  const timeline_data = { subtitles: [{ start: 0, duration: 1, text: EXTERNAL_ID }] };
  const at = `${base}/projects/${project_id}`;
  const etag = (await fetch(at, { headers: ANN })).headers.get('etag')!;
  const body = JSON.stringify({ name: EXTERNAL_ID, tier_list: {}, timeline_data, media_refs: { clip: media } });
  assert.equal((await fetch(at, { method: 'PUT', headers: { ...ANN, 'if-match': etag }, body })).status, 200);
  const headers = { ...ANN, 'content-type': 'application/json' };
  const rows = JSON.stringify({ project: project_id, rows: [{}], metadata: { name: EXTERNAL_ID } });
  const reply = await fetch(`${base}/batches`, { method: 'POST', headers, body: rows });
  assert.equal(reply.status, 202, await reply.clone().text());
  return ((await reply.json()) as { batch_id: string }).batch_id;
}

async function annsDraft({ base }: Service): Promise<string> {
  const id = '5d9c1a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
  const body = JSON.stringify({
    tier_list: {},
    timeline_data: { subtitles: [{ start: 0, duration: 1, text: EXTERNAL_ID }] },
  });
  const headers = { ...ANN, 'content-type': 'application/json' };
  const reply = await fetch(`${base}/video/drafts/${id}`, { method: 'PUT', headers, body });
  assert.equal(reply.status, 204, await reply.text());
  return id;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function put(
  { base }: Service,
  headers: Readonly<Record<string, string>>,
  whole: Buffer,
  start = 0,
  end = whole.length,
): Promise<Response> {
  const range = { 'content-range': `bytes ${start}-${end - 1}/${whole.length}` };
  const body = new Uint8Array(whole.subarray(start, end));
  return fetch(`${base}/media/${sha256(whole)}`, { method: 'PUT', headers: { ...headers, ...range }, body });
}

/** Everything in a response except its own ids and times. */
async function shown(reply: Response) {
  const headers = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status: reply.status, headers, body: await reply.text() };
}

async function ask({ base }: Service, operation: string, named: Readonly<Record<string, string>>, headers = {}) {
  const [method, path] = operation.split(' ') as [string, string];
  const usual = { track: 'video', segment: '0-000000000000.m4s', number: '1', preset: 'preset_one', revision: '1' };
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ({ ...usual, ...named })[name]!);
  const isJson = /^POST .*\/(exports|validate|frames)$/.test(operation);
  const body = method === 'PUT' ? 'no such bytes' : isJson ? '{}' : undefined;
  const type = isJson ? { 'content-type': 'application/json' } : {};
  return shown(
    await fetch(`${base}${address}`, {
      method,
      headers: { prefer: 'wait=0', ...type, ...headers },
      ...(body && { body }),
    }),
  );
}

test('[C33, C81, H19] every operation documents its access', async (t) => {
  const { operations } = await DescribedReplies.of(await serve(t));
  assert.deepEqual(operations.toSorted(), Object.keys(OPERATIONS).toSorted());
});

test('[C33, H19] data of another tenant looks unknown to a key, on every route', async (t) => {
  const { service, id, sent, half, project_id, link, draft_id, captions_id, batch_id } = await annsThings(t);
  const never = {
    id: NEVER,
    event_id: `${NEVER}.completed`,
    project_id: NEVER,
    draft_id: NEVER,
    link: NEVER,
    captions_id: NEVER,
    batch_id: NEVER,
    sha256: sha256(Buffer.from('nothing')),
  };
  const event_id = `${id}.completed`;
  for (const [operation, access] of Object.entries(OPERATIONS)) {
    if (access !== 'owner') continue;
    const unknown = await ask(service, operation, never, BOB);
    assert.ok(unknown.status === 404 || operation.startsWith('PUT'), `${operation}: ${unknown.status}`);
    for (const content of [sent, half]) {
      assert.deepEqual(
        await ask(
          service,
          operation,
          { id, event_id, project_id, draft_id, link, captions_id, batch_id, sha256: content },
          BOB,
        ),
        unknown,
        operation,
      );
    }
    assert.equal(
      (await ask(service, operation, { id, event_id, project_id, draft_id, link, captions_id, batch_id, sha256: sent }))
        .status,
      401,
      `${operation} without a key`,
    );
  }
  assert.equal((await ask(service, 'GET /video/exports/{id}', { id }, ANN)).status, 200, 'nothing of it is gone');
  assert.equal((await ask(service, 'HEAD /media/{sha256}', { sha256: sent }, ANN)).status, 200);
  assert.equal((await ask(service, 'GET /video/captions/{captions_id}', { captions_id }, ANN)).status, 200);
});

test('[C33, H19] an upload in progress is continued by its own tenant only', async (t) => {
  const { service, halfBytes } = await annsThings(t);
  const unknown = Buffer.from('x'.repeat(halfBytes.length));
  assert.deepEqual(
    await shown(await put(service, BOB, halfBytes, 10)),
    await shown(await put(service, BOB, unknown, 10)),
  );
  assert.equal((await put(service, ANN, halfBytes, 10)).status, 201, 'ann’s goes on');
});

test('[C76, C81] routes that need only an id or a secret respond alike to any key and to none', async (t) => {
  const { service, id, secret, sent } = await annsThings(t);
  const named = { id, secret, sha256: sent };
  const never = { id: NEVER, secret: 'x'.repeat(32), sha256: sent };
  const ready = /download|poster|captions|chapters|shared/;
  for (const [operation, access] of Object.entries(OPERATIONS)) {
    if (access !== 'id') continue;
    const open = await ask(service, operation, named);
    if (ready.test(operation)) assert.equal(open.status, 200, `${operation}: ${open.body}`);
    // The owner gets more metadata of an unfinished output than other clients. (C27)
    if (open.status !== 202) assert.deepEqual(await ask(service, operation, named, ANN), open, operation);
    assert.deepEqual(await ask(service, operation, named, BOB), open, operation);
    if (!operation.includes('shared')) assert.ok(!open.body.includes(EXTERNAL_ID), operation);
    const unknown = await ask(service, operation, never);
    assert.equal(unknown.status, 404, operation);
    assert.deepEqual(await ask(service, operation, never, BOB), unknown, operation);
  }
  const page = await fetch(`${service.base}/video/exports/${id}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  assert.ok(!(await page.text()).includes(EXTERNAL_ID), 'the page is no metadata');
});

test('[C33, C38, H19] lists and references in a body give no access to data of another tenant', async (t) => {
  const { service, id, sent } = await annsThings(t);
  for (const query of ['', `?external_id=${encodeURIComponent(EXTERNAL_ID)}`, '?state=completed']) {
    const listed = await fetch(`${service.base}/video/exports${query}`, { headers: BOB });
    const text = await listed.text();
    assert.equal(listed.status, 200, text);
    assert.ok(!text.includes(id) && !text.includes(EXTERNAL_ID), text);
  }
  const events = await (await fetch(`${service.base}/events`, { headers: BOB })).text();
  assert.ok(!events.includes(id) && events.includes('"events":[]'), events);
  const projects = await (await fetch(`${service.base}/projects`, { headers: BOB })).text();
  assert.ok(!projects.includes(EXTERNAL_ID), projects);
  const [tierList, timeline, settings, ...files] = exampleParts();
  const referring = (content: string) => {
    const refs = Object.fromEntries(files.map(({ name }) => [name, content]));
    const parts = [tierList!, timeline!, settings!, { name: 'media_refs', content: JSON.stringify(refs) }];
    return [...parts, { name: 'at', content: '0' }];
  };
  for (const path of ['/video/exports', '/video/exports/validate', '/video/frames']) {
    const parts = (content: string) =>
      referring(content).filter(({ name }) => name !== 'at' || path === '/video/frames');
    const unknown = sha256(Buffer.from('nothing'));
    const [theirs, never] = await Promise.all(
      [sent, unknown].map(async (content) => {
        const { body, ...rest } = await shown(await postForm(service, parts(content), BOB, path));
        return { ...rest, body: body.replaceAll(content, 'the hash') };
      }),
    );
    assert.equal(never!.status, 422, `${path}: ${never!.body}`);
    assert.deepEqual(theirs, never, path);
  }
});
