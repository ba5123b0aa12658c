import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleParts, postForm, type Service, serve } from '../serve.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567890' },
  { tenant: 'bob', key: 'key-of-bob-1234567890' },
];
const [ANN, BOB] = KEYS.map(({ key }) => ({ authorization: `Bearer ${key}` })) as [Headers, Headers];
type Headers = { readonly authorization: string };

async function started(service: Service, headers: Record<string, string> = {}): Promise<string> {
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async', ...headers });
  const { export_id: id } = (await reply.json()) as { export_id: string };
  return `${service.base}/video/exports/${id}`;
}

/** An event stream, open after its first event. */
async function openStream(url: string, headers: Record<string, string> = {}) {
  const leave = new AbortController();
  const reply = await fetch(`${url}/events`, { headers, signal: leave.signal });
  return { status: reply.status, reply, leave: () => leave.abort() };
}

async function assertRefused(reply: Response, max: number): Promise<void> {
  assert.equal(reply.status, 429);
  assert.ok(Number(reply.headers.get('retry-after')) > 0);
  const problem = (await reply.json()) as { code: string; detail: string };
  assert.equal(problem.code, 'wait.too_many');
  assert.match(problem.detail, new RegExp(`You have ${max} open connections that wait`));
}

test('[H61] a tenant has a limit of open event streams; a closed one makes room, and others are not concerned', async (t) => {
  const service = await serve(t, { apiKeys: KEYS, maxOpenWaits: 3 });
  const [ofAnn, ofBob] = [await started(service, ANN), await started(service, BOB)];
  const open = await Promise.all([1, 2, 3].map(() => openStream(ofAnn, ANN)));
  assert.deepEqual(
    open.map(({ status }) => status),
    [200, 200, 200],
  );
  await assertRefused((await openStream(ofAnn, ANN)).reply, 3);
  const other = await openStream(ofBob, BOB);
  assert.equal(other.status, 200);
  other.leave();
  open[0]!.leave();
  // The service learns of the end of a connection in a moment.
  let again = await openStream(ofAnn, ANN);
  for (let n = 0; n < 100 && again.status === 429; n += 1) again = await openStream(ofAnn, ANN);
  assert.equal(again.status, 200);
  for (const stream of [...open, again]) stream.leave();
});

test('[H61] states, downloads, playlists and creates that wait count too; what needs no wait is answered', async (t) => {
  const service = await serve(t, { apiKeys: KEYS, maxOpenWaits: 1 });
  const url = await started(service, ANN);
  const waiting = await openStream(url, ANN);
  const wait = { prefer: 'wait=5', ...ANN };
  await assertRefused(await fetch(url, { headers: wait }), 1);
  await assertRefused(await fetch(`${url}/download/preset_one`, { headers: wait }), 1);
  await assertRefused(await fetch(`${url}/hls/preset_one/index.m3u8`, { headers: wait }), 1);
  await assertRefused(await postForm(service, exampleParts(), wait), 1);
  assert.equal((await fetch(url, { headers: ANN })).status, 200);
  const atOnce = await postForm(service, exampleParts(), { prefer: 'respond-async', ...ANN });
  assert.equal(atOnce.status, 202);
  await atOnce.text();
  waiting.leave();
});

test('[H61] without a key, the limit is for one address', async (t) => {
  const service = await serve(t, { apiKeys: KEYS, maxOpenWaits: 1 });
  const url = await started(service, ANN);
  const leave = new AbortController();
  const prefer = { prefer: 'wait=20' };
  const first = fetch(`${url}/download/preset_one`, { headers: prefer, signal: leave.signal }).catch(() => null);
  let second = await fetch(`${url}/download/preset_one`, { headers: { prefer: 'wait=0' } });
  // The first one is on its way.
  for (let n = 0; n < 10 && second.status !== 429; n += 1) {
    await second.text();
    second = await fetch(`${url}/download/preset_one`, { headers: { prefer: 'wait=1' } });
  }
  await assertRefused(second, 1);
  const own = await openStream(url, ANN);
  assert.equal(own.status, 200, 'a tenant has places of its own');
  own.leave();
  leave.abort();
  await first;
});
