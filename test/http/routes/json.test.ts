import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_REQUEST } from '../../../src/http/openapi/form-body.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const FILES = exampleParts().filter(({ fileName }) => fileName !== undefined);
const REFS = Object.fromEntries(FILES.map(({ name, content }) => [name, sha256(String(content))]));
const { tier_list, timeline_data, settings } = EXAMPLE_REQUEST;
const DOCUMENTS = { tier_list, timeline_data, settings };
const ASYNC = { prefer: 'respond-async' };

function post({ base }: Service, body: unknown, path = '/video/exports', headers: Record<string, string> = {}) {
  return fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A service that has the pictures of the example. */
async function withPictures(t: Parameters<typeof serve>[0]): Promise<Service> {
  const service = await serve(t);
  for (const { content } of FILES) {
    const reply = await fetch(`${service.base}/media/${sha256(String(content))}`, {
      method: 'PUT',
      body: String(content),
    });
    assert.equal(reply.status, 201);
  }
  return service;
}

test('[C67, C9] a create as JSON and one as a form have the same content, whatever white space and order', async (t) => {
  const service = await withPictures(t);
  const key = { 'idempotency-key': 'one', ...ASYNC };
  const body = { ...DOCUMENTS, media_refs: REFS, external_id: 'mine' };
  const first = await post(service, body, '/video/exports', key);
  assert.equal(first.status, 202, await first.clone().text());
  const { export_id: id, external_id } = (await first.json()) as Record<string, string>;
  assert.equal(external_id, 'mine');
  const reversed = Object.fromEntries(Object.entries(body).reverse());
  const again = await post(service, JSON.stringify(reversed, null, 4), '/video/exports', key);
  const form = await postForm(service, [...exampleParts(), { name: 'external_id', content: 'mine' }], key);
  for (const reply of [again, form]) {
    assert.equal(reply.headers.get('idempotency-replayed'), 'true');
    assert.equal(((await reply.json()) as Record<string, string>).export_id, id);
  }
  const other = await post(service, { ...body, settings: { ...settings, quality: 'draft' } }, '/video/exports', key);
  assert.equal((await problemOf(other, 422)).code, 'idempotency.conflict');
});

test('[C67] validate, frames and the legacy fields accept JSON', async (t) => {
  const service = await withPictures(t);
  const validated = await post(service, { ...DOCUMENTS, media_refs: REFS }, '/video/exports/validate');
  const { ok, duration, warnings } = (await validated.json()) as Record<string, unknown>;
  assert.deepEqual([validated.status, ok, duration, warnings], [200, true, 10, []]);
  const legacy = { timeline_json: { ...timeline_data, tier_list, settings }, media_refs: REFS };
  const older = await post(service, legacy, '/video/exports/validate');
  assert.equal(older.status, 200, await older.clone().text());
  const outside = await post(service, { ...DOCUMENTS, media_refs: REFS, at: 1.5, preset: 'none' }, '/video/frames');
  assert.equal((await problemOf(outside, 422)).errors[0]!.path, '/preset');
  const pauses = await post(service, { media_ref: 'x', min_pause: 0.5 }, '/video/pauses');
  assert.equal((await problemOf(pauses, 422)).errors[0]!.path, '/media_ref');
});

test('[C67, C6] an unknown member is a warning at its name', async (t) => {
  const service = await withPictures(t);
  const sent = { ...DOCUMENTS, media_refs: REFS, clip: 'https://example.com/clip.mp4' };
  const reply = await post(service, sent, '/video/exports/validate');
  const { warnings } = (await reply.json()) as { warnings: { path: string; code: string; message: string }[] };
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/clip field.unknown'],
  );
  assert.match(warnings[0]!.message, /media_refs or media_urls/);
  const pauses = await problemOf(await post(service, { media_ur: 'https://example.com/x' }, '/video/pauses'), 422);
  assert.deepEqual(pauses.warnings, [
    {
      path: '/media_ur',
      code: 'field.unknown',
      message: 'The member "media_ur" is unknown and ignored. Did you mean "media_url"?',
    },
  ]);
});

test('[C67, C5] errors name members, and equal those of a form', async (t) => {
  const service = await serve(t);
  const wrong: readonly [unknown, number, string[]][] = [
    ['{"tier_list": {}, "tier_list": {}}', 400, [' json.duplicate_key']],
    ['{"tier_list": ', 400, ['/tier_list json.syntax']],
    ['[]', 422, [' field.type']],
    [{ ...DOCUMENTS, callback_url: 7, external_id: {} }, 422, ['/callback_url field.type', '/external_id field.type']],
    [{ tier_list: JSON.stringify(tier_list), timeline_data }, 422, ['/tier_list field.type']],
    [{ ...DOCUMENTS, media_refs: 'x' }, 422, ['/media_refs field.type']],
    [
      { tier_list, timeline_data: { videos: [{ file_field: 'a', speed: '1.5' }] } },
      422,
      ['/timeline_data/videos/0/speed field.type'],
    ],
    [{ ...DOCUMENTS, tier_list: { ...tier_list, title: 'x'.repeat(5 * 2 ** 20) } }, 413, []],
  ];
  for (const [body, status, expected] of wrong) {
    const problem = await problemOf(await post(service, body), status);
    const issues = problem.errors.map(({ path, code }) => `${path} ${code}`);
    for (const issue of expected) assert.ok(issues.includes(issue), `${issues} lacks ${issue}`);
  }
  const number = await post(service, { ...DOCUMENTS, at: '1.5' }, '/video/frames');
  assert.equal((await problemOf(number, 422)).errors[0]!.path, '/at');
  const neither = await post(service, 'x', '/video/exports', { 'content-type': 'text/plain' });
  assert.match((await problemOf(neither, 415)).detail, /multipart\/form-data or application\/json/);
});

test('[C67, C31] /openapi.json describes both bodies, or the one that a generator needs', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const bodies = async (query: string) => {
    const reply = await fetch(`${service.base}/openapi.json${query}`);
    assert.equal(reply.status, 200);
    const { paths } = (await described.check('GET /openapi.json', reply)) as { paths: Record<string, Operations> };
    const typesOf = (path: string) => Object.keys(paths[path]!.post!.requestBody.content);
    assert.deepEqual(typesOf('/media'), ['application/json'], 'what is JSON alone stays so');
    return [
      ...[
        '/video/exports',
        '/video/exports/validate',
        '/video/frames',
        '/video/thumbnails',
        '/video/pauses',
        '/video/captions',
      ],
    ].map(typesOf);
  };
  const both = ['multipart/form-data', 'application/json'];
  assert.deepEqual(await bodies(''), Array(6).fill(both));
  assert.deepEqual(await bodies('?body=form'), Array(6).fill(['multipart/form-data']));
  assert.deepEqual(await bodies('?body=json'), Array(6).fill(['application/json']));
  for (const wrong of ['?body=xml', '?body=', '?body=form&body=json', '?body=toString']) {
    const problem = await problemOf(await fetch(`${service.base}/openapi.json${wrong}`), 422);
    assert.deepEqual([problem.code, problem.errors[0]?.path], ['field.choice', '/body'], wrong);
  }
});

type Operations = Readonly<Record<string, { readonly requestBody: { readonly content: object } }>>;
