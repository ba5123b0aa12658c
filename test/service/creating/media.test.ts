import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { download, metadataOf, post, seen } from '../export-client.ts';
import { CLIP, PICTURE, sampleRequest } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
after(() => service[Symbol.asyncDispose]());

const BYTES = readFileSync(CLIP.file);
const SUM = createHash('sha256').update(BYTES).digest('hex');
const HALF = Math.floor(BYTES.length / 2);

function put(bytes: Buffer, start = 0, end = bytes.length): Promise<Response> {
  const sum = createHash('sha256').update(bytes).digest('hex');
  return fetch(`${service.base}/media/${sum}`, {
    method: 'PUT',
    body: new Uint8Array(bytes.subarray(start, end)),
    headers: { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` },
  });
}

/** How much of the clip is there. */
async function offset(): Promise<string> {
  const reply = await fetch(`${service.base}/media/${SUM}`, { method: 'HEAD' });
  return `${reply.status} ${reply.headers.get('upload-offset') ?? '-'}`;
}

/** Starts to send the clip from `start` on, and stops a little later; the connection stays open. */
async function sendSome(start: number): Promise<Socket> {
  const url = new URL(service.base);
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  const range = `Content-Range: bytes ${start}-${BYTES.length - 1}/${BYTES.length}`;
  socket.write(
    `PUT /media/${SUM} HTTP/1.1\r\nHost: localhost\r\n${range}\r\nContent-Length: ${BYTES.length - start}\r\n\r\n`,
  );
  socket.write(BYTES.subarray(start, start + 1000));
  await seen('what was sent', async () => (await offset()) === `404 ${start + 1000}`);
  return socket;
}

test('[C38] SIGKILL during an upload: acknowledged bytes are kept, others are cut off, and no other files are left', async () => {
  using first = disposable(await sendSome(0));
  await service.kill();
  await service.start();
  assert.equal(await offset(), '404 -', 'no response has confirmed any byte');
  assert.deepEqual(service.files('unfinished'), []);

  assert.equal((await put(BYTES, 0, HALF)).status, 202);
  using second = disposable(await sendSome(HALF));
  await service.kill();
  await service.start();
  assert.equal(await offset(), `404 ${HALF}`, 'half of it was promised');
  assert.deepEqual([first.socket.destroyed, second.socket.destroyed], [true, true]);
  assert.equal((await put(BYTES, HALF)).status, 201);
  await service.kill();
  await service.start();
  assert.equal(await offset(), `200 ${BYTES.length}`, 'what was answered with 201 is durable');
  assert.deepEqual(service.files('unfinished'), []);
  assert.deepEqual(
    service.files('blobs').map((file) => file.split('.')[0]),
    [`uploads/${SUM}`],
  );
});

function disposable(socket: Socket): Disposable & { readonly socket: Socket } {
  return { socket, [Symbol.dispose]: () => void socket.destroy() };
}

test('[C38] a request of kilobytes renders from stored media, and is the same request however its files are sent (C9)', async () => {
  await put(BYTES);
  const picture = readFileSync(PICTURE.file);
  const made = await put(picture);
  const { media } = (await made.json()) as { media: string };
  const { documents } = sampleRequest({ settings: { quality: 'draft' } });
  const referring = { documents: { ...documents, media_refs: { clip: SUM, picture: media } } };
  const key = { 'idempotency-key': 'once' };
  const metadata = await metadataOf(await post(service, referring, key), 201);
  const video = await download(service, metadata, 'preset_one');
  assert.equal(video.seconds, 3);
  assert.deepEqual(metadata.warnings, []);

  const sending = { ...sampleRequest({ settings: { quality: 'draft' } }) };
  const again = await post(service, sending, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await metadataOf(again, 201)).export_id, metadata.export_id);
  const mixed = { documents: { ...documents, media_refs: { clip: SUM } }, files: { picture: PICTURE.file } };
  assert.equal((await metadataOf(await post(service, mixed, key), 201)).export_id, metadata.export_id);
  const other = { documents: { ...documents, media_refs: { clip: media, picture: media } } };
  assert.equal((await post(service, other, key)).status, 422);

  // The key is known, so the service does not check whether the references still exist.
  for (const sum of [SUM, media]) await fetch(`${service.base}/media/${sum}`, { method: 'DELETE' });
  assert.equal((await metadataOf(await post(service, referring, key), 201)).export_id, metadata.export_id);
  const gone = await post(service, referring);
  assert.equal(gone.status, 422);
  const { errors } = (await gone.json()) as { errors: { path: string }[] };
  assert.deepEqual(
    errors.map(({ path }) => path),
    ['/media_refs/clip', '/media_refs/picture'],
  );
  await fetch(`${service.base}/video/exports/${metadata.export_id}`, { method: 'DELETE' });
  assert.deepEqual(
    service.files('blobs').filter((file) => !file.startsWith('parts')),
    [],
  );
  const limits = (await (await fetch(`${service.base}/limits`)).json()) as Record<string, number>;
  assert.equal(limits.max_media_bytes, 100 * 2 ** 30);
  assert.equal(limits.media_retention_hours, 24);
});
