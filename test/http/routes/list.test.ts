import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann' },
  { tenant: 'bob', key: 'key-of-bob' },
];
const ANN = { authorization: 'Bearer key-of-ann' };

interface Page {
  readonly ok: boolean;
  readonly exports: readonly ExportMetadata[];
  readonly next: string | null;
  readonly warnings: readonly { path: string; code: string }[];
}

async function make(service: Service, externalId?: string, headers: Record<string, string> = ANN): Promise<string> {
  const named = externalId === undefined ? [] : [{ name: 'external_id', content: externalId }];
  const reply = await postForm(service, [...named, ...exampleParts()], { ...headers, prefer: 'respond-async' });
  assert.equal(reply.status, 202);
  return ((await reply.json()) as { export_id: string }).export_id;
}

test("[C40] a list has the tenant's own exports, newest first, with pages linked by `next` and Link", async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  const made: string[] = [];
  for (const name of ['one', 'two', 'three', 'four', undefined]) made.push(await make(service, name));
  await make(service, 'one', { 'x-api-key': 'key-of-bob' });
  const page = async (query: string) => {
    const reply = await fetch(`${service.base}/video/exports${query}`, { headers: ANN });
    assert.equal(reply.status, 200);
    return { link: reply.headers.get('link'), ...((await reply.json()) as Page) };
  };
  const all = await page('');
  assert.deepEqual([all.ok, all.next, all.link, all.warnings], [true, null, null, []]);
  assert.deepEqual(
    all.exports.map(({ export_id, external_id, title }) => [export_id, external_id, title]),
    [null, 'four', 'three', 'two', 'one'].map((name, i) => [made.at(-1 - i), name, 'Snacks, ranked']),
  );
  const first = await page('?limit=2&state=queued');
  const second = await page(`?limit=2&cursor=${first.next}`);
  const again = (await (
    await fetch(new URL(first.link!.slice(1, first.link!.indexOf('>')), service.base), { headers: ANN })
  ).json()) as Page;
  assert.deepEqual(again.exports, second.exports);
  const third = await page(`?limit=2&cursor=${second.next}`);
  assert.deepEqual([...first.exports, ...second.exports, ...third.exports], all.exports);
  assert.equal(third.next, null);
  assert.deepEqual(
    (await page('?external_id=one')).exports.map(({ export_id }) => export_id),
    [made[0]],
  );
  await service.exports.complete(made[1]!, 'preset_one', Buffer.from('x'));
  assert.deepEqual(
    (await page('?state=completed')).exports.map(({ export_id }) => export_id),
    [made[1]],
  );
  assert.deepEqual((await page('?state=&external_id=&limit=&cursor=')).exports.length, 5, 'an empty value is none');
  const unknown = await page('?stat=failed');
  assert.deepEqual(
    unknown.warnings.map(({ path, code }) => [path, code]),
    [['/stat', 'field.unknown']],
  );
  await problemOf(await fetch(`${service.base}/video/exports`), 401);
});

test('[C40] all errors of a query are returned together, each with its name', async (t) => {
  const service = await serve(t);
  const faults = async (query: string) => {
    const problem = await problemOf(await fetch(`${service.base}/video/exports?${query}`), 422);
    return problem.errors.map(({ path, code }) => `${path} ${code}`);
  };
  for (const limit of ['0', '101', '-1', '1.5', 'ten', '9999999999']) {
    assert.deepEqual(await faults(`limit=${limit}`), ['/limit field.range'], limit);
  }
  assert.deepEqual(await faults('state=done'), ['/state field.choice']);
  assert.deepEqual(await faults('cursor=x'), ['/cursor field.format']);
  assert.deepEqual(await faults('limit=1&limit=2'), ['/limit field.type']);
  assert.deepEqual(await faults(`external_id=${'ä'.repeat(201)}&state=x&limit=x&cursor=x`), [
    '/state field.choice',
    '/external_id field.range',
    '/limit field.range',
    '/cursor field.format',
  ]);
});
