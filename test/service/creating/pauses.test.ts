import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { samplesOf, tone, wavFile } from '../../engine/sound/wav-file.ts';
import { post } from '../export-client.ts';
import { PICTURE } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const SECOND = 48_000;
const BEEPS = readFileSync(wavFile([samplesOf(2 * SECOND, (n) => (n < SECOND ? tone(440)(n) : 0))]));

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({});
});
after(() => service[Symbol.asyncDispose]());

async function ask(fields: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const reply = await post(service, form, {}, '/video/pauses');
  return { status: reply.status, body: (await reply.json()) as { errors: { path: string; code: string }[] } };
}

/** Where it is wrong, and how. */
function faults({ status, body }: Awaited<ReturnType<typeof ask>>): string[] {
  assert.equal(status, 422, JSON.stringify(body));
  return body.errors.map(({ path, code }) => `${path} ${code}`);
}

test('[C78] pauses of a file are returned, by part or by reference', async () => {
  const expected = { ok: true, duration: 2, pauses: [{ start: 0, end: 2 }], speech: [] };
  assert.deepEqual(await ask({ media: new Blob([BEEPS]) }), { status: 200, body: expected });

  const sha256 = createHash('sha256').update(BEEPS).digest('hex');
  assert.deepEqual(faults(await ask({ media_ref: sha256 })), ['/media_ref reference.unknown']);
  await fetch(`${service.base}/media/${sha256}`, { method: 'PUT', body: BEEPS });
  assert.deepEqual(await ask({ media_ref: sha256, min_pause: '0.6', padding: '0' }), { status: 200, body: expected });
});

test('[C78] errors are returned together, each with its path', async () => {
  assert.deepEqual(faults(await ask({ min_pause: '0', padding: 'much' })), [
    ' field.required',
    '/min_pause field.range',
    '/padding field.range',
  ]);
  const picture = new Blob([readFileSync(PICTURE.file)]);
  assert.deepEqual(faults(await ask({ media: picture })), ['/media pauses.no_sound']);
  assert.deepEqual(faults(await ask({ media: new Blob(['no media at all']) })), ['/media media.unsupported']);
});
