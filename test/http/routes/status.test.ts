import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { exampleParts, postForm, problemOf, type Service, serve } from '../serve.ts';

const MP4 = Buffer.from('a video');

async function make(service: Service): Promise<string> {
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  return ((await reply.json()) as { export_id: string }).export_id;
}

/** Until a client waits for changes. */
async function somebodyWaits({ exports }: Service): Promise<void> {
  while (exports.listeners === 0) await new Promise(setImmediate);
}

test('[C40] the status has an ETag and returns 304 until something changes, progress included', async (t) => {
  const service = await serve(t);
  const id = await make(service);
  const ask = (tag?: string) =>
    fetch(`${service.base}/video/exports/${id}`, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
  const first = await ask();
  const tag = first.headers.get('etag')!;
  assert.match(first.headers.get('content-type')!, /^application\/json/);
  const same = await ask(tag);
  assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, tag, '']);
  assert.equal((await ask(`"x", W/${tag}`)).status, 304);
  assert.equal((await ask('"x"')).status, 200);
  const head = await fetch(`${service.base}/video/exports/${id}`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('etag')], [200, tag]);
  await service.exports.progress(id, 'preset_one', 0.25);
  const changed = await ask(tag);
  assert.equal(changed.status, 200);
  await service.exports.progress(id, 'preset_one', 0.5);
  assert.equal((await ask(changed.headers.get('etag')!)).status, 200);
});

test('[C40] Prefer: wait responds when the state changes, not when figures do', async (t) => {
  const service = await serve(t);
  const id = await make(service);
  const wait = async (headers: Record<string, string> = {}) => {
    const reply = await fetch(`${service.base}/video/exports/${id}`, { headers: { prefer: 'wait=600', ...headers } });
    assert.equal(reply.headers.get('preference-applied'), 'wait=30', 'no longer than the service waits for anybody');
    return { tag: reply.headers.get('etag')!, status: reply.status, body: (await reply.json()) as ExportMetadata };
  };
  const begun = wait();
  await somebodyWaits(service);
  await service.exports.progress(id, 'preset_one', 0.1);
  const rendering = await begun;
  assert.equal(rendering.body.state, 'rendering');

  // Figures have changed since, so the tag is an old one; the state has not.
  await service.exports.progress(id, 'preset_one', 0.2);
  let answered = false;
  const completed = wait({ 'if-none-match': rendering.tag }).finally(() => {
    answered = true;
  });
  await somebodyWaits(service);
  await service.exports.progress(id, 'preset_one', 0.3);
  for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
  assert.equal(answered, false);
  await service.exports.complete(id, 'preset_one', MP4);
  const { body, tag } = await completed;
  assert.equal(body.state, 'completed');
  assert.equal((await wait()).body.state, 'completed', 'what has ended is not waited for');
  assert.equal(
    (await wait({ 'if-none-match': rendering.tag })).body.state,
    'completed',
    'a change is returned immediately',
  );

  const other = wait({ 'if-none-match': tag });
  await somebodyWaits(service);
  await service.exports.progress(id, 'preset_two', 0.1);
  assert.equal(
    (await other).body.outputs.preset_two!.state,
    'rendering',
    'the other presets are news to who knows the first',
  );
});

test('[C40] a wait that times out returns the status or 304; a removed export is 404; no request is left waiting', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 0.05 });
  const id = await make(service);
  const address = `${service.base}/video/exports/${id}`;
  const over = await fetch(address, { headers: { prefer: 'wait=10' } });
  assert.deepEqual([over.status, over.headers.get('preference-applied')], [200, 'wait=0.05']);
  const same = await fetch(address, { headers: { prefer: 'wait=10', 'if-none-match': over.headers.get('etag')! } });
  assert.equal(same.status, 304);
  const now = await fetch(address, { headers: { prefer: 'wait=0' } });
  assert.deepEqual([now.status, now.headers.get('preference-applied')], [200, 'wait=0']);
  assert.equal((await fetch(address, { headers: { prefer: 'wait=soon' } })).headers.get('preference-applied'), null);
  assert.equal(service.exports.listeners, 0);

  const patient = await serve(t);
  const deleted = await make(patient);
  const waiting = fetch(`${patient.base}/video/exports/${deleted}`, { headers: { prefer: 'wait=20' } });
  await somebodyWaits(patient);
  await patient.exports.remove('default', deleted);
  assert.equal((await problemOf(await waiting, 404)).code, 'export.unknown');
});

test('[C40] Prefer: wait on a create sets the longest wait, with or without respond-async', async (t) => {
  const service = await serve(t, { waitLimitSeconds: 20 });
  const create = (prefer: string) => postForm(service, exampleParts(), { prefer });
  const impatient = await create('wait=0');
  assert.deepEqual([impatient.status, impatient.headers.get('preference-applied')], [202, 'wait=0']);
  const both = await create('respond-async, wait=0');
  assert.deepEqual([both.status, both.headers.get('preference-applied')], [202, 'respond-async, wait=0']);
  service.exports.renderWith = MP4;
  const inTime = await create('respond-async, wait=100');
  assert.deepEqual([inTime.status, inTime.headers.get('preference-applied')], [201, 'respond-async, wait=20']);
  assert.equal((await create('wait=5')).status, 201);
  service.exports.renderWith = null;
  const short = await serve(t, { waitLimitSeconds: 0.05 });
  const tooLate = await postForm(short, exampleParts(), { prefer: 'wait=100' });
  assert.deepEqual([tooLate.status, tooLate.headers.get('preference-applied')], [202, 'wait=0.05']);
});

test('[C40] an external id is returned unchanged; an empty one counts as none', async (t) => {
  const service = await serve(t);
  const create = (externalId: string) =>
    postForm(service, [...exampleParts(), { name: 'external_id', content: externalId }], { prefer: 'respond-async' });
  const made = (await (await create('Projekt 7 🎬')).json()) as ExportMetadata;
  assert.equal(made.external_id, 'Projekt 7 🎬');
  assert.equal(((await (await create('')).json()) as ExportMetadata).external_id, null);
});

test('[C11, C31] GET /presets lists the three with names, aliases, size and rate; outputs have the same names', async (t) => {
  const service = await serve(t);
  const { presets } = (await (await fetch(`${service.base}/presets`)).json()) as { presets: { name: string }[] };
  assert.deepEqual(presets[1], {
    preset: 'preset_two',
    name: 'portrait',
    aliases: ['portrait'],
    width: 1080,
    height: 1920,
    fps: 30,
  });
  const reply = await postForm(service, exampleParts(), { prefer: 'respond-async' });
  const { outputs } = (await reply.json()) as { outputs: Record<string, { name: string }> };
  assert.deepEqual(Object.keys(outputs), ['preset_one', 'preset_two', 'preset_three']);
  assert.deepEqual(
    Object.values(outputs).map(({ name }) => name),
    presets.map(({ name }) => name),
  );
});
