import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ExportsPolicy } from '../../../src/compose/exports-ports.ts';
import type { HttpConfig } from '../../../src/http/server/http-config.ts';
import { ExportsFixture } from '../../exports/exports-fixture.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { uploadFile } from '../../stored-files.ts';
import { rawConnection, type ServedExports, serveExports } from '../serve.ts';

const CLIP = readFileSync((await makeClip({ frames: 30, width: 128, height: 72, sound: { seconds: 1 } })).file);
const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'bob', key: 'key-of-bob-1234567' },
];

function sum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A tenant of a service with keys. */
class Client {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor({ base }: ServedExports, tenant: 'ann' | 'bob' = 'ann') {
    this.#base = base;
    this.#headers = { authorization: `Bearer key-of-${tenant}-1234567` };
  }

  ask(method: string, address: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Response> {
    return fetch(`${this.#base}/media/${address}`, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
  }

  put(bytes: Buffer, address = sum(bytes), headers: Record<string, string> = {}): Promise<Response> {
    return this.ask('PUT', address, headers, bytes);
  }

  /** A part of a file. */
  putPart(whole: Buffer, start: number, end: number): Promise<Response> {
    const range = `bytes ${start}-${end - 1}/${whole.length}`;
    return this.put(whole.subarray(start, end), sum(whole), { 'content-range': range });
  }

  async head(bytes: Buffer): Promise<string> {
    const reply = await this.ask('HEAD', sum(bytes));
    const [offset, length] = [reply.headers.get('upload-offset'), reply.headers.get('upload-length')];
    return offset === null ? String(reply.status) : `${reply.status} ${offset}/${length}`;
  }
}

async function open(t: TestContext, policy: Partial<ExportsPolicy> = {}, http: Partial<HttpConfig> = {}) {
  const exports = await ExportsFixture.open(policy);
  const service = await serveExports(t, exports, { apiKeys: KEYS, ...http });
  return { exports, service, ann: new Client(service), bob: new Client(service, 'bob') };
}

async function reported(reply: Response, status: number): Promise<Record<string, unknown> & { code: string }> {
  const text = await reply.text();
  assert.equal(reply.status, status, text);
  return JSON.parse(text);
}

/** For changes without a notification: files, and the progress of another connection. */
async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await setImmediate();
}

function filesIn({ folder }: ExportsFixture): string[] {
  return ['blobs', 'unfinished'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      // A blob has its own name after the hash.
      .map(({ name }) => `${part} ${part === 'blobs' ? name.split('.')[0] : name}`),
  );
}

test('[C38] content is sent once, described, found and deleted; other tenants cannot see it', async (t) => {
  const { exports, ann, bob } = await open(t);
  assert.equal(await ann.head(CLIP), '404');
  const made = await ann.put(CLIP);
  assert.equal(made.headers.get('location'), `/media/${sum(CLIP)}`);
  const body = await reported(made, 201);
  const { expires_at, facts, ...rest } = body as unknown as { expires_at: string; facts: { duration: number } };
  assert.deepEqual(rest, { ok: true, media: sum(CLIP), bytes: CLIP.length });
  const { duration, ...others } = facts;
  assert.ok(Math.abs(duration - 1) < 0.1, String(duration));
  assert.deepEqual(others, {
    kind: 'video',
    container: 'mp4',
    width: 128,
    height: 72,
    fps: 30,
    variable_fps: false,
    alpha: false,
    codec: 'h264',
    sound: { codec: 'aac', channels: 2, sample_rate: 48_000 },
    problems: [],
  });
  assert.ok(Date.parse(expires_at) > Date.now() + 3_000_000);
  assert.equal(await ann.head(CLIP), `200 ${CLIP.length}/${CLIP.length}`);
  assert.deepEqual(
    (await reported(await ann.ask('GET', sum(CLIP).toUpperCase(), { accept: 'application/json' }), 200)).facts,
    facts,
  );
  assert.deepEqual((await reported(await ann.put(CLIP), 200)).facts, facts);

  assert.equal(await bob.head(CLIP), '404');
  const never = await reported(await bob.ask('GET', sum(Buffer.from('never sent'))), 404);
  assert.deepEqual(await reported(await bob.ask('GET', sum(CLIP)), 404), never);
  assert.deepEqual(await reported(await bob.ask('DELETE', sum(CLIP)), 404), never);
  assert.deepEqual(await reported(await bob.ask('GET', 'xyz'), 404), never);
  const probes = async () => /tiercut_files_looked_at_total\{known="no"\} (\d+)/.exec(await metricsOf(exports))?.[1];
  assert.equal(await probes(), '1');
  await reported(await bob.put(CLIP), 201);
  assert.equal(await probes(), '2', 'what was found out for one is found out again for the other');

  assert.equal((await ann.ask('DELETE', sum(CLIP))).status, 204);
  assert.deepEqual(await reported(await ann.ask('DELETE', sum(CLIP)), 404), never);
  assert.equal(await ann.head(CLIP), '404');
  assert.equal(await bob.head(CLIP), `200 ${CLIP.length}/${CLIP.length}`);
  assert.deepEqual(filesIn(exports), [`blobs ${sum(CLIP)}`]);
  await bob.ask('DELETE', sum(CLIP));
  assert.deepEqual(filesIn(exports), []);
});

async function metricsOf({ metrics, api }: ExportsFixture): Promise<string> {
  return metrics.text(await api.status());
}

test('[C38] stored content is not accepted again, and refused content is refused before it is sent', async (t) => {
  const limits = { maxMediaBytes: 2_000_000, maxMediaFiles: 2, maxUnfinishedUploads: 1 };
  const { exports, service, ann } = await open(t, limits);
  await reported(await ann.put(CLIP), 201);
  /** The first line of the response to a PUT whose body waits for 100 Continue; null if the service sends it. */
  const announce = async (length: number, address = sum(randomBytes(8)), ...headers: string[]) => {
    const { socket, all } = rawConnection(service);
    const head = [`PUT /media/${address} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${KEYS[0]!.key}`];
    if (length >= 0) head.push(`Content-Length: ${length}`);
    socket.write(`${[...head, 'Expect: 100-continue', ...headers].join('\r\n')}\r\n\r\n`);
    const first = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.destroy();
    await all;
    return /^HTTP\/1.1 (\d+)/.exec(first)![1];
  };
  assert.equal(await announce(CLIP.length, sum(CLIP)), '200');
  assert.equal(await announce(3_000_000), '413', 'more than a file may have');
  assert.equal(await announce(1_999_999), '507', 'more than the quota has left');
  assert.equal(await announce(-1), '411');
  assert.equal(await announce(0), '422');
  assert.equal(await announce(5, 'x'), '400');
  assert.equal(await announce(5, undefined, 'Content-Range: bytes 0-3/10'), '400', 'not as long as it says');
  assert.equal(await announce(5, undefined, 'Content-Range: bytes 5-9/10'), '409', 'there is nothing to go on with');
  assert.equal(await announce(5), '100');
  await until(() => filesIn(exports).join() === `blobs ${sum(CLIP)}`);

  const whole = randomBytes(1000);
  await reported(await ann.putPart(whole, 0, 500), 202);
  const second = await reported(await ann.put(randomBytes(10)), 429);
  assert.equal(second.code, 'upload.too_many');
  await reported(await ann.putPart(whole, 500, 1000), 201);
  assert.equal(await announce(5), '507', 'the maximum');
});

test('[C38] content that does not match its address leaves no files; an image has its own limit', async (t) => {
  const { exports, ann } = await open(t);
  const wrong = await reported(await ann.put(CLIP, sum(Buffer.from('another'))), 422);
  assert.equal(wrong.code, 'media.hash_mismatch');
  assert.match(String(wrong.detail), new RegExp(sum(CLIP)));
  const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(2 ** 20)]);
  assert.equal((await reported(await ann.put(image), 413)).code, 'media.too_large');
  assert.deepEqual(filesIn(exports), []);
  assert.equal(await ann.head(image), '404');
  const note = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  const { facts } = (await reported(await ann.put(note), 201)) as unknown as {
    facts: { kind: string; problems: { code: string }[] };
  };
  assert.equal(facts.kind, 'unreadable');
  assert.deepEqual(
    facts.problems.map(({ code }) => code),
    ['media.unsupported'],
  );
});

test('[C38] an interrupted upload resumes, also after a restart and after a dead connection', async (t) => {
  const { exports, service, ann, bob } = await open(t);
  const whole = randomBytes(300_000);
  const address = sum(whole);
  const { socket } = rawConnection(service);
  const key = `Authorization: Bearer ${KEYS[0]!.key}`;
  socket.write(
    `PUT /media/${address} HTTP/1.1\r\nHost: localhost\r\n${key}\r\nContent-Length: ${whole.length}\r\n\r\n`,
  );
  socket.write(whole.subarray(0, 100_000));
  const arrived = (client: Client, offset: number) => {
    return until(async () => (await client.head(whole)) === `404 ${offset}/${whole.length}`);
  };
  await arrived(ann, 100_000);
  assert.equal(await bob.head(whole), '404', 'how much has come is nobody else’s business');
  const again = await ann.put(whole);
  assert.equal(again.headers.get('upload-offset'), '100000');
  assert.equal((await reported(again, 429)).code, 'upload.under_way');
  const answered = once(socket, 'data');
  // The connection is open, but no bytes arrive any more: the resuming client replaces it.
  const part = await ann.putPart(whole, 100_000, 150_000);
  assert.equal(part.headers.get('upload-offset'), '150000');
  assert.deepEqual(await reported(part, 202), { ok: true, media: address, bytes: whole.length, received: 150_000 });
  assert.match(String(await answered), /^HTTP\/1.1 409 .*upload.superseded/s);
  socket.destroy();

  const gap = await ann.putPart(whole, 150_001, whole.length);
  assert.equal(gap.headers.get('upload-offset'), '150000');
  assert.equal((await reported(gap, 409)).code, 'media.offset');
  const forgotten = await ann.putPart(randomBytes(1000), 500, 1000);
  assert.equal(forgotten.headers.get('upload-offset'), '0', 'of what is not there all is to be sent');
  assert.equal((await reported(forgotten, 409)).code, 'media.offset');
  const otherLength = await ann.put(Buffer.from('x'), address, { 'content-range': 'bytes 100-100/1000' });
  assert.deepEqual([otherLength.status, otherLength.headers.get('upload-offset')], [409, '0'], 'nor of another length');
  // More bytes had arrived than the client knows: it sends them again.
  assert.equal((await ann.putPart(whole, 60_000, 150_000)).headers.get('upload-offset'), '150000');
  // This one breaks.
  const broken = connect(service.port, '127.0.0.1');
  broken.write(
    `PUT /media/${address} HTTP/1.1\r\nHost: localhost\r\n${key}\r\nContent-Length: 150000\r\nContent-Range: bytes 150000-299999/300000\r\n\r\n`,
  );
  broken.write(whole.subarray(150_000, 200_000));
  await arrived(ann, 200_000);
  broken.destroy();
  const { unfinished, database } = exports.ports;
  await until(async () => (await unfinished.find('ann', address, database))?.received === 200_000);

  await exports.stop();
  const next = await ExportsFixture.open({}, exports.folder);
  const later = new Client(await serveExports(t, next, { apiKeys: KEYS }));
  assert.equal(await later.head(whole), '404 200000/300000');
  await reported(await later.putPart(whole, 200_000, whole.length), 201);
  assert.deepEqual(filesIn(next), [`blobs ${address}`]);
  assert.deepEqual(readFileSync(uploadFile(next.folder, address)!), whole);
});

test('[C38] POST /media/known says which of many files are there, in order; files of others are unknown', async (t) => {
  const { ann, bob } = await open(t);
  const half = randomBytes(40_000);
  assert.equal((await ann.put(CLIP)).status, 201);
  assert.equal((await ann.putPart(half, 0, 10_000)).status, 202);
  const nothing = '0'.repeat(64);
  const ask = (client: Client, media: unknown) =>
    client.ask('POST', 'known', { 'content-type': 'application/json' }, Buffer.from(JSON.stringify({ media })));
  const hashes = [nothing, sum(CLIP), sum(half), sum(CLIP).toUpperCase()];
  const known = await ask(ann, hashes);
  assert.equal(known.headers.get('cache-control'), 'no-store');
  assert.deepEqual(await known.json(), {
    ok: true,
    media: [
      { media: nothing, stored: false, received: 0 },
      { media: sum(CLIP), stored: true, received: CLIP.length },
      { media: sum(half), stored: false, received: 10_000 },
      { media: sum(CLIP), stored: true, received: CLIP.length },
    ],
  });
  const others = (await (await ask(bob, hashes)).json()) as { media: { stored: boolean; received: number }[] };
  assert.ok(others.media.every(({ stored, received }) => !stored && received === 0));
  assert.deepEqual(await (await ask(ann, [])).json(), { ok: true, media: [] });

  for (const [media, status, path, code] of [
    [undefined, 422, '/media', 'field.required'],
    ['x', 422, '/media', 'field.type'],
    [[nothing, 'x'], 422, '/media/1', 'field.type'],
    [[nothing, { media: nothing }], 422, '/media/1', 'field.type'],
    [Array.from({ length: 101 }, () => nothing), 422, '/media', 'field.range'],
  ] as const) {
    const reply = await ask(ann, media);
    const { errors } = (await reply.json()) as { errors: { path: string; code: string }[] };
    assert.deepEqual([reply.status, errors[0]!.path, errors[0]!.code], [status, path, code]);
  }
  assert.equal(
    (
      await ask(
        ann,
        Array.from({ length: 1000 }, () => nothing),
      )
    ).status,
    413,
    'not even read',
  );
  assert.equal((await ann.ask('POST', 'known', {}, Buffer.from('x'))).status, 415);
});
