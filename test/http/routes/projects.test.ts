import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { ExportsPolicy } from '../../../src/compose/exports-ports.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { problemOf, type Service, serve } from '../serve.ts';

const ANN = { 'x-api-key': 'key-of-ann-1234567' };
const KEYS = [{ tenant: 'ann', key: 'key-of-ann-1234567' }];
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const DAY_MS = 24 * 3_600_000;

function sum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A tenant with projects. Every response is held against the OpenAPI document. */
class Client {
  readonly service: Service;
  readonly #described: DescribedReplies;

  constructor(service: Service, described: DescribedReplies) {
    this.service = service;
    this.#described = described;
  }

  send(method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) };
    return fetch(`${this.service.base}${path}`, { method, headers: { ...ANN, ...headers }, ...sent });
  }

  async ask(operation: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) {
    const reply = await this.send(operation.split(' ')[0]!, path, body, headers);
    const shown = (await this.#described.check(operation, reply.clone())) as Record<string, unknown>;
    return { status: reply.status, etag: reply.headers.get('etag'), code: shown?.code, shown, reply };
  }

  save(id: string, project: object | string, headers: Record<string, string> = {}) {
    const body = typeof project === 'string' ? project : JSON.stringify(project);
    return this.ask('PUT /projects/{project_id}', `/projects/${id}`, body, headers);
  }

  async putMedia(bytes: Buffer): Promise<string> {
    const reply = await this.send('PUT', `/media/${sum(bytes)}`, bytes);
    assert.equal(reply.status, 201, await reply.text());
    return sum(bytes);
  }
}

async function open(t: TestContext, policy: Partial<ExportsPolicy> = {}): Promise<Client> {
  const service = await serve(t, { apiKeys: KEYS }, policy);
  return new Client(service, await DescribedReplies.of(service));
}

test('[C76] a project is stored as sent, complete or not, and returned byte by byte', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  const sent = '{ "name": "Half an idea",\n  "timeline_data": { "videos": [{ "speed": "fast" }] }, "note": [1, 2] }';
  const made = await ann.save(id, sent);
  assert.equal(made.status, 201);
  assert.equal(made.reply.headers.get('location'), `/projects/${id}`);
  assert.deepEqual([made.shown.name, made.shown.revision], ['Half an idea', 1]);
  const read = await ann.send('GET', `/projects/${id}`);
  assert.equal(await read.text(), sent);
  assert.equal(read.headers.get('etag'), made.etag);
  const unchanged = await ann.send('GET', `/projects/${id}`, undefined, { 'if-none-match': made.etag! });
  assert.equal(unchanged.status, 304);
  const untitled = await ann.save(randomUUID(), { tier_list: { title: 'Snacks' } });
  assert.equal(untitled.shown.name, 'Snacks');
});

test('[C76] overwriting needs the current revision: 428 without, 412 with a stale one', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  const first = await ann.save(id, { name: 'one' });
  assert.deepEqual([(await ann.save(id, { name: 'two' })).status, 428], [428, 428]);
  const second = await ann.save(id, { name: 'two' }, { 'if-match': first.etag! });
  assert.deepEqual([second.status, second.shown.revision], [200, 2]);
  const stale = await ann.save(id, { name: 'three' }, { 'if-match': first.etag! });
  assert.deepEqual([stale.status, stale.code], [412, 'request.precondition']);
  assert.match(String(stale.shown.detail), /newer revision than If-Match names/);
  const there = await ann.save(id, { name: 'four' }, { 'if-none-match': '*' });
  assert.deepEqual([there.status, there.code], [412, 'request.precondition']);
  assert.match(String(there.shown.detail), /exists in a revision that If-None-Match names/);
  const absent = await ann.save(randomUUID(), { name: 'five' }, { 'if-match': first.etag! });
  assert.deepEqual([absent.status, absent.code], [412, 'request.precondition']);
  assert.match(String(absent.shown.detail), /no such project/);
  const again = await ann.save(id, { name: 'two' }, { 'if-match': first.etag! });
  assert.deepEqual([again.status, again.shown.revision], [200, 2], 'a repeated save is no conflict and no revision');
  const remove = (headers: Record<string, string>) =>
    ann.ask('DELETE /projects/{project_id}', `/projects/${id}`, undefined, headers);
  assert.equal((await remove({ 'if-match': first.etag! })).status, 412);
  assert.equal((await remove({ 'if-match': second.etag! })).status, 204);
  assert.equal((await remove({})).code, 'project.unknown');
  const reborn = await ann.save(id, { name: 'another' });
  assert.notEqual(reborn.etag, first.etag, 'a new project under an old id has other tags');
});

test('[C76] of two clients that overwrite the same revision at the same time, one wins', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  const { etag } = await ann.save(id, { n: 0 });
  const saves = await Promise.all([1, 2, 3, 4].map((n) => ann.save(id, { n }, { 'if-match': etag! })));
  assert.deepEqual(saves.map(({ status }) => status).sort(), [200, 412, 412, 412]);
});

test('[C76] 50 revisions are kept, and the bytes of older ones are removed', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  let etag = (await ann.save(id, { n: 1 })).etag!;
  const count = async () => (await Array.fromAsync(ann.service.exports.fixture.ports.blobs.list('uploads/'))).length;
  for (let n = 2; n <= 53; n += 1) etag = (await ann.save(id, { n }, { 'if-match': etag })).etag!;
  const { shown } = await ann.ask('GET /projects/{project_id}/revisions', `/projects/${id}/revisions`);
  const numbers = (shown.revisions as { revision: number }[]).map(({ revision }) => revision);
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, n) => 53 - n),
  );
  const at = (n: number) =>
    ann.ask('GET /projects/{project_id}/revisions/{revision}', `/projects/${id}/revisions/${n}`);
  assert.deepEqual((await at(4)).shown, { n: 4 });
  assert.equal((await at(3)).status, 404);
  assert.equal(await count(), 50);
  await ann.send('DELETE', `/projects/${id}`);
  assert.equal(await count(), 0);
});

test('[C76] an invalid project is refused, with all errors together', async (t) => {
  const ann = await open(t);
  const wrong = await ann.save(randomUUID(), { name: '', media_refs: { a: 'x', b: 7 } });
  const { errors } = wrong.shown as unknown as { errors: { path: string }[] };
  assert.deepEqual([wrong.status, errors.map(({ path }) => path)], [422, ['/name', '/media_refs/a', '/media_refs/b']]);
  assert.equal((await ann.save(randomUUID(), '[]')).code, 'project.not_an_object');
  assert.equal((await ann.save(randomUUID(), '{"a":1,"a":2}')).code, 'json.duplicate_key');
  assert.equal((await ann.save(randomUUID(), JSON.stringify('x'.repeat(5 * 2 ** 20)))).status, 413);
  assert.equal((await ann.save('not-a-uuid', '{}')).code, 'project.address');
  assert.equal((await ann.save(randomUUID().toUpperCase(), '{}')).status, 201);
});

test('[C76] media of a project do not expire, and cannot be deleted, until the project is removed', async (t) => {
  const ann = await open(t);
  const { fixture } = ann.service.exports;
  const [used, unused] = [await ann.putMedia(Buffer.from('used')), await ann.putMedia(Buffer.from('unused'))];
  const id = randomUUID();
  const first = await ann.save(id, { media_refs: { clip: used.toUpperCase(), again: used } });
  const facts = await ann.ask('GET /media/{sha256}', `/media/${used}`, undefined, { accept: 'application/json' });
  assert.equal(facts.shown.expires_at, null);
  const expire = async () => {
    await fixture.ports.database.query('update media set used_at_ms = used_at_ms - $1', [2 * DAY_MS]);
    await fixture.parts.mediaExpiry.expire();
  };
  const there = async (sha256: string) => (await ann.send('HEAD', `/media/${sha256}`)).status;
  await expire();
  assert.deepEqual([await there(used), await there(unused)], [200, 404]);
  const removed = await ann.ask('DELETE /media/{sha256}', `/media/${used}`);
  assert.deepEqual([removed.status, removed.code], [409, 'media.in_project']);
  await ann.save(id, { name: 'without' }, { 'if-match': first.etag! });
  await expire();
  assert.equal(await there(used), 200, 'an earlier revision still refers to it');
  await ann.send('DELETE', `/projects/${id}`);
  await expire();
  assert.equal(await there(used), 404);
});

test('[C76] projects count against the quota, and their number per tenant is limited', async (t) => {
  const ann = await open(t, { maxMediaBytes: 1000, maxProjects: 2 });
  await ann.putMedia(Buffer.alloc(500, 1));
  const id = randomUUID();
  const first = await ann.save(id, { text: 'x'.repeat(300) });
  assert.equal(first.status, 201);
  const full = await ann.save(id, { text: 'y'.repeat(300) }, { 'if-match': first.etag! });
  assert.deepEqual([full.status, full.code], [507, 'media.quota_full']);
  assert.equal((await ann.send('PUT', `/media/${sum(Buffer.alloc(300))}`, Buffer.alloc(300))).status, 507);
  assert.equal((await ann.save(randomUUID(), {})).status, 201);
  const more = await ann.save(randomUUID(), {});
  // Waiting does not help.
  const after = more.reply.headers.get('retry-after');
  assert.deepEqual([more.status, more.code, after], [409, 'project.too_many', null]);
  const text = await ann.service.metrics.text(await ann.service.exports.status());
  assert.match(text, /tiercut_projects_saved_total\{outcome="created"\} 2/);
});

test('[C76] a project has a thumbnail of at most 256 KiB', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  const at = `/projects/${id}/thumbnail`;
  const put = (bytes: Buffer) => ann.ask('PUT /projects/{project_id}/thumbnail', at, bytes);
  assert.equal((await put(PNG)).code, 'project.unknown');
  await ann.save(id, {});
  assert.equal((await ann.ask('GET /projects/{project_id}/thumbnail', at)).status, 404);
  assert.equal((await put(PNG)).status, 204);
  const shown = await ann.send('GET', at);
  assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PNG);
  assert.equal(shown.headers.get('content-type'), 'image/png');
  assert.equal(shown.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  assert.equal((await put(Buffer.concat([PNG, Buffer.alloc(256 * 1024)]))).status, 413);
  assert.equal((await put(Buffer.from('<svg/>'))).code, 'project.thumbnail');
});

test('[C76] projects are listed, last saved first, page by page', async (t) => {
  const ann = await open(t);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const [n, id] of ids.entries()) await ann.save(id, { name: `n${n}` });
  const { database } = ann.service.exports.fixture.ports;
  for (const [n, id] of ids.entries()) {
    await database.query('update projects set saved_at_ms = $1 where id = $2', [1000 + n, id]);
  }
  const page = async (query: string) => (await ann.ask('GET /projects', `/projects${query}`)).shown;
  const names = ({ projects }: Record<string, unknown>) => (projects as { name: string }[]).map(({ name }) => name);
  const one = await page('?limit=2');
  const two = await page(`?limit=2&cursor=${one.next}`);
  assert.deepEqual([names(one), names(two)], [['n2', 'n1'], ['n0']]);
  assert.equal(two.next, null);
  await problemOf(await ann.send('GET', '/projects?limit=0'), 422);
});

test('[C76] a link reads the project and its media without a key, until it is revoked', async (t) => {
  const ann = await open(t);
  const { service } = ann;
  const [own, other] = [await ann.putMedia(Buffer.from('own')), await ann.putMedia(Buffer.from('other'))];
  const id = randomUUID();
  const first = await ann.save(id, { name: 'shared', media_refs: { a: own } });
  const { shown: link } = await ann.ask('POST /projects/{project_id}/links', `/projects/${id}/links`);
  const read = (path = '') => fetch(`${service.base}${link.url}${path}`);
  assert.equal(((await (await read()).json()) as { name: string }).name, 'shared');
  const bytes = await read(`/media/${own}`);
  assert.equal(await bytes.text(), 'own');
  assert.equal(bytes.headers.get('content-type'), 'application/octet-stream');
  await problemOf(await read(`/media/${other}`), 404);
  await ann.save(id, { name: 'edited' }, { 'if-match': first.etag! });
  assert.equal(((await (await read()).json()) as { name: string }).name, 'edited');
  await problemOf(await read(`/media/${own}`), 404);
  const logged = JSON.stringify(service.logged);
  assert.ok(!logged.includes((link.url as string).split('/').at(-1)!), 'secrets are in no log');
  const { shown: list } = await ann.ask('GET /projects/{project_id}/links', `/projects/${id}/links`);
  assert.deepEqual(list.links, [{ link_id: link.link_id, created_at: link.created_at }]);
  const at = `/projects/${id}/links/${link.link_id}`;
  assert.equal((await ann.ask('DELETE /projects/{project_id}/links/{link}', at)).status, 204);
  assert.equal((await ann.ask('DELETE /projects/{project_id}/links/{link}', at)).code, 'link.unknown');
  assert.equal((await problemOf(await read(), 404)).code, 'link.unknown');
});

test('[C76] a link has neither the table of the studio nor the files that only it names; the owner has both', async (t) => {
  const ann = await open(t);
  const [own, ofTable, both] = [
    await ann.putMedia(Buffer.from('1')),
    await ann.putMedia(Buffer.from('2')),
    await ann.putMedia(Buffer.from('3')),
  ];
  const id = randomUUID();
  const table = { rows: [{ id: 1, video: 'secret' }], files: { [ofTable]: {}, [both]: {} } };
  const project = { name: 'template', media_refs: { a: own, b: both }, studio: { media: {}, table } };
  await ann.save(id, project);
  const { shown: link } = await ann.ask('POST /projects/{project_id}/links', `/projects/${id}/links`);
  const read = (path = '') => fetch(`${ann.service.base}${link.url}${path}`);
  assert.deepEqual(await (await read()).json(), { ...project, studio: { media: {} } });
  await problemOf(await read(`/media/${ofTable}`), 404);
  assert.equal(await (await read(`/media/${both}`)).text(), '3');
  assert.deepEqual(await (await ann.send('GET', `/projects/${id}`)).json(), project);
  // The project keeps the files of its table.
  const { shown } = await ann.ask('GET /media/{sha256}', `/media/${ofTable}`);
  assert.ok(shown !== undefined);
});

test('[C76] a project has at most 20 links', async (t) => {
  const ann = await open(t);
  const id = randomUUID();
  await ann.save(id, {});
  const share = () => ann.send('POST', `/projects/${id}/links`);
  for (let n = 0; n < 20; n += 1) assert.equal((await share()).status, 201);
  const full = await share();
  assert.equal(full.headers.get('retry-after'), null);
  assert.equal((await problemOf(full, 409)).code, 'link.too_many');
});

test('[C76] media are returned as a file that no browser runs', async (t) => {
  const ann = await open(t);
  const page = Buffer.from('<script>alert(1)</script>');
  const sha256 = await ann.putMedia(page);
  const whole = await ann.send('GET', `/media/${sha256}`);
  assert.equal(await whole.text(), page.toString());
  const headers = ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy', 'etag'];
  assert.deepEqual(
    headers.map((name) => whole.headers.get(name)),
    [
      ...['application/octet-stream', `attachment; filename="${sha256}"`, 'nosniff'],
      ...["default-src 'none'; sandbox", `"${sha256}"`],
    ],
  );
  const range = await ann.send('GET', `/media/${sha256}`, undefined, { range: 'bytes=1-6' });
  assert.deepEqual([range.status, await range.text()], [206, 'script']);
  assert.equal((await ann.send('GET', `/media/${sum(Buffer.from('no'))}`)).status, 404);
});
