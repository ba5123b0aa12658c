import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { HLS_SCRIPT_PATH } from '../../../src/http/pages/hls-script.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { exampleParts, postForm, serve } from '../serve.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';

test('[C26] the page of an export shows its progress, then player, downloads, chapters and warnings, all escaped', async (t) => {
  const service = await serve(t);
  const parts = exampleParts({ settings: { file_name: HOSTILE, [HOSTILE]: 1 } }).map((part) => {
    return part.name === 'tier_list'
      ? { ...part, content: String(part.content).replace('"Chips"', '"Chips <S>"') }
      : part;
  });
  const { export_id: id } = (await (await postForm(service, parts, { prefer: 'respond-async' })).json()) as {
    export_id: string;
  };
  const page = async () => {
    const reply = await fetch(`${service.base}/video/exports/${id}`, { headers: { accept: 'text/html' } });
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    const text = await reply.text();
    assert.doesNotMatch(text, /<script>|alert\(1\)<|<S>/);
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/assets/export.js" type="module">']);
    return text;
  };
  const waiting = await page();
  assert.match(waiting, /<progress/);
  assert.match(waiting, /data-settled="no"/);
  assert.match(waiting, /field\.unknown/);
  await service.exports.complete(id, 'preset_one', Buffer.from('x'));
  const done = await page();
  assert.match(done, new RegExp(`<video[^>]* src="/video/exports/${id}/download/preset_one\\?inline"`));
  assert.match(done, /Chips &lt;S&gt;/);
  for (const { name } of DEFAULT_PRESETS) assert.ok(done.includes(`/download/${name}"`));
});

test("[C51] the page of an export is live for its owner's session; other visitors are asked for a key, or poll", async (t) => {
  const apiKeys = ['ann', 'bob'].map((tenant) => ({ tenant, key: `key-of-${tenant}` }));
  const service = await serve(t, { apiKeys });
  const made = await postForm(service, exampleParts(), { 'x-api-key': 'key-of-ann', prefer: 'respond-async' });
  const address = `${service.base}${made.headers.get('location')}`;
  const pageFor = async (key: string | null) => {
    const session = key && (await fetch(`${service.base}/session`, { method: 'POST', headers: { 'x-api-key': key } }));
    const cookie = session ? session.headers.get('set-cookie')!.split(';')[0]! : '';
    return (await fetch(address, { headers: { accept: 'text/html', cookie } })).text();
  };
  const own = await pageFor('key-of-ann');
  assert.match(own, /data-live="yes"/);
  assert.match(own, /id="sign-out"/);
  for (const stranger of [await pageFor(null), await pageFor('key-of-bob')]) {
    assert.match(stranger, /data-live="no"/);
    assert.match(stranger, /<form [^>]*method="post" action="\/session">/);
    assert.ok(stranger.includes(`name="to" value="${made.headers.get('location')}"`));
  }
});

test("[C7] a browser's form without scripts leads to the page of its export", async (t) => {
  const service = await serve(t);
  const reply = await postForm(service, exampleParts(), { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
  assert.equal(reply.status, 303);
  const page = await fetch(`${service.base}${reply.headers.get('location')}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
});

test('pages and their resources have their types, unchanged ones are 304, and nothing is inline', async (t) => {
  const service = await serve(t);
  const types: Readonly<Record<string, string>> = {
    '/studio': 'text/html; charset=utf-8',
    '/studio/check': 'text/html; charset=utf-8',
    '/docs': 'text/html; charset=utf-8',
    '/docs/api': 'text/html; charset=utf-8',
    '/docs/guides/themes': 'text/html; charset=utf-8',
    '/docs/errors': 'text/html; charset=utf-8',
    '/assets/style.css': 'text/css; charset=utf-8',
    '/assets/export.js': 'text/javascript; charset=utf-8',
    '/assets/watch.js': 'text/javascript; charset=utf-8',
    '/assets/docs/docs.js': 'text/javascript; charset=utf-8',
    '/assets/docs/try-request.js': 'text/javascript; charset=utf-8',
    '/assets/icon.svg': 'image/svg+xml',
  };
  for (const [path, type] of Object.entries(types)) {
    const reply = await fetch(`${service.base}${path}`);
    assert.equal(reply.headers.get('content-type'), type);
    const text = await reply.text();
    assert.doesNotMatch(text, / style="|<style|<script>| on[a-z]+="/);
    for (const [, loaded] of text.matchAll(/(?:src|href)="(\/[^"#]*)"/g)) {
      assert.equal(
        (await fetch(`${service.base}${loaded}`, { method: 'HEAD' })).status,
        200,
        `${path} loads ${loaded}`,
      );
    }
    const again = await fetch(`${service.base}${path}`, { headers: { 'if-none-match': reply.headers.get('etag')! } });
    assert.equal(again.status, 304);
  }
  assert.match(await (await fetch(`${service.base}/docs/errors`)).text(), /<tr id="json\.syntax">/);
});

test('[C31] openapi.json is 3.1, describes every route, and every reference in it resolves', async (t) => {
  const service = await serve(t);
  const document = (await (await fetch(`${service.base}/openapi.json`)).json()) as Record<string, unknown>;
  assert.equal(document.openapi, '3.1.0');
  const text = JSON.stringify(document);
  for (const [, pointer] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
    const found = pointer!
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    assert.notEqual(found, undefined, pointer);
  }
  const described = Object.entries(document.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  for (const route of described) {
    const [method, url] = route.split(' ') as [string, string];
    assert.ok(service.app.hasRoute({ method: method as 'GET', url }), `${route} is described but not there`);
  }
  const routes = service.app.printRoutes({ commonPrefix: false, includeHooks: false });
  for (const path of ['validate', 'events', 'chapters', 'poster', 'readyz', 'metrics']) {
    assert.ok(routes.includes(path) && described.some((route) => route.endsWith(path)), path);
  }
  const { Settings, VideoClip } = (
    document.components as {
      schemas: Record<string, { properties: Record<string, { maximum?: number; enum?: string[] }> }>;
    }
  ).schemas;
  assert.equal(VideoClip!.properties.speed!.maximum, 10);
  assert.deepEqual(Settings!.properties.quality!.enum, ['draft', 'balanced', 'high', 'upload']);
});

test('[C31] operation ids are unique, and the schemas name the limits that an operator configures', () => {
  const document = openApiDocument({ version: '1' });
  const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  const schemas = JSON.stringify(document.components.schemas);
  assert.match(schemas, /"description":"Items in no row[^"]* Entries: at most `max_items` of `\/limits`\."/);
  assert.match(schemas, /At least minus `max_timeline_seconds`|At most `max_timeline_seconds`/);
  assert.doesNotMatch(schemas, /\d{16}/);
});

test('[C49] hls.js is served locally, compressed if the client accepts it, with an immutable cache header', async (t) => {
  const service = await serve(t);
  const ask = (encoding: string) =>
    fetch(`${service.base}${HLS_SCRIPT_PATH}`, { headers: { 'accept-encoding': encoding } });
  const [plain, packed, refused] = await Promise.all([ask('identity'), ask('gzip, br'), ask('gzip;q=0')]);
  const encodings = [plain, packed, refused].map(({ headers }) => headers.get('content-encoding'));
  assert.deepEqual(encodings, [null, 'gzip', null]);
  assert.equal(packed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const texts = await Promise.all([plain, packed, refused].map((reply) => reply.text()));
  assert.ok(texts[0]!.length > 100_000 && texts.every((text) => text === texts[0]));
  assert.doesNotMatch(texts[0]!, /sourceMappingURL/);
});
