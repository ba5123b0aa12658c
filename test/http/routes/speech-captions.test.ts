import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InstalledModels } from '../../../src/speech/models/installed-models.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { serve } from '../serve.ts';
import { addCaptions, TRANSCRIPT } from './made-captions.ts';

interface Captions {
  readonly ok: boolean;
  readonly state: string;
  readonly progress: number;
  readonly code?: string;
  readonly error?: object;
  readonly warnings: readonly { path: string; code: string }[];
}

test('[C77] captions are read as JSON, WebVTT and SubRip, and removed', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const check = (reply: Response) => described.check('GET /video/captions/{captions_id}', reply) as Promise<Captions>;
  const id = await addCaptions(service, 'default');
  const at = `${service.base}/video/captions/${id}`;
  const as = (accept: string) => fetch(at, { headers: { accept } });
  const body = await check(await as('application/json'));
  const known = {
    ok: true,
    captions_id: id,
    state: 'completed',
    progress: 0,
    language: 'en',
    ...TRANSCRIPT,
    warnings: [],
  };
  assert.deepEqual(body, known);
  assert.equal(await (await as('text/vtt')).text(), 'WEBVTT\n\n00:00:00.320 --> 00:00:00.980\nStraight &lt;up&gt;.\n');
  assert.equal(await (await as('application/x-subrip')).text(), '1\n00:00:00,320 --> 00:00:00,980\nStraight <up>.\n');
  assert.equal((await as('image/png')).status, 406);
  const { database, media } = service.exports.fixture.ports;
  assert.equal((await media.sum('default', database)).files, 1, 'they count as media');
  assert.equal((await fetch(at, { method: 'DELETE' })).status, 204);
  assert.equal((await check(await as('text/vtt'))).code, 'captions.unknown');
  assert.equal((await media.sum('default', database)).files, 0);
});

test('[C77] captions that may be invented say so, as JSON and as a file', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const words = ['Then', 'being', 'goods', 'are', 'a', 'classification'].map((text, nth) => {
    return { text, start: nth, end: nth + 0.5, confidence: 0.3 };
  });
  const segments = [{ start: 0, end: 5.5, text: 'Then being goods are a classification', words }];
  const id = await addCaptions(service, 'default', 'completed', { duration: 6, segments });
  const as = (accept: string) => fetch(`${service.base}/video/captions/${id}`, { headers: { accept } });
  const body = (await described.check('GET /video/captions/{captions_id}', await as('application/json'))) as Captions;
  assert.deepEqual(
    body.warnings.map(({ path, code }) => [path, code]),
    [['/language', 'captions.language_unclear']],
  );
  for (const type of ['text/vtt', 'application/x-subrip']) {
    assert.deepEqual(JSON.parse((await as(type)).headers.get('tiercut-warnings')!), body.warnings);
  }
});

test('[C77] without speech there are no words, and a file of captions is an error', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const id = await addCaptions(service, 'default', 'completed', { duration: 6, segments: [], voice: 0 });
  const as = (accept: string) => fetch(`${service.base}/video/captions/${id}`, { headers: { accept } });
  const check = (reply: Response) => described.check('GET /video/captions/{captions_id}', reply);
  const body = (await check(await as('application/json'))) as Captions;
  assert.deepEqual(body.warnings, [{ path: '', code: 'captions.no_speech', message: 'No speech found.' }]);
  for (const type of ['text/vtt', 'application/x-subrip']) {
    const reply = await as(type);
    assert.equal(reply.status, 422);
    assert.equal(((await check(reply)) as Captions).code, 'captions.no_speech');
  }
});

test('[C77] unfinished captions have progress; failed ones give the reason', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const check = (reply: Response) => described.check('GET /video/captions/{captions_id}', reply) as Promise<Captions>;
  const get = (id: string, headers: Record<string, string>) =>
    fetch(`${service.base}/video/captions/${id}`, { headers });
  const waiting = await addCaptions(service, 'default', null);
  const json = await get(waiting, { prefer: 'wait=0' });
  assert.equal(json.status, 200);
  const body = await check(json);
  assert.deepEqual([body.state, body.progress], ['running', 0]);
  const file = await get(waiting, { accept: 'text/vtt' });
  assert.deepEqual([file.status, file.headers.get('retry-after')], [202, '2']);
  const failed = await addCaptions(service, 'default', 'failed');
  const state = await check(await get(failed, {}));
  assert.deepEqual(
    [state.ok, state.state, state.error],
    [false, 'failed', { code: 'captions.no_sound', detail: 'Silence.', errors: [] }],
  );
  assert.equal((await get(failed, { accept: 'text/vtt' })).status, 422);
});

test('[C77] a model is selected by language, and a missing one is an error with instructions', () => {
  const models = new InstalledModels('/nowhere');
  assert.throws(() => models.requireAny(), { code: 'captions.no_model', message: /tiercut captions install/ });
  assert.deepEqual(models.languages(), []);
  assert.throws(() => models.choose('auto'), { code: 'captions.no_model' });
  assert.throws(() => models.named('moonshine-tiny-en-1', 'en'), { code: 'captions.no_model' });
});

test('[C77] models are listed, and installed by the operator only', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const put = (base: string, name: string, key?: string) =>
    fetch(`${base}/video/captions/models/${name}`, {
      method: 'PUT',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
  const listed = await described.check(
    'GET /video/captions/models',
    await fetch(`${service.base}/video/captions/models`),
  );
  const { models } = listed as { models: { name: string; state: string; bytes: number }[] };
  assert.deepEqual(
    models.map(({ name, state, bytes }) => [name, state, bytes]),
    [
      ['base', 'available', 145_096_625],
      ['tiny', 'available', 52_363_185],
    ],
  );
  const unknown = await put(service.base, 'huge');
  const { code, detail } = (await unknown.json()) as { code: string; detail: string };
  assert.deepEqual([unknown.status, code], [404, 'captions.unknown_model']);
  assert.match(detail, /"huge".*base and tiny/);
  const begun = await put(service.base, 'base');
  assert.equal(begun.status, 202);
  await described.check('PUT /video/captions/models/{model}', begun);

  const keyed = await serve(t, {
    apiKeys: [{ tenant: 'one', key: 'a-key-of-a-tenant-1' }],
    metricsKey: 'operator-key-1',
  });
  assert.equal((await put(keyed.base, 'base', 'a-key-of-a-tenant-1')).status, 401);
  assert.equal((await put(keyed.base, 'base')).status, 401);
  assert.equal((await put(keyed.base, 'base', 'operator-key-1')).status, 202);
});
