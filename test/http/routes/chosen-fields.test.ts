import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann' },
  { tenant: 'bob', key: 'key-of-bob' },
];
const ANN = { 'x-api-key': 'key-of-ann' };
const ASYNC = { prefer: 'respond-async' };

function create(
  service: Service,
  { settings = {}, ...fields }: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
) {
  const sent = Object.entries(fields).map(([name, value]) => ({ name, content: JSON.stringify(value) }));
  return postForm(service, [...exampleParts({ settings: settings as object }), ...sent], { ...ASYNC, ...headers });
}

async function made(reply: Response): Promise<ExportMetadata> {
  assert.equal(reply.status, 202, await reply.clone().text());
  return (await reply.json()) as ExportMetadata;
}

function states({ outputs }: ExportMetadata): string[] {
  return Object.values(outputs).map(({ state }) => state);
}

test('[C86] only the presets of `presets` are rendered now, and a download starts another one', async (t) => {
  const service = await serve(t);
  assert.deepEqual(states(await made(await create(service, {}))), ['queued', 'queued', 'queued']);
  const two = await made(await create(service, { presets: ['square', 'preset_one'] }));
  assert.deepEqual(states(two), ['queued', 'idle', 'queued']);
  const one = await made(await create(service, { presets: ['landscape', 'landscape'] }));
  assert.deepEqual(states(one), ['queued', 'idle', 'idle']);
  const portrait = { presets: ['portrait'], settings: { preset: 'portrait' } };
  assert.deepEqual(states(await made(await create(service, portrait))), ['idle', 'queued', 'idle']);

  const waiting = { headers: { prefer: 'wait=0', accept: 'application/json' } };
  const early = await fetch(`${service.base}/video/exports/${one.export_id}/download/square`, waiting);
  assert.ok(early.status < 500 && early.status !== 404, `${early.status}`);
  const now = await (await fetch(`${service.base}/video/exports/${one.export_id}`)).json();
  assert.deepEqual(states(now as ExportMetadata), ['queued', 'idle', 'queued']);
});

test('[C86] `presets` chooses more than a deployment that renders the selected preset only', async (t) => {
  const service = await serve(t, {}, { prerender: 'selected' });
  assert.deepEqual(states(await made(await create(service, {}))), ['queued', 'idle', 'idle']);
  const two = await made(await create(service, { presets: ['landscape', 'square'] }));
  assert.deepEqual(states(two), ['queued', 'idle', 'queued']);
});

test('[C86] errors of `presets` name the place, the value and what is allowed', async (t) => {
  const service = await serve(t);
  const faults = async (presets: unknown, path = '/video/exports') => {
    const parts = [...exampleParts(), { name: 'presets', content: JSON.stringify(presets) }];
    const { errors } = await problemOf(await postForm(service, parts, ASYNC, path), 422);
    return errors.map((error) => `${error.path} ${error.code}`);
  };
  for (const path of ['/video/exports', '/video/exports/validate']) {
    assert.deepEqual(await faults(['portrait'], path), ['/presets presets.not_selected']);
    assert.deepEqual(await faults([], path), ['/presets field.range']);
    assert.deepEqual(await faults('landscape', path), ['/presets field.type']);
    const both = ['/presets/0 field.choice', '/presets/2 field.type'];
    assert.deepEqual(await faults(['wide', 'landscape', 1], path), both);
  }
});

test('[C87] metadata is returned with the export, also as JSON, and is compared for the same key', async (t) => {
  const service = await serve(t);
  const pairs = { channel: 'snacks', 'Größe 🎬': '', __proto__x: 'a\u0000b', ['__proto__']: 'own' };
  const first = await made(await create(service, { metadata: pairs }, { 'idempotency-key': 'one' }));
  assert.deepEqual(Object.entries(first.metadata), Object.entries(pairs));
  const shown = await (await fetch(`${service.base}/video/exports/${first.export_id}`)).json();
  assert.deepEqual(Object.entries((shown as ExportMetadata).metadata), Object.entries(pairs));
  assert.deepEqual((await made(await create(service, {}))).metadata, {});

  const other = Object.fromEntries(Object.entries(pairs).reverse());
  const again = await create(service, { metadata: other }, { 'idempotency-key': 'one' });
  assert.equal(
    ((await again.json()) as ExportMetadata).export_id,
    first.export_id,
    'the order of pairs does not count',
  );
  const changed = await create(service, { metadata: { ...pairs, channel: 'x' } }, { 'idempotency-key': 'one' });
  assert.equal((await problemOf(changed, 422)).code, 'idempotency.conflict');
});

test('[C87] the limits of metadata are 20 pairs, 40 characters of a key and 500 of a value', async (t) => {
  const service = await serve(t);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, '🎬']));
  const longest = { ...many(19), ['🎬'.repeat(40)]: '🎬'.repeat(500) };
  assert.deepEqual((await made(await create(service, { metadata: longest }))).metadata, longest);
  const faults = async (metadata: unknown) => {
    const { errors } = await problemOf(await create(service, { metadata }), 422);
    return errors.map(({ path, code }) => `${path} ${code}`);
  };
  assert.deepEqual(await faults(many(21)), ['/metadata field.range']);
  assert.deepEqual(await faults({ '': 'x', ['k'.repeat(41)]: 1, a: null, b: 'x'.repeat(501) }), [
    '/metadata/ field.range',
    `/metadata/${'k'.repeat(41)} field.range`,
    `/metadata/${'k'.repeat(41)} field.type`,
    '/metadata/a field.type',
    '/metadata/b field.range',
  ]);
  assert.deepEqual(await faults([]), ['/metadata field.type']);
});

test('[C87] lists filter by pairs of metadata, of the own tenant, and pages keep the filter', async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  const ids: string[] = [];
  for (const week of ['1', '2', '2', '2']) {
    const metadata = { channel: 'snacks & more', week };
    ids.push((await made(await create(service, { metadata }, ANN))).export_id);
  }
  await made(await create(service, { metadata: { channel: 'snacks & more' } }, { 'x-api-key': 'key-of-bob' }));
  const list = async (query: string) => {
    const reply = await fetch(`${service.base}/video/exports?${query}`, { headers: ANN });
    const { exports, warnings } = (await reply.json()) as { exports: ExportMetadata[]; warnings: object[] };
    return { found: exports.map(({ export_id }) => export_id), warnings, link: reply.headers.get('link') };
  };
  const channel = `metadata.channel=${encodeURIComponent('snacks & more')}`;
  assert.deepEqual((await list(channel)).found, ids.toReversed());
  assert.deepEqual((await list(`${channel}&metadata.week=1`)).found, [ids[0]]);
  assert.deepEqual((await list(`${channel}&metadata.week=3`)).found, []);
  assert.deepEqual((await list('metadata.week=snacks')).found, []);
  assert.deepEqual((await list('metadata.week=')).found, ids.toReversed(), 'an empty value is none');
  const first = await list(`${channel}&metadata.week=2&limit=2&state=queued`);
  assert.deepEqual([first.found, first.warnings], [[ids[3], ids[2]], []]);
  const next = /<([^>]+)>/.exec(first.link!)![1]!;
  assert.deepEqual((await list(next.slice(next.indexOf('?') + 1))).found, [ids[1]]);

  const faults = async (query: string) => {
    const problem = await problemOf(await fetch(`${service.base}/video/exports?${query}`, { headers: ANN }), 422);
    return problem.errors.map(({ path, code }) => `${path} ${code}`);
  };
  assert.deepEqual(await faults(`metadata.=x&metadata.a=${'x'.repeat(501)}&metadata.b=1&metadata.b=2`), [
    '/metadata.b field.type',
    '/metadata. field.range',
    '/metadata.a field.range',
  ]);
  const pairs = Array.from({ length: 21 }, (_, n) => `metadata.${n}=x`).join('&');
  assert.deepEqual(await faults(pairs), ['/metadata field.range']);
});

test('[C40] lists filter by the time of creation; ranges that follow each other share no export', async (t) => {
  const service = await serve(t);
  const made1 = await made(await create(service, {}));
  const at = made1.created_at;
  const list = async (query: Record<string, string>) => {
    const reply = await fetch(`${service.base}/video/exports?${new URLSearchParams(query)}`);
    assert.equal(reply.status, 200, await reply.clone().text());
    return ((await reply.json()) as { exports: object[] }).exports.length;
  };
  assert.equal(await list({ created_after: at }), 1, 'its own time is in the range that it begins');
  assert.equal(await list({ created_before: at }), 0);
  assert.equal(await list({ created_after: at.slice(0, 10), created_before: '2999-12-31' }), 1);
  assert.equal(await list({ created_after: '2999-12-31T00:00:00+02:00' }), 0);
  for (const wrong of ['today', '2026-02-30', '2026-01-31T18:00:00', '1', '2026-01-31T25:00:00Z', '9'.repeat(1000)]) {
    const reply = await fetch(`${service.base}/video/exports?created_after=${wrong}&created_before=${wrong}`);
    const { errors } = await problemOf(reply, 422);
    assert.deepEqual(
      errors.map(({ path, code }) => `${path} ${code}`),
      ['/created_after field.format', '/created_before field.format'],
    );
  }
});
