import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { BOUNDARY, FORM_TYPE, formBody, rawBody } from '../form-body.ts';
import { createHead, exampleParts, LIMITS, postForm, problemOf, rawConnection, type Service, serve } from '../serve.ts';

const END = `--${BOUNDARY}--`;
const PART = `--${BOUNDARY}`;

/** Posts and expects a problem; afterwards the upload folder is empty. */
async function refused(service: Service, body: Buffer, status: number, code: string, path?: string): Promise<void> {
  const problem = await problemOf(await postForm(service, body), status);
  assert.equal(problem.code, code);
  if (path !== undefined) assert.equal(problem.errors[0]!.path, path);
  assert.deepEqual(await service.uploadsOnDisk(), []);
  assert.equal(service.exports.made, 0);
}

test('[C4, H14] duplicates, nameless parts, empty files and broken headers are errors with a path, and leave no files', async (t) => {
  const service = await serve(t);
  const file = { name: 'clip', content: 'bytes', fileName: 'clip.mp4' };
  await refused(service, formBody([file, file]), 400, 'multipart.name_repeated', '/clip');
  const text = { name: 'settings', content: '{}' };
  await refused(service, formBody([text, file, text]), 400, 'multipart.name_repeated', '/settings');
  await refused(service, formBody([file, { ...file, name: 'b/c', content: '' }]), 400, 'multipart.file_empty', '/b~1c');
  await refused(service, formBody([file, { ...file, name: '' }]), 400, 'multipart.name_missing', '');
  await refused(service, rawBody(PART, '', 'x', END), 400, 'multipart.disposition_missing', '');
  await refused(service, formBody([{ ...file, fileName: 'a\0b' }]), 400, 'multipart.header_invalid', '');
  await refused(
    service,
    formBody([{ ...file, fileName: 'a\r\nSet-Cookie: x' }]),
    400,
    'multipart.disposition_invalid',
    '',
  );
  await refused(service, formBody([{ ...file, name: 'n'.repeat(5000) }]), 400, 'multipart.name_too_long');
  await refused(
    service,
    formBody([{ ...text, content: Buffer.from([0xff, 0xfe]) }]),
    400,
    'multipart.field_not_text',
    '/settings',
  );
  await refused(service, rawBody('--other', 'x', '--other--'), 400, 'multipart.boundary_missing');
  await refused(service, Buffer.alloc(0), 400, 'multipart.boundary_missing');
});

test('[C4, H14] a body cut off at any byte is an error that names the part, and leaves no files', async (t) => {
  const service = await serve(t);
  const body = formBody([
    { name: 'settings', content: '{}' },
    { name: 'clip', content: 'some bytes', fileName: 'c.mp4' },
  ]);
  for (let length = 0; length < body.length - 2; length += 7) {
    const problem = await problemOf(await postForm(service, body.subarray(0, length)), 400);
    assert.match(problem.code, /^multipart\.(truncated|boundary_missing)$/);
  }
  const inFile = body.indexOf('some bytes') + 4;
  await refused(service, body.subarray(0, inFile), 400, 'multipart.truncated', '/clip');
});

test('[C3, H14] hostile part names are plain names', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('x');
  const names = ['__proto__', 'constructor', '../../x', '/etc/passwd', 'a\\b', 'toString', '💥'];
  for (const name of names) {
    const media = { name, content: 'x', fileName: '../../../evil' };
    const reply = await postForm(service, [
      ...exampleParts()
        .slice(0, 2)
        .map((part) => {
          return part.name === 'tier_list'
            ? { ...part, content: JSON.stringify({ items: [{ id: 'a', file_field: name }] }) }
            : { ...part, content: JSON.stringify({ tier_blocks: [{ start: 0, duration: 1 }] }) };
        }),
      media,
    ]);
    assert.equal(reply.status, 201, `${name}: ${await reply.text()}`);
  }
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C33, H34] anything over its limit is 413 and never truncated', async (t) => {
  const service = await serve(t);
  const file = (bytes: number, head = '') => ({
    name: 'clip',
    content: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]),
    fileName: 'c',
  });
  await refused(service, formBody([file(LIMITS.maxFileBytes + 1)]), 413, 'multipart.file_too_large', '/clip');
  await refused(
    service,
    formBody([file(LIMITS.maxImageFileBytes, '\x89PNG\r\n\x1a\n')]),
    413,
    'multipart.file_too_large',
    '/clip',
  );
  await refused(
    service,
    formBody([{ name: 'settings', content: Buffer.alloc(LIMITS.maxJsonBytes + 1, 'x') }]),
    413,
    'multipart.field_too_large',
    '/settings',
  );
  const many = (count: number, fileName?: string) =>
    Array.from({ length: count }, (_, i) => ({ name: `p${i}`, content: 'x', ...(fileName && { fileName }) }));
  await refused(service, formBody(many(9, 'f')), 413, 'multipart.too_many_parts', '/p8');
  await refused(service, formBody(many(9)), 413, 'multipart.too_many_parts', '/p8');
  // Over the total limit, which shows only while reading: the length is not announced.
  const { socket, all } = rawConnection(service);
  socket.write(createHead('chunked', 'Connection: close'));
  const body = formBody([0, 1, 2].map((i) => ({ ...file(LIMITS.maxFileBytes), name: `c${i}` })));
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  socket.write('\r\n0\r\n\r\n');
  const answer = await all;
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.match(answer, /request\.too_large/);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C33] a body that is announced too large is refused before any byte of it is sent', async (t) => {
  const service = await serve(t);
  const { socket, all } = rawConnection(service);
  socket.write(createHead(LIMITS.maxRequestBytes + 1, 'Expect: 100-continue'));
  await once(socket, 'data');
  socket.end();
  const answer = await all;
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.doesNotMatch(answer, /100 Continue/);
});

test('[C1] Expect: 100-continue gets its response when the body is about to be read', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('x');
  const body = formBody(exampleParts());
  const { socket, all } = rawConnection(service);
  socket.write(createHead(body.length, 'Expect: 100-continue', 'Connection: close'));
  const [first] = await once(socket, 'data');
  assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  assert.match(await all, /HTTP\/1\.1 201 Created/);
});

test('[C5] invalid JSON before a large file gets its response while the file is still being sent', async (t) => {
  const service = await serve(t, { limits: { ...LIMITS, maxRequestBytes: 2 ** 25 } });
  const { socket, all } = rawConnection(service);
  const texts = formBody(exampleParts({ settings: { fps: -1, quality: 'x' } }).slice(0, 3)).subarray(
    0,
    -END.length - 2,
  );
  socket.write(createHead(2 ** 24));
  socket.write(texts);
  socket.write(`${PART}\r\nContent-Disposition: form-data; name="clip"; filename="c"\r\n\r\n`);
  socket.write(Buffer.alloc(100_000));
  // The client goes on sending and can still read its complete response before the connection is closed.
  const [first] = await once(socket, 'data');
  for (let i = 0; i < 5 && !socket.destroyed; i += 1) socket.write(Buffer.alloc(100_000));
  socket.end();
  const answer = await all;
  assert.match(String(first), /^HTTP\/1\.1 422 /);
  assert.match(answer, /connection: close/i);
  const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  assert.deepEqual(
    problem.errors.map(({ path }: { path: string }) => path),
    ['/settings/fps', '/settings/quality'],
  );
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C33, H16] silence and trickling are 408; a normal client is served meanwhile', async (t) => {
  const limits = { ...LIMITS, idleTimeoutSeconds: 0.3 };
  const service = await serve(t, { limits });
  service.exports.renderWith = Buffer.from('x');
  const body = formBody(exampleParts());
  const silent = rawConnection(service);
  silent.socket.write(createHead(body.length));
  silent.socket.write(body.subarray(0, 50));
  const trickles = Array.from({ length: 50 }, () => rawConnection(service));
  const trickling = setInterval(() => {
    for (const { socket } of trickles) if (socket.writable) socket.write('-');
  }, 100);
  t.after(() => clearInterval(trickling));
  for (const { socket } of trickles) socket.write(createHead(body.length));
  const reply = await postForm(service);
  assert.equal(reply.status, 201);
  await reply.text();
  const answers = await Promise.all([silent.all, ...trickles.map(({ all }) => all)]);
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 .*multipart\.too_slow/s);
  assert.deepEqual(await service.uploadsOnDisk(), []);
});

test('[C33, H16] an upload that takes too long in total is 408, and so are missing headers', async (t) => {
  const limits = { ...LIMITS, uploadTimeoutSeconds: 0.2, headersTimeoutSeconds: 0.3 };
  const service = await serve(t, { limits });
  const slow = rawConnection(service);
  slow.socket.write(createHead(10_000));
  slow.socket.write(formBody(exampleParts()).subarray(0, 2000));
  const mute = rawConnection(service);
  mute.socket.write('POST /video/exports HTTP/1.1\r\nHost: x\r\n');
  assert.match(await slow.all, /^HTTP\/1\.1 408 .*multipart\.too_slow/s);
  assert.match(await mute.all, /^HTTP\/1\.1 408 .*request\.too_slow/s);
});

test('[C4, H14] a client that disconnects during an upload leaves no files', async (t) => {
  const service = await serve(t);
  const { socket, all } = rawConnection(service);
  const body = formBody([{ name: 'clip', content: Buffer.alloc(500_000), fileName: 'c' }]);
  socket.write(createHead(body.length));
  socket.write(body.subarray(0, 300_000));
  while ((await service.uploadsOnDisk()).length === 0) await new Promise(setImmediate);
  socket.destroy();
  await all;
  while ((await service.uploadsOnDisk()).length > 0) await new Promise(setImmediate);
  assert.equal((await postForm(service, exampleParts(), { prefer: 'respond-async' })).status, 202);
});

test('[C33, C67] anything but multipart/form-data and JSON is 415', async (t) => {
  const service = await serve(t);
  for (const type of ['text/plain', 'multipart/mixed; boundary=x', 'application/x-www-form-urlencoded']) {
    const problem = await problemOf(await postForm(service, Buffer.from('{}'), { 'content-type': type }), 415);
    assert.equal(problem.code, 'request.not_multipart');
  }
  const { socket, all } = rawConnection(service);
  socket.write('POST /video/exports HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
  assert.match(await all, /^HTTP\/1\.1 415 /);
  const wrong = await postForm(service, exampleParts().slice(0, 1), {
    'content-type': FORM_TYPE.replace(BOUNDARY, 'é'),
  }).catch(() => null);
  if (wrong !== null) assert.equal((await problemOf(wrong, 400)).code, 'multipart.boundary_invalid');
});
