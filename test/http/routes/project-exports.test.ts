import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { FrameRequest } from '../../../src/exports/api/exports-api.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, problemOf, type Service, serve } from '../serve.ts';

const ANN = { 'x-api-key': 'key-of-ann-1234567' };
const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];
const ASYNC = { prefer: 'respond-async' };
const PICTURE = exampleParts().find(({ fileName }) => fileName !== undefined)!;
const HASH = sha256(String(PICTURE.content));

const PROJECT = {
  $schema: '/schemas/project.json',
  name: 'Weekly',
  studio: { zoom: 3 },
  tier_list: {
    title: '{{title}}, week {{week}}',
    rows: [
      { id: 's', label: 'Great', item_ids: ['one'] },
      { id: 'f', label: 'Bad' },
    ],
    items: [{ id: 'one', name: 'One', file_field: 'logo' }],
  },
  timeline_data: { auto: {}, titles: [{ text: '{{subtitle}}', start: 1, duration: 2 }] },
  settings: { quality: 'draft', fps: '{{fps}}' },
  fields: {
    title: { type: 'text', default: 'Snacks', max: 30 },
    subtitle: { type: 'text' },
    week: { type: 'number', required: true, min: 1, max: 53 },
    fps: { type: 'number', default: 24 },
    logo: { type: 'media', kind: 'picture' },
    list: { type: 'items' },
  },
  media: { logo: `sha256:${HASH}` },
};

const SHOWN = { bytes: Buffer.from('a picture'), width: 64, height: 36, frame: 1, totalFrames: 3, seconds: 0.1 };

interface Reply {
  readonly [member: string]: unknown;
}

class Ann {
  readonly service: Service;
  readonly #described: DescribedReplies;
  readonly id = randomUUID();

  private constructor(service: Service, described: DescribedReplies) {
    this.service = service;
    this.#described = described;
  }

  static async of(t: TestContext, project: object = PROJECT): Promise<Ann> {
    const service = await serve(t, { apiKeys: KEYS });
    const ann = new Ann(service, await DescribedReplies.of(service));
    const media = await fetch(`${service.base}/media/${HASH}`, {
      method: 'PUT',
      headers: ANN,
      body: String(PICTURE.content),
    });
    assert.equal(media.status, 201);
    await ann.save(project);
    return ann;
  }

  async save(project: object, etag?: string): Promise<void> {
    const headers = { ...ANN, ...(etag !== undefined && { 'if-match': etag }) };
    const saved = await fetch(`${this.service.base}/projects/${this.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(project),
    });
    assert.ok(saved.ok, await saved.clone().text());
  }

  post(step: string, body: unknown, headers: Record<string, string> = ASYNC): Promise<Response> {
    return this.send(`/projects/${this.id}/${step}`, body, headers);
  }

  send(path: string, body: unknown, headers: Record<string, string> = ASYNC): Promise<Response> {
    return fetch(`${this.service.base}${path}`, {
      method: 'POST',
      headers: { ...ANN, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async described(operation: string, reply: Response): Promise<Reply> {
    return (await this.#described.check(operation, reply)) as Reply;
  }

  async get(path: string): Promise<Reply> {
    return (await (await fetch(`${this.service.base}${path}`, { headers: ANN })).json()) as Reply;
  }
}

async function faults(reply: Response): Promise<string[]> {
  const { errors, code, status } = (await reply.json()) as {
    errors?: { path: string; code: string }[];
    code: string;
    status: number;
  };
  return errors?.map((one) => `${one.path} ${one.code}`) ?? [`${status} ${code}`];
}

test('[C84] an export of a project has its values, and keeps project, revision and values', async (t) => {
  const ann = await Ann.of(t);
  const values = { week: 12, title: 'Cheese' };
  const reply = await ann.post('exports', { values, settings: { fps: 30 }, external_id: 'week-12' });
  assert.equal(reply.status, 202, await reply.clone().text());
  const made = await ann.described('POST /projects/{project_id}/exports', reply);
  assert.deepEqual(
    [made.title, made.external_id, made.project_id, made.revision, made.values],
    ['Cheese, week 12', 'week-12', ann.id, 1, values],
  );
  assert.equal((made.settings as Reply).fps, 30);
  assert.deepEqual((await ann.get(`/video/exports/${made.export_id}`)).values, values);
  const [listed] = (await ann.get('/video/exports')).exports as Reply[];
  assert.deepEqual([listed?.project_id, listed?.revision, listed?.values], [ann.id, 1, undefined]);
});

test('[C84, C9] a key is bound to project and body: a later revision changes nothing, another value does', async (t) => {
  const ann = await Ann.of(t);
  const key = { ...ASYNC, 'idempotency-key': 'k' };
  const body = { values: { week: 1 } };
  const first = (await (await ann.post('exports', body, key)).json()) as Reply;
  const { etag } = ((await ann.get(`/projects`)).projects as { etag: string }[])[0]!;
  await ann.save({ ...PROJECT, name: 'Later' }, etag);
  const again = await ann.post('exports', body, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(((await again.json()) as Reply).export_id, first.export_id);
  assert.equal(
    (await problemOf(await ann.post('exports', { values: { week: 2 } }, key), 422)).code,
    'idempotency.conflict',
  );
  const second = (await (await ann.post('exports', body)).json()) as Reply;
  const old = (await (await ann.post('exports', { ...body, revision: 1 })).json()) as Reply;
  assert.deepEqual([second.revision, old.revision], [2, 1]);
  assert.equal((await problemOf(await ann.post('exports', { ...body, revision: 3 }), 404)).code, 'project.unknown');
});

test('[C84, C83] errors are at the value; another tenant and a form are refused', async (t) => {
  const ann = await Ann.of(t);
  assert.deepEqual(await faults(await ann.post('validate', { values: { week: '3', titel: 'x' } })), [
    '/values/titel value.unknown',
    '/values/week field.type',
  ]);
  assert.deepEqual(await faults(await ann.post('validate', { values: { week: 3, logo: 'logo.png' } })), [
    '/values/logo field.format',
  ]);
  assert.deepEqual(await faults(await ann.post('validate', { revision: 0.5 })), ['/revision field.range']);
  const gone = { week: 3, list: [{ name: 'A', row: 'Great', picture: `sha256:${'0'.repeat(64)}` }] };
  const problem = await problemOf(await ann.post('validate', { values: gone }), 422);
  assert.deepEqual([problem.code, problem.errors[0]?.path], ['reference.unknown', '/values/list/0/picture']);
  const bob = await ann.post('exports', { values: { week: 3 } }, { 'x-api-key': 'key-of-bob-1234567' });
  assert.equal((await problemOf(bob, 404)).code, 'project.unknown');
  const form = await ann.post('exports', {}, { 'content-type': 'multipart/form-data; boundary=x' });
  assert.equal((await problemOf(form, 415)).code, 'request.not_json');
  const strange = await ann.described(
    'POST /projects/{project_id}/validate',
    await ann.post('validate', { values: { week: 3 }, valeus: {} }),
  );
  assert.deepEqual(
    (strange.warnings as Reply[]).map(({ path, code }) => `${path} ${code}`),
    ['/valeus field.unknown'],
  );
});

test('[C84, C83] validate and frames take values; items fill the list and its rows', async (t) => {
  const ann = await Ann.of(t);
  const list = [
    { name: 'Chips', row: 'Great', picture: `sha256:${HASH}` },
    { name: 'Nuts', row: 'f', score: 7 },
  ];
  const values = { week: 3, list, subtitle: 'New!' };
  const reply = await ann.post('validate', { values });
  assert.equal(reply.status, 200, await reply.clone().text());
  const { plan, duration } = await ann.described('POST /projects/{project_id}/validate', reply);
  assert.ok(Number(duration) > 5);
  assert.match(String(plan), /New!/);
  const frames: FrameRequest[] = [];
  ann.service.exports.frame = async (request) => {
    frames.push(request);
    return { ...SHOWN, warnings: [] };
  };
  const frame = await ann.post('frames', { values, at: 9, preset: 'preset_one' }, { accept: 'image/png' });
  assert.equal(frame.status, 200, await frame.clone().text());
  const asked = frames[0]!.texts;
  assert.deepEqual([asked.get('at'), asked.get('preset')], ['9', 'preset_one']);
  assert.match(Buffer.from(asked.get('tier_list') as Uint8Array).toString(), /"title":"Snacks, week 3"/);
});

test('[C82] a create in JSON takes a project as it is stored, with media, fields and values', async (t) => {
  const ann = await Ann.of(t);
  const stored = await ann.get(`/projects/${ann.id}`);
  assert.deepEqual(stored, PROJECT);
  const plain = await ann.send('/video/exports/validate', { ...stored, values: { week: 5 } });
  const { warnings } = await ann.described('POST /video/exports/validate', plain);
  assert.deepEqual(warnings, []);
  const twice = { ...stored, values: { week: 5 }, media_refs: { logo: HASH } };
  const problem = await problemOf(await ann.send('/video/exports/validate', twice), 422);
  assert.deepEqual([problem.code, problem.errors[0]?.path], ['reference.repeated', '/media_refs/logo']);
  const made = (await (await ann.send('/video/exports', { ...stored, values: { week: 5 } })).json()) as Reply;
  assert.deepEqual([made.title, made.project_id], ['Snacks, week 5', undefined]);
});

test('[C82] the schema of a project is there for everyone, and describes its fields', async (t) => {
  const ann = await Ann.of(t);
  const reply = await fetch(`${ann.service.base}/schemas/project.json`);
  assert.match(reply.headers.get('content-type')!, /^application\/schema\+json/);
  const { $schema, properties, $defs } = (await reply.json()) as Record<string, Record<string, unknown>>;
  assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema');
  assert.ok(properties!.media && $defs!.TierList && $defs!.TemplateField);
});

test('[C82, C76] media of a stored project are kept, in both shapes', async (t) => {
  const ann = await Ann.of(t);
  const remove = () => fetch(`${ann.service.base}/media/${HASH}`, { method: 'DELETE', headers: ANN });
  assert.equal((await problemOf(await remove(), 409)).code, 'media.in_project');
});
