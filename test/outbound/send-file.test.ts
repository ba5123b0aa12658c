import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type SendOutcome, sendFile } from '../../src/outbound/send-file.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { uncancelled } from '../uncancelled.ts';
import { fileServer } from './file-server.ts';

type FileToSend = Parameters<typeof sendFile>[1];
type SendRules = Parameters<typeof sendFile>[2];

const RULES: SendRules = { allowPrivate: true, idleMs: 5_000, totalMs: 10_000 };
const CONTENT = 'the bytes of a video';
/** More than all buffers on the way hold. */
const MUCH = 64 * 2 ** 20;

function fileOf(stream: () => Readable, bytes: number): FileToSend {
  return { contentType: 'video/mp4', bytes, sha256: sha256(CONTENT), stream: async () => stream() };
}

const SMALL = fileOf(() => Readable.from([Buffer.from(CONTENT)]), CONTENT.length);
const LARGE = fileOf(
  () =>
    Readable.from(
      (function* () {
        for (let sent = 0; sent < MUCH; sent += 2 ** 20) yield Buffer.alloc(2 ** 20);
      })(),
    ),
  MUCH,
);

function send(
  url: string,
  file: FileToSend,
  rules: Partial<SendRules> = {},
  signal = uncancelled,
): Promise<SendOutcome> {
  return sendFile(
    { url: new URL(url), headers: { 'x-ms-blob-type': 'BlockBlob' } },
    file,
    { ...RULES, ...rules },
    signal,
  );
}

/** The result for a receiver that responds so. */
async function outcome(answer: RequestListener, file = SMALL, rules: Partial<SendRules> = {}): Promise<SendOutcome> {
  await using server = await fileServer(answer);
  return await send(server.base, file, rules);
}

test('[C69] a file is sent with its length, type and hash, the requested headers, and no others', async () => {
  const got = Promise.withResolvers<Buffer>();
  await using server = await fileServer((request, response) => {
    void buffer(request).then(got.resolve);
    request.once('end', () => response.writeHead(201).end('thank you'));
  });
  assert.deepEqual(await send(`${server.base}/a?signature=s`, SMALL), { sent: true });
  assert.equal((await got.promise).toString(), CONTENT);
  const [{ path, headers }] = server.asked as [(typeof server.asked)[0]];
  assert.equal(path, '/a?signature=s');
  assert.deepEqual(headers, {
    host: `127.0.0.1:${server.port}`,
    connection: 'close',
    'user-agent': 'tiercut',
    'content-type': 'video/mp4',
    'content-length': String(CONTENT.length),
    'repr-digest': `sha-256=:${Buffer.from(sha256(CONTENT), 'hex').toString('base64')}:`,
    'x-ms-blob-type': 'BlockBlob',
  });
});

test("[C69] a refusal is final, a receiver's error is not, and redirects are not followed", async () => {
  const elsewhere = await fileServer((_, response) => response.end());
  await using _closed = elsewhere;
  const results: string[] = [];
  for (const status of [403, 410, 307, 408, 429, 500, 503]) {
    const result = await outcome((request, response) => {
      request.resume();
      response.writeHead(status, { location: elsewhere.base }).end();
    });
    assert.ok(!result.sent && result.code === 'destination.failed');
    results.push(`${result.final ? 'final' : 'again'}: ${result.reason}`);
  }
  assert.deepEqual(results, [
    'final: it returned status 403 (Forbidden)',
    'final: it returned status 410 (Gone)',
    'final: it redirects (status 307), which is not followed',
    'again: it returned status 408 (Request Timeout)',
    'again: it returned status 429 (Too Many Requests)',
    'again: it returned status 500 (Internal Server Error)',
    'again: it returned status 503 (Service Unavailable)',
  ]);
  assert.deepEqual(elsewhere.asked, []);
});

test('[C69] a response before the end of the body counts, and the rest is not sent', async () => {
  let received = 0;
  const result = await outcome((request, response) => {
    request.once('data', (chunk: Buffer) => {
      received += chunk.length;
      request.pause();
      response.writeHead(403).end();
    });
  }, LARGE);
  assert.deepEqual(result, {
    sent: false,
    code: 'destination.failed',
    reason: 'it returned status 403 (Forbidden)',
    final: true,
  });
  assert.ok(received < MUCH);
});

test('[C69] a receiver that reads nothing, never responds or disconnects is cut off, and may be retried', async () => {
  const slow = { idleMs: 200 };
  const silent = { sent: false, code: 'destination.too_slow', reason: 'nothing was taken for 0.2 s', final: false };
  assert.deepEqual(await outcome(() => {}, LARGE, slow), silent, 'it does not read');
  assert.deepEqual(await outcome((request) => request.resume(), SMALL, slow), silent, 'it does not answer');
  const long = await outcome((request) => request.resume(), SMALL, { totalMs: 200 });
  assert.deepEqual(long, { ...silent, reason: 'it took longer than 0.2 s' });
  const broken = await outcome((request) => request.socket.destroy(), LARGE);
  assert.ok(!broken.sent && !broken.final && broken.code === 'destination.failed', JSON.stringify(broken));
  assert.match(broken.reason, /^the connection failed \(E/);
});

test('[C69] a receiver that responds with success and disconnects before it has all bytes does not have the file', async () => {
  const result = await outcome((request, response) => {
    response.writeHead(200).flushHeaders();
    request.once('data', () => request.socket.destroy());
  }, LARGE);
  assert.ok(!result.sent && !result.final && result.code === 'destination.failed', JSON.stringify(result));
  assert.match(result.reason, /^the connection failed \(E/);
});

test('[C69] a receiver that has all bytes has the file, however its response and our file end', async () => {
  const endless = (request: IncomingMessage, response: ServerResponse) => {
    request.resume().once('end', () => response.writeHead(200).write('and so on'));
  };
  assert.deepEqual(await outcome(endless, SMALL, { idleMs: 200 }), { sent: true });
  // The end of the file is seen long after the connection is closed.
  const lateEnd = fileOf(
    () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(CONTENT);
          await closed.promise;
        })(),
      ),
    CONTENT.length,
  );
  const closed = Promise.withResolvers<void>();
  const brisk = (request: IncomingMessage, response: ServerResponse) => {
    request.once('data', () => response.writeHead(200).end());
    response.once('close', () => setTimeout(closed.resolve, 50));
  };
  assert.deepEqual(await outcome(brisk, lateEnd), { sent: true });
});

test('[C69] a connection that is refused while the file is opened is a failed try', async () => {
  const gone = await fileServer(() => {});
  await gone[Symbol.asyncDispose]();
  const late = { ...SMALL, stream: () => pause(200).then(() => SMALL.stream()) };
  assert.deepEqual(await send(gone.base, late), {
    sent: false,
    code: 'destination.failed',
    reason: 'the connection failed (ECONNREFUSED)',
    final: false,
  });
});

test('[C69] names that resolve to private addresses are refused, whatever they resolved to before', async () => {
  const asked: string[] = [];
  const rules = {
    allowPrivate: false,
    nameMs: 10,
    resolve: async (name: string) => {
      asked.push(name);
      return ['93.184.216.34', '169.254.169.254'];
    },
  };
  const refused = {
    sent: false,
    code: 'destination.failed',
    reason: 'the name does not resolve to a public address',
    final: false,
  };
  assert.deepEqual(await send('https://bucket.example.com/a', SMALL, rules), refused);
  assert.deepEqual(asked, ['bucket.example.com']);
  assert.deepEqual(await send('https://10.0.0.7/a', SMALL, rules), {
    sent: false,
    code: 'destination.address',
    reason: 'the address is not public',
    final: true,
  });
});

test("[C69] an unreadable file and a caller's abort do not count as errors of the receiver", async () => {
  await using server = await fileServer((request) => request.resume());
  const fault = Object.assign(new Error('the disk is gone'), { code: 'store.blob_missing' });
  const unreadable = fileOf(
    () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(10);
          throw fault;
        })(),
      ),
    100,
  );
  await assert.rejects(send(server.base, unreadable), fault);
  await using hasty = await fileServer((request, response) => {
    request.resume();
    response.writeHead(200).flushHeaders();
  });
  await assert.rejects(send(hasty.base, unreadable), fault, 'whatever the receiver says');
  await assert.rejects(send(server.base, { ...SMALL, stream: () => Promise.reject(fault) }), fault);
  const stop = new AbortController();
  const sending = send(server.base, SMALL, {}, stop.signal);
  setImmediate(() => stop.abort(new Error('stopped')));
  await assert.rejects(sending, /stopped/);
  await server.idle();
});
