import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia, sumOf } from './put-media.ts';

const CLIP = (await makeClip({ frames: 30, width: 128, height: 72, sound: { seconds: 1 } })).file;
const OTHER = (await makeClip({ frames: 30, width: 96, height: 96 })).file;
const TIMELINE = { videos: [{ file_field: 'clip', duration: 1 }] };
const BOTH = {
  videos: [
    { file_field: 'clip', duration: 1 },
    { file_field: 'other', start: 1, duration: 1 },
  ],
};

let exports = await ExportsFixture.open({ maxMediaParts: 4 });
after(() => exports[Symbol.asyncDispose]());

/** Files that were probed so far, and files with known facts. */
async function looks(): Promise<string> {
  const text = await exports.metrics.text(await exports.api.status());
  const count = (known: string) =>
    new RegExp(`^tiercut_files_looked_at_total\\{known="${known}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? '0';
  return `${count('no')} looked into, ${count('yes')} known`;
}

function request(timeline: object, refs: unknown, files: Record<string, string> = {}, tenant = 'default') {
  const made = exports.submission({ timeline_data: timeline }, files, { tenant });
  const text = typeof refs === 'string' ? refs : JSON.stringify(refs);
  return { ...made, texts: new Map([...made.texts, ['media_refs', text]]) };
}

/** The errors of a request, for create and validate alike; validate works without files (C71). */
async function faults(...of: Parameters<typeof request>): Promise<string[]> {
  const reported = async (work: Promise<unknown>): Promise<string[]> => {
    const error = await work.then(
      () => assert.fail('it was taken'),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ExportError)) throw error;
    return [error.kind, ...error.issues.map(({ path, code }) => `${path} ${code}`)];
  };
  const created = await reported(exports.api.submit(request(...of), uncancelled));
  const missing = (fault: string) => fault.endsWith(' media.not_uploaded');
  assert.deepEqual(
    await reported(exports.api.validate(request(...of), uncancelled)),
    created.filter((fault) => !missing(fault)),
  );
  return created;
}

test('[C38] references replace files in create and validate, and nothing is probed twice', async () => {
  await putMedia(exports, CLIP);
  assert.equal(await looks(), '1 looked into, 0 known');
  const { plan, durationSeconds } = await exports.api.validate(request(TIMELINE, { clip: sumOf(CLIP) }), uncancelled);
  assert.equal(durationSeconds, 1);
  assert.match(new TextDecoder().decode(plan!), /128/);
  const byReference = await exports.api.submit(request(TIMELINE, { clip: sumOf(CLIP).toUpperCase() }), uncancelled);
  assert.equal(await looks(), '1 looked into, 2 known');
  const byPart = await exports.api.submit(exports.submission({ timeline_data: TIMELINE }, { clip: CLIP }), uncancelled);
  assert.equal(await looks(), '1 looked into, 3 known', 'also where the same bytes come as a part');
  const mixed = request(BOTH, { clip: sumOf(CLIP) }, { other: OTHER });
  await exports.api.submit(mixed, uncancelled);
  assert.equal(await looks(), '2 looked into, 4 known');
  await exports.api.submit(exports.submission({ timeline_data: BOTH }, { clip: CLIP, other: OTHER }), uncancelled);
  await exports.api.submit(request(BOTH, { clip: sumOf(CLIP), other: sumOf(OTHER) }), uncancelled);
  assert.equal(await looks(), '2 looked into, 8 known', 'what came as a part is known, and can be referred to');

  const plans = [byReference.id, byPart.id].map((id) =>
    readFileSync(join(exports.folder, 'blobs', 'plans', id, 'preset_one.json'), 'utf8'),
  );
  assert.equal(plans[0], plans[1]);
  const texts = [byReference.id, byPart.id].map((id) =>
    readFileSync(join(exports.folder, 'blobs', 'requests', id, 'texts.json'), 'utf8'),
  );
  assert.equal(texts[0], texts[1], 'what is kept for planning anew does not depend on how the files came');
  const { records, database } = exports.ports;
  const [one, two] = [await records.find(byReference.id, database), await records.find(byPart.id, database)];
  assert.deepEqual(one!.uploads, two!.uploads);
});

test('[C38] an unknown reference, an invalid hash and a duplicate field are returned together, each with its path', async () => {
  await putMedia(exports, CLIP);
  const nothing = '0'.repeat(64);
  const refs = { clip: nothing, other: 'abc', more: 7, sent: sumOf(CLIP) };
  const wrong = {
    videos: [
      { file_field: 'clip', duration: 1, speed: 40 },
      { file_field: 'absent', duration: 1 },
    ],
  };
  assert.deepEqual(await faults(wrong, { clip: nothing, other: 'abc', sent: sumOf(CLIP) }, { sent: OTHER }), [
    'invalid',
    '/media_refs/other field.format',
    '/media_refs/sent reference.repeated',
    '/media_refs/clip reference.unknown',
    '/timeline_data/videos/0/speed field.range',
    '/timeline_data/videos/1/file_field media.not_uploaded',
  ]);
  assert.deepEqual(await faults(TIMELINE, { ...refs, one: nothing }), [
    'invalid',
    ...['other field.format', 'more field.type', ' multipart.too_many_parts'].map(
      (at) => `/media_refs${at.startsWith(' ') ? '' : '/'}${at}`,
    ),
    '/media_refs/clip reference.unknown',
    '/media_refs/one reference.unknown',
  ]);
  assert.deepEqual(await faults(TIMELINE, [nothing]), [
    'invalid',
    '/media_refs field.type',
    '/timeline_data/videos/0/file_field media.not_uploaded',
  ]);
  assert.deepEqual(await faults(TIMELINE, '{"clip": "a", "clip": "b"}'), [
    'malformed',
    '/media_refs json.duplicate_key',
    '/timeline_data/videos/0/file_field media.not_uploaded',
  ]);
  assert.deepEqual(
    await faults(TIMELINE, { clip: sumOf(CLIP) }, {}, 'somebody else'),
    ['invalid', '/media_refs/clip reference.unknown'],
    'what is another’s is nothing',
  );
  const early = exports.api.checkDocuments('default', request(TIMELINE, { clip: nothing }).texts, uncancelled);
  await assert.rejects(early, (error: ExportError) => error.issues[0]?.code === 'reference.unknown');
});

test('[C5] create, validate and frames return errors of form fields, references and documents together', async () => {
  const asked = { callback_url: 'ftp://localhost/', external_id: 'x'.repeat(201), at: 'now' };
  const { texts, ...rest } = request({ videos: [{ file_field: 'clip', speed: 40 }] }, { clip: 'abc' });
  const wrong = { ...rest, texts: new Map([...texts, ...Object.entries(asked)]) };
  const { api } = exports;
  const reported = async (answer: Promise<unknown>) => {
    const failure = await answer.then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof ExportError);
    return failure.issues.map(({ path }) => path);
  };
  const documents = ['/media_refs/clip', '/timeline_data/videos/0/speed'];
  const fields = { callbackUrl: asked.callback_url, externalId: asked.external_id };
  assert.deepEqual(await reported(api.submit({ ...wrong, ...fields }, uncancelled)), [
    '/callback_url',
    '/external_id',
    ...documents,
  ]);
  assert.deepEqual(await reported(api.validate(wrong, uncancelled)), ['/callback_url', '/external_id', ...documents]);
  assert.deepEqual(await reported(api.frame({ ...wrong, format: 'png' }, uncancelled)), ['/at', ...documents]);
});

test('[C38] stored facts are valid only for this engine and these limits', async () => {
  await putMedia(exports, CLIP);
  await exports.stop();
  exports = await ExportsFixture.open({}, exports.folder, ({ rules }) => ({
    rules: { ...rules, engineVersion: 'another' },
  }));
  const { media } = exports.parts;
  const found = await media.describe('default', sumOf(CLIP), uncancelled);
  assert.equal(found?.description.kind, 'video');
  assert.equal(await looks(), '1 looked into, 0 known');
  assert.deepEqual(await media.describe('default', sumOf(CLIP), uncancelled), found);
  assert.equal(await looks(), '1 looked into, 0 known', 'once');
});
