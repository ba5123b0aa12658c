import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasLibrary, VULKAN_LOADER } from '../../../src/speech/models/installed-models.ts';
import { samplesOf, tone, wavFile } from '../../engine/sound/wav-file.ts';
import { noModel, TEST_MODELS } from '../../fixtures/caption-model.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { madeWhisper } from '../../speech/models/made-whisper.ts';
import { type ExportRequest, formOf, post, reached } from '../export-client.ts';
import { descendantsOf } from '../process-tree.ts';
import { PICTURE } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const SPEECH = join(REAL_MEDIA, 'speech', 'jfk.flac');
const noSpeech = existsSync(SPEECH) ? false : 'no speech in the folder of real media';
const skip = noSpeech || noModel;
const SECOND = 48_000;
const BEEP = wavFile([samplesOf(2 * SECOND, tone(440))]);

interface Captions {
  readonly captions_id: string;
  readonly state: string;
  readonly language: string;
  readonly duration: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: { path: string; code: string }[];
  readonly segments: { text: string; start: number; end: number; words: { text: string; start: number }[] }[];
}

async function ask(service: ServiceFixture, request: ExportRequest, headers: Record<string, string> = {}) {
  const reply = await post(service, formOf(request), headers, '/video/captions');
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Captions };
}

const file = (media: string, texts: Record<string, string> = {}): ExportRequest => ({
  documents: texts,
  files: { media },
});
const faults = ({ body }: { body: Captions }) => body.errors.map(({ path, code }) => `${path} ${code}`);
const wordsOf = ({ segments }: Captions) => segments.flatMap(({ words }) => words);
const textOf = (body: Captions) =>
  wordsOf(body)
    .map(({ text }) => text)
    .join(' ');
const JFK = /fellow Americans.*ask what you can do for your country/i;

test('[C77] without a model the response is 501 with installation instructions', async () => {
  await using service = await ServiceFixture.start();
  const { status, body } = await ask(service, file(BEEP));
  assert.deepEqual([status, body.code], [501, 'captions.no_model']);
  assert.match(body.detail, /tiercut captions install/);
});

test('[C77] speech becomes captions, once for the same bytes, in three formats', { skip }, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_MODELS_DIR: TEST_MODELS });
  const first = await ask(service, file(SPEECH));
  assert.equal(first.status, 201, JSON.stringify(first.body));
  assert.deepEqual([first.body.state, first.body.language, first.body.duration], ['completed', 'en', 11]);
  assert.match(textOf(first.body), JFK);
  const location = first.headers.get('location')!;
  assert.equal(location, `/video/captions/${first.body.captions_id}`);

  const sha256 = createHash('sha256').update(readFileSync(SPEECH)).digest('hex');
  await fetch(`${service.base}/media/${sha256}`, { method: 'PUT', body: readFileSync(SPEECH) });
  const again = await ask(service, { documents: { media_ref: sha256, language: 'en' } });
  assert.deepEqual([again.status, again.body], [201, first.body]);

  const as = async (accept: string) => (await fetch(`${service.base}${location}`, { headers: { accept } })).text();
  assert.match(await as('text/vtt'), /^WEBVTT\n\n00:00:0\d\.\d{3} --> .*\n.*fellow Americans/i);
  assert.match(await as('application/x-subrip'), /^1\n00:00:0\d,\d{3} --> /);
  assert.deepEqual(JSON.parse(await as('application/json')), first.body);

  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  assert.match(metrics, /tiercut_captions_total\{outcome="completed"\} 1/);
  assert.match(metrics, /tiercut_captions_requested_total\{outcome="known"\} 1/);

  const removed = await fetch(`${service.base}${location}`, { method: 'DELETE' });
  assert.equal(removed.status, 204);
  assert.equal((await fetch(`${service.base}${location}`)).status, 404);
});

const noLoader = hasLibrary(VULKAN_LOADER) ? false : 'there is no Vulkan loader here';

test('[C77] a Whisper model transcribes the given language, in the sandbox', {
  skip: noSpeech || noLoader,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-whisper-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const model = join(folder, 'model.bin');
  writeFileSync(model, madeWhisper({ vocabulary: 51_865, word: ' hallo' }));
  await using service = await ServiceFixture.start({ TIERCUT_WHISPER_MODEL: model });
  const { status, body } = await ask(service, file(SPEECH, { language: 'de' }));
  assert.deepEqual([status, body.language], [201, 'de'], JSON.stringify(body));
  assert.match(textOf(body), /^hallo( hallo)*$/);

  const refused = await ServiceFixture.start({ TIERCUT_WHISPER_MODEL: SPEECH }).catch((error: Error) => error.message);
  assert.match(String(refused), /The Whisper model is not a ggml file/);
});

test('[C77] the voice of a video is transcribed with its times, without its music', { skip }, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_MODELS_DIR: TEST_MODELS });
  const timeline = {
    audios: [{ file_field: 'voice', start: 4, duration: 3, trim_start: 0, trim_end: 3 }],
    soundtracks: [{ file_field: 'music', start: 0, duration: 2, role: 'music' }],
    tier_blocks: [{ start: 0, duration: 8 }],
  };
  const documents = { tier_list: {}, timeline_data: timeline };
  const { status, body } = await ask(service, { documents, files: { voice: SPEECH, music: BEEP } });
  assert.equal(status, 201, JSON.stringify(body));
  assert.match(textOf(body), /my fellow.Americans/i);
  const [begin] = wordsOf(body);
  assert.ok(begin!.start > 4 && begin!.start < 5, `it begins at ${begin!.start}`);

  const silent = { tier_list: {}, timeline_data: { ...timeline, audios: [] } };
  const music = await ask(service, { documents: silent, files: { music: BEEP } });
  assert.deepEqual([music.status, faults(music)], [422, ['/timeline_data captions.no_sound']]);
});

test('[C77] errors of a request are returned at their place', { skip: noModel }, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_MODELS_DIR: TEST_MODELS });
  assert.deepEqual(faults(await ask(service, { documents: { language: 'klingon' } })), [
    '/language field.format',
    ' field.required',
  ]);
  assert.deepEqual(faults(await ask(service, file(PICTURE.file))), ['/media captions.no_sound']);
  const silent = { tier_list: {}, timeline_data: { tier_blocks: [{ start: 0, duration: 1 }] } };
  assert.deepEqual(faults(await ask(service, { documents: silent })), ['/timeline_data captions.no_sound']);
  const both = await ask(service, { documents: { ...silent, media_ref: '0'.repeat(64) } });
  assert.deepEqual(faults(both), ['/media_ref reference.repeated']);
  const german = await ask(service, file(BEEP, { language: 'de' }));
  assert.deepEqual([german.status, german.body.code], [501, 'captions.no_language']);
  const languages = await fetch(`${service.base}/video/captions/languages`);
  assert.deepEqual(await languages.json(), { ok: true, languages: ['en'] });
  const unknown = await fetch(`${service.base}/video/captions/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10`);
  assert.deepEqual([unknown.status, ((await unknown.json()) as Captions).code], [404, 'captions.unknown']);
});

test('[C77] accepted captions survive a kill; DELETE stops the process that makes them', {
  skip,
}, async () => {
  await using service = await ServiceFixture.start({
    TIERCUT_MODELS_DIR: TEST_MODELS,
    TIERCUT_MAX_TENANT_CAPTIONS: '1',
  });
  const { status, body } = await ask(service, file(SPEECH), { prefer: 'respond-async' });
  assert.deepEqual([status, body.state === 'completed'], [202, false]);
  await service.kill();
  await service.start();
  const path = `${service.base}/video/captions/${body.captions_id}`;
  const done = await fetch(path, { headers: { prefer: 'wait=60' } });
  assert.match(textOf((await done.json()) as Captions), JFK);

  const documents = {
    tier_list: {},
    timeline_data: { soundtracks: [{ file_field: 'voice', duration: 300, loop: true, role: 'voice' }] },
  };
  const long = await ask(service, { documents, files: { voice: SPEECH } }, { prefer: 'respond-async' });
  const address = `${service.base}/video/captions/${long.body.captions_id}`;
  await reached(
    'running captions',
    async () => ((await (await fetch(address)).json()) as Captions).state === 'running',
  );
  const more = await ask(service, file(BEEP));
  assert.deepEqual([more.status, more.body.code], [429, 'captions.too_many']);
  await fetch(address, { method: 'DELETE' });
  assert.equal((await fetch(address)).status, 404);
  await reached('the end of the child', () => descendantsOf(service.pid).length === 0);
});
