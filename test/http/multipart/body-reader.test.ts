import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { BatchedRequest, smallChunksOf } from '../../../src/http/multipart/batched-request.ts';
import { BodyReader } from '../../../src/http/multipart/body-reader.ts';
import { timesLonger } from '../../processor-time.ts';

const PATIENCE = { idleTimeoutSeconds: 20, uploadTimeoutSeconds: 60 };
const HEAD = 'POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n';
const LAST = '0\r\n\r\n';
/** What Node reads of a socket at once. */
const READ_BYTES = 64 * 1024;

async function serve(
  t: TestContext,
  listener: RequestListener,
  Request: typeof IncomingMessage = BatchedRequest,
): Promise<number> {
  const server = createServer({ IncomingMessage: Request }, listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Reads a body to its end: what came, and in how many batches. */
async function readAll(request: IncomingMessage): Promise<{ text: string; batches: number }> {
  using body = new BodyReader(request, PATIENCE, new AbortController().signal);
  const batches: Buffer[] = [];
  for (let batch = await body.next(); batch !== null; batch = await body.next()) batches.push(batch);
  return { text: Buffer.concat(batches).toString('latin1'), batches: batches.length };
}

function echoing(answers: { batches: number }[] = []): RequestListener {
  return (request, response) => {
    readAll(request).then(
      (read) => {
        answers.push(read);
        response.end(read.text);
      },
      (error: { code: string }) => response.writeHead(400, { connection: 'close' }).end(error.code),
    );
  };
}

function chunked(text: string, size: number): string {
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

/** Everything the server sends until `enough` returns true, or it closes. */
function exchange(port: number, sent: string, enough: (received: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      if (enough(received)) socket.destroy();
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

test('[C1] a body in chunks of one byte arrives complete and in few batches, and its connection stays usable', async (t) => {
  const answers: { batches: number }[] = [];
  const port = await serve(t, echoing(answers));
  const text = 'abcdefghij'.repeat(5_000);
  const once = HEAD + chunked(text, 1) + LAST;
  const both = await exchange(port, once + once, (received) => received.split(text).length === 3);
  assert.equal(both.split(text).length, 3);
  for (const { batches } of answers) assert.ok(batches < 500, `${batches} batches`);
});

test('[C33, H16] a body in far too many tiny chunks is refused long before its end', async (t) => {
  const port = await serve(t, echoing());
  const answer = await exchange(port, HEAD + chunked('x'.repeat(110_000), 1), () => false);
  assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*request\.chunks_too_small/);
});

test('[H16, H29] one of all bodies in tiny chunks is read per turn of the event loop, once', async (t) => {
  const clients = 8;
  const { port, maxInPass, requests } = await serveAndLook(t);
  const chunk = chunked('x'.repeat(40_000), 1);
  await Promise.all(Array.from({ length: clients }, () => send(port, [HEAD, LAST], chunk, 1)));
  assert.equal(requests.size, clients);
  assert.ok(maxInPass.one <= READ_BYTES, `${maxInPass.one} bytes of one body in a turn`);
  assert.ok(maxInPass.all <= READ_BYTES, `${maxInPass.all} bytes of all bodies in a turn`);
});

test('[H16, H29] clients that keep silent in their turn and then send at once are read one after the other', async (t) => {
  const clients = 8;
  const { port, maxInPass, requests } = await serveAndLook(t);
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HEAD + chunked('x'.repeat(1_000), 1)));
    t.after(() => socket.destroy());
    return socket;
  });
  const areSmall = () => requests.size === clients && [...requests].every((request) => smallChunksOf(request) > 0);
  while (!areSmall()) await delay(5);
  // Each has at least one turn, in which it sends nothing.
  await delay(clients * 100);
  const answers = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write(chunked('x'.repeat(20_000), 1) + LAST);
  await Promise.all(answers);
  assert.ok(maxInPass.all <= READ_BYTES, `${maxInPass.all} bytes of all bodies in a turn`);
});

/** A server that counts the bytes of small chunks which a pass of the event loop reads. */
async function serveAndLook(t: TestContext) {
  const requests = new Set<IncomingMessage>();
  const port = await serve(t, async (request, response) => {
    requests.add(request);
    // Like a route that queries the database first: nothing is read ahead meanwhile.
    await delay(20);
    await readAll(request).catch(() => response.writeHead(400, { connection: 'close' }));
    response.end();
  });
  const maxInPass = { one: 0, all: 0 };
  const before = new Map<IncomingMessage, number>();
  // The first reads show how small the chunks are.
  const knownSmall = new Set<IncomingMessage>();
  const look = () => {
    let all = 0;
    for (const request of requests) {
      const { bytesRead } = request.socket;
      // The head may have come in a pass of its own.
      const read = bytesRead - (before.get(request) ?? HEAD.length);
      maxInPass.one = Math.max(maxInPass.one, read);
      if (knownSmall.has(request)) all += read;
      if (smallChunksOf(request) > 0) knownSmall.add(request);
      before.set(request, bytesRead);
    }
    maxInPass.all = Math.max(maxInPass.all, all);
    looking = setImmediate(look);
  };
  let looking = setImmediate(look);
  t.after(() => clearImmediate(looking));
  return { port, maxInPass, requests };
}

test('[H29] a small batch keeps little memory', async (t) => {
  const kept: number[] = [];
  const port = await serve(t, async (request, response) => {
    using body = new BodyReader(request, PATIENCE, new AbortController().signal);
    for (let batch = await body.next(); batch !== null; batch = await body.next()) {
      kept.push(batch.buffer.byteLength);
      response.write('got it');
    }
    response.end('the end');
  });
  // The next byte is sent once the last one has arrived: each is its own batch.
  const bytes = 20;
  await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HEAD + chunked('x', 1)));
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.includes('got it')) socket.write(kept.length < bytes ? chunked('x', 1) : LAST);
      if (text.includes('the end')) socket.destroy();
    });
    socket.on('error', reject).on('close', resolve);
  });
  assert.deepEqual(kept, Array(bytes).fill(1));
});

test('[H29] a body is read no faster than it is consumed, whatever its length', async (t) => {
  let most = 0;
  const port = await serve(t, async (request, response) => {
    using body = new BodyReader(request, PATIENCE, new AbortController().signal);
    for (let batch = await body.next(); batch !== null; batch = await body.next()) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    response.end();
  });
  await send(
    port,
    [`POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${200 * 2 ** 20}\r\n\r\n`],
    'x'.repeat(2 ** 20),
    200,
  );
  t.diagnostic(`${Math.round(most / 2 ** 20)} MB of buffers at the most`);
  assert.ok(most < 100 * 2 ** 20, `${most} bytes`);
});

const LIMIT = 1.5;

test('[C33, H16] small chunks cost little more than Node itself needs for them', async (t) => {
  const discard: RequestListener = (request, response) => {
    request.on('data', () => {}).on('end', () => response.end());
  };
  const [plain, ours] = [await serve(t, discard, IncomingMessage), await serve(t, echoing())];
  const sendTo = (port: number) => () => send(port, [HEAD, LAST], chunked('x'.repeat(65_536), 64), 64);
  // The client's own time, in its thread, is the same for both.
  const times = await timesLonger(sendTo(plain), sendTo(ours), LIMIT);
  t.diagnostic(`4 MB in chunks of 64 bytes: ${times.toFixed(2)} times the processor time of Node alone`);
  assert.ok(times < LIMIT, `${times} times`);
});

/** Sends a head, a buffer so many times and a tail, from a thread; ends with the response. */
async function send(port: number, [head, tail = '']: readonly string[], chunk: string, times: number): Promise<void> {
  const client = `
    const { connect } = require('node:net');
    const { workerData: { port, head, chunk, times, tail } } = require('node:worker_threads');
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    for (let n = 0; n < times; n += 1) socket.write(chunk);
    socket.write(tail);
    socket.once('data', () => socket.destroy());`;
  const worker = new Worker(client, { eval: true, workerData: { port, head, chunk, times, tail } });
  await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
}
