import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../../src/store/records/usage-records.ts';
import { exampleParts, postForm, problemOf, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];
const ANN = { 'x-api-key': 'key-of-ann-1234567' };
const BOB = { 'x-api-key': 'key-of-bob-1234567' };

interface Usage {
  readonly from: string;
  readonly to: string;
  readonly days: { readonly day: string; readonly exports: number; readonly bytes_stored: number }[];
  readonly storage: {
    readonly bytes: number;
    readonly rows: number;
    readonly limits: { readonly bytes: number };
    readonly kinds: Record<'media', { readonly bytes: number; readonly rows: number }>;
  };
  readonly warnings: { readonly path: string; readonly code: string }[];
}

test("[C74] GET /usage returns the tenant's own days", async (t) => {
  const service = await serve(t, { apiKeys: KEYS });
  const usage = async (query: string, headers: Record<string, string> = ANN) => {
    const reply = await fetch(`${service.base}/usage${query}`, { headers });
    assert.equal(reply.status, 200, await reply.clone().text());
    return (await reply.json()) as Usage;
  };
  const before = dayOf(Date.now());
  await postForm(service, exampleParts(), { ...ANN, prefer: 'respond-async' });
  const { from, to, days } = await usage('');
  assert.equal(days.length, 30);
  assert.deepEqual([days[0]?.day, days.at(-1)?.day], [from, to]);
  assert.ok([before, dayOf(Date.now())].includes(to));
  const sum = (of: Usage['days'], count: 'exports' | 'bytes_stored') => of.reduce((all, day) => all + day[count], 0);
  assert.equal(sum(days, 'exports'), 1);
  const files = exampleParts().filter(({ fileName }) => fileName !== undefined);
  const fileBytes = files.reduce((all, { content }) => all + Buffer.byteLength(content), 0);
  assert.equal(sum(days, 'bytes_stored'), fileBytes);
  assert.equal(sum((await usage('', BOB)).days, 'exports'), 0);
  const { storage } = await usage('');
  assert.deepEqual([storage.kinds.media.bytes, storage.bytes], [fileBytes, fileBytes]);
  assert.ok(storage.limits.bytes >= fileBytes && storage.rows > 0);
  assert.deepEqual([(await usage('', BOB)).storage.bytes, (await usage('', BOB)).storage.rows], [0, 0]);
  assert.equal((await usage('?from=2026-01-01&to=2026-04-02')).days.length, 92);
  assert.deepEqual((await usage('?too=2026-01-01')).warnings[0]?.code, 'field.unknown');
  assert.equal((await fetch(`${service.base}/usage`)).status, 401);
});

test('[C74] invalid, reversed or too many days are errors with their name', async (t) => {
  const service = await serve(t);
  const faults = async (query: string) => {
    const { errors } = await problemOf(await fetch(`${service.base}/usage?${query}`), 422);
    return errors.map(({ path, code }) => `${path} ${code}`);
  };
  assert.deepEqual(await faults('from=yesterday&to=2026-02-30'), ['/from field.format', '/to field.format']);
  assert.deepEqual(await faults('from=2026-02-02&to=2026-02-01'), ['/from field.range']);
  assert.deepEqual(await faults('from=2026-01-01&to=2026-04-03'), ['/from field.range']);
  assert.deepEqual(await faults('from=2026-01-01&from=2026-01-02'), ['/from field.type']);
});
