import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { Announcement } from '../../../src/exports/api/submission.ts';
import { formBody } from '../form-body.ts';
import { createHead, exampleParts, postForm, problemOf, rawConnection, type Service, serve } from '../serve.ts';

const ROOM = { maxWaiting: 100, maxUploads: 100, minFreeDiskBytes: 0 };
const NO_ROOM = { minFreeDiskBytes: 2 ** 60 };
const [CREATE, VALIDATE] = ['/video/exports', '/video/exports/validate'];
const FULL = [
  { policy: { maxWaiting: 0 }, code: 'queue.full', status: 429, paths: [CREATE] },
  { policy: { maxUploads: 0 }, code: 'upload.too_many', status: 429, paths: [CREATE, VALIDATE] },
  { policy: NO_ROOM, code: 'disk.full', status: 507, paths: [CREATE, VALIDATE] },
] as const;

interface Visit {
  readonly announced: Announcement;
  arrived: number;
}

/** The admitted requests, and how much of each has arrived. */
function watchDoor({ exports }: Service): Visit[] {
  const inside: Visit[] = [];
  const { admit } = exports;
  exports.admit = async (announced) => {
    const admitted = await admit(announced);
    const visit = { announced, arrived: 0 };
    inside.push(visit);
    return {
      known: admitted.known,
      arrived: (bytes) => {
        visit.arrived += bytes;
        return admitted.arrived(bytes);
      },
      [Symbol.dispose]: () => {
        inside.splice(inside.indexOf(visit), 1);
        admitted[Symbol.dispose]();
      },
    };
  };
  return inside;
}

test('[H34, C33] a form that announces more than the free disk is 507 with Retry-After; one that no disk could help is 413', async (t) => {
  const service = await serve(t);
  service.exports.limit({ ...ROOM, ...NO_ROOM });
  for (const [bytes, expected] of [
    [3_000_000, /^HTTP\/1\.1 507 .*retry-after: \d+.*disk\.full/s],
    [4 * 2 ** 20 + 1, /^HTTP\/1\.1 413 (?!.*retry-after).*request\.too_large/s],
  ] as const) {
    for (const path of [CREATE, VALIDATE]) {
      const { socket, all } = rawConnection(service);
      socket.write(createHead(bytes, 'Expect: 100-continue').replace('/video/exports', path));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(String(answer), expected, path);
      socket.destroy();
      await all;
    }
  }
});

test('[C33] a refused request gets its response after the headers, without 100 Continue or reading the body', async (t) => {
  const service = await serve(t);
  for (const { policy, code, status, paths } of FULL) {
    service.exports.limit({ ...ROOM, ...policy });
    for (const path of paths) {
      const { socket, all } = rawConnection(service);
      socket.write(createHead(3_000_000, 'Expect: 100-continue').replace('/video/exports', path));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(String(answer), new RegExp(`^HTTP/1\\.1 ${status} .*retry-after: \\d+.*${code}`, 's'), path);
      socket.destroy();
      assert.doesNotMatch(await all, /100 Continue/);
    }
  }
  assert.deepEqual(await service.uploadsOnDisk(), []);
  const metrics = await service.metrics.text(await service.exports.status());
  assert.match(metrics, /^tiercut_received_bytes_total 0$/m);
});

test('[C33] the announced size is reserved, and released at the end', async (t) => {
  const service = await serve(t);
  const inside = watchDoor(service);
  const body = formBody(exampleParts());
  const { socket, all } = rawConnection(service);
  socket.write(createHead(body.length, 'Expect: 100-continue', 'Connection: close', 'Prefer: respond-async'));
  const [go] = (await once(socket, 'data')) as [Buffer];
  assert.equal(String(go), 'HTTP/1.1 100 Continue\r\n\r\n');
  const [visit] = inside;
  assert.deepEqual(visit, {
    announced: { tenant: 'default', bytes: body.length, idempotencyKey: null, creates: true },
    arrived: 0,
  });
  assert.match(await service.metrics.text(await service.exports.status()), /^tiercut_uploads_in_flight 1$/m);
  socket.write(body);
  assert.match(await all, /HTTP\/1\.1 202 /);
  assert.equal(visit!.arrived, body.length);
  assert.equal(inside.length, 0);
  assert.match(await service.metrics.text(await service.exports.status()), /^tiercut_uploads_in_flight 0$/m);

  const chunked = rawConnection(service);
  chunked.socket.write(
    createHead('chunked', 'Expect: 100-continue').replace('/video/exports', '/video/exports/validate'),
  );
  await once(chunked.socket, 'data');
  assert.deepEqual(inside[0]?.announced, {
    tenant: 'default',
    bytes: null,
    idempotencyKey: null,
    creates: false,
  });
  chunked.socket.destroy();
  while (inside.length > 0) await new Promise(setImmediate);
});

test('[C33] a body that is refused while it arrives leaves no files, and releases its reservation', async (t) => {
  const service = await serve(t);
  const inside = watchDoor(service);
  const { admit } = service.exports;
  service.exports.admit = async (announced) => {
    const admitted = await admit(announced);
    const arrived = () => Promise.reject(new ExportError('unavailable', 'disk.full', 'Not any more.'));
    return { known: admitted.known, arrived, [Symbol.dispose]: () => admitted[Symbol.dispose]() };
  };
  assert.equal((await problemOf(await postForm(service), 507)).code, 'disk.full');
  assert.equal(inside.length, 0);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C9] a known key is served when everything is full, and its body is not kept', async (t) => {
  const service = await serve(t);
  const inside = watchDoor(service);
  service.exports.renderWith = Buffer.from('x');
  const headers = { 'idempotency-key': 'once' };
  const first = await postForm(service, exampleParts(), headers);
  const { export_id: id } = (await first.json()) as { export_id: string };
  service.exports.limit(NO_ROOM);

  const body = formBody(exampleParts());
  const { socket, all } = rawConnection(service);
  socket.write(createHead(body.length, 'Idempotency-Key: once', 'Connection: close'));
  socket.write(body.subarray(0, -20));
  while ((inside[0]?.arrived ?? 0) < body.length - 20) await new Promise(setImmediate);
  assert.deepEqual(await service.uploadsOnDisk(), []);
  socket.write(body.subarray(-20));
  const answer = await all;
  assert.match(answer, /^HTTP\/1\.1 201 .*idempotency-replayed: true/s);
  assert.ok(answer.includes(id));

  const other = await postForm(service, exampleParts({ settings: { fps: 25 } }), headers);
  assert.equal((await problemOf(other, 422)).code, 'idempotency.conflict');
  assert.equal((await problemOf(await postForm(service), 507)).code, 'disk.full');
});
