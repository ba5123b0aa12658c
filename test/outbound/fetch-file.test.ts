import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ExportError } from '../../src/errors.ts';
import { type FetchRules, fetchFile, type Validators } from '../../src/outbound/fetch-file.ts';
import { readAddress } from '../../src/outbound/read-address.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { uncancelled } from '../uncancelled.ts';
import { fileServer } from './file-server.ts';

const RULES: FetchRules = { allowPrivate: true, idleMs: 5_000, totalMs: 10_000, pausesMs: [1, 2] };
const CONTENT = 'the bytes of a file';

interface Asking {
  readonly known?: Validators | null;
  readonly rules?: Partial<FetchRules>;
  readonly watch?: Parameters<typeof fetchFile>[5];
}

/** The result for an address: the file, or the reason. */
async function fetched(t: TestContext, url: string, { known = null, rules = {}, watch = {} }: Asking = {}) {
  const path = join(tempFolder(t), randomUUID());
  const file = await fetchFile(new URL(url), path, known, { ...RULES, ...rules }, uncancelled, watch);
  return file && { ...file, content: readFileSync(path, 'utf8') };
}

async function refusal(t: TestContext, url: string, asking: Asking = {}): Promise<string> {
  const error = await fetched(t, url, asking).then(
    () => assert.fail('it came'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ExportError)) throw error;
  assert.equal(error.kind, 'invalid');
  return `${error.code}: ${error.message}`;
}

test('[C66] a file is returned with its hash and its validator', async (t) => {
  await using server = await fileServer((_, response) => {
    response.writeHead(200, { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }).end(CONTENT);
  });
  assert.deepEqual(await fetched(t, `${server.base}/a`), {
    bytes: CONTENT.length,
    sha256: sha256(CONTENT),
    validators: { etag: '"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    content: CONTENT,
  });
  const { headers } = server.asked[0]!;
  assert.equal(headers['accept-encoding'], 'identity');
  assert.equal(headers['if-none-match'], undefined);
  assert.equal(headers.cookie ?? headers.referer ?? headers.authorization, undefined);
});

test('[C66] an unchanged file is not sent again; if a server sends it anyway, the new bytes are used', async (t) => {
  const known = { etag: '"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };
  await using server = await fileServer(({ url, headers }, response) => {
    const isSame = headers['if-none-match'] === known.etag && headers['if-modified-since'] === known.lastModified;
    if (url === '/same' && isSame) response.writeHead(304).end();
    else response.end(CONTENT);
  });
  assert.equal(await fetched(t, `${server.base}/same`, { known }), null);
  assert.equal((await fetched(t, `${server.base}/other`, { known }))?.content, CONTENT);
  await using confused = await fileServer((_, response) => response.writeHead(304).end());
  assert.match(await refusal(t, confused.base), /^fetch\.failed: .* it returned status 304/);
});

test('[C66] three redirects are followed, each checked like the first address', async (t) => {
  await using server = await fileServer(({ url }, response) => {
    const left = Number(url!.slice(1));
    if (left === 0) response.end(CONTENT);
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  assert.equal((await fetched(t, `${server.base}/3`))?.content, CONTENT);
  assert.match(await refusal(t, `${server.base}/4`), /^fetch\.failed: .* redirects more than three times/);
  const targets: Readonly<Record<string, RegExp>> = {
    'file:///etc/passwd': /begins with \\?"file:/,
    'data:text/plain,x': /begins with \\?"data:/,
    'http://user:secret@127.0.0.1/': /carries credentials/,
    'http://[': /is no address/,
  };
  for (const [location, expected] of Object.entries(targets)) {
    await using leading = await fileServer((_, response) => response.writeHead(307, { location }).end());
    const reported = await refusal(t, leading.base);
    assert.match(reported, /^fetch\.address: /, location);
    assert.match(reported, expected);
  }
  await using nowhere = await fileServer((_, response) => response.writeHead(301).end());
  assert.match(await refusal(t, nowhere.base), /status 301 without a Location/);
});

test('[C66, H20] a redirect to a private address, or to a name that resolves to one, makes no connection', async (t) => {
  await using inside = await fileServer((_, response) => response.end('a secret'));
  // A test has no public server: a local one, whose name resolves to a public address, replaces it
  // at its first check, and the check itself is what is tested.
  const privateTargets = [
    `https://127.0.0.1:${inside.port}/`,
    `https://2130706433:${inside.port}/`,
    `https://0x7f000001:${inside.port}/`,
    `https://0177.0.0.1:${inside.port}/`,
    `https://[::1]:${inside.port}/`,
    `https://[::ffff:127.0.0.1]:${inside.port}/`,
    `https://[64:ff9b::7f00:1]:${inside.port}/`,
    `https://[2002:7f00:1::]:${inside.port}/`,
    'https://169.254.169.254/latest/meta-data/',
    'https://example.com:22/',
    `http://example.com:${inside.port}/`,
  ];
  for (const target of privateTargets) assert.equal(typeof readAddress(target, false), 'string', target);
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1']]) {
    const rules = { allowPrivate: false, nameMs: 10, resolve: async () => addresses };
    const reported = await refusal(t, `https://rebinding.invalid:${inside.port}/`, { rules });
    assert.match(reported, /^fetch\.failed: .* does not resolve to a public address\.$/);
  }
  assert.deepEqual(inside.asked, []);
});

test('[C66, H20] the connection goes to the address that was checked, and each redirect is resolved again', async (t) => {
  await using server = await fileServer(({ url, headers }, response) => {
    if (url === '/') response.writeHead(302, { location: `http://second.invalid:${server.port}/file` }).end();
    else response.end(headers.host);
  });
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return ['127.0.0.1'];
  };
  const file = await fetched(t, `http://first.invalid:${server.port}/`, { rules: { resolve } });
  assert.equal(file?.content, `second.invalid:${server.port}`);
  assert.deepEqual(asked, ['first.invalid', 'second.invalid']);
});

test('[C66] the error names the response: a status, a web page, an encoding, an empty body', async (t) => {
  const cases: readonly [RequestListener, RegExp][] = [
    [
      (_, response) => response.writeHead(404).end('no'),
      /fetch\.failed: .* from "127\.0\.0\.1": it returned status 404 \(Not Found\)\./,
    ],
    [(_, response) => response.writeHead(403).end(), /status 403 \(Forbidden\)/],
    [(_, response) => response.writeHead(206, { 'content-range': 'bytes 0-1/9' }).end('ab'), /status 206/],
    [(_, response) => response.writeHead(299).end('x'), /status 299\./],
    [
      (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>'),
      /a web page, not a file/,
    ],
    [
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e6))),
      /encoded as "gzip"/,
    ],
    [(_, response) => response.end(), /it returned no bytes/],
    [(request) => void request.socket.destroy(), /the connection failed \(ECONNRESET\)/],
  ];
  for (const [answer, expected] of cases) {
    await using server = await fileServer(answer);
    assert.match(await refusal(t, server.base), expected);
  }
  await using closed = await fileServer(() => {});
  const { base } = closed;
  await closed[Symbol.asyncDispose]();
  assert.match(await refusal(t, base), /the connection failed \(ECONNREFUSED\)/);
  const resolve = async () => {
    throw new Error('ENOTFOUND');
  };
  assert.match(
    await refusal(t, 'http://nobody.invalid/', { rules: { resolve } }),
    /^fetch\.failed: .* does not resolve/,
  );
});

test('[C66] server errors and broken connections are retried, and the last one is reported', async (t) => {
  const answers: RequestListener[] = [
    (_, response) => response.writeHead(503).end(),
    (_, response) => response.writeHead(200, { 'content-length': '99' }).write('part', () => response.destroy()),
    (_, response) => response.end(CONTENT),
  ];
  let attempt = 0;
  await using passing = await fileServer((request, response) => answers[attempt++]!(request, response));
  assert.equal((await fetched(t, passing.base))?.content, CONTENT, 'nothing is left of the part');
  await using broken = await fileServer((_, response) => {
    response.writeHead([502, 429, 500][broken.asked.length - 1]!).end();
  });
  assert.match(
    await refusal(t, broken.base),
    /^fetch\.failed: .* it returned status 500 \(Internal Server Error\), at the last of 3 attempts\.$/,
  );
  assert.equal(broken.asked.length, 3);
  await using refusing = await fileServer((_, response) => response.writeHead(403).end());
  assert.match(await refusal(t, refusing.base), /status 403 \(Forbidden\)\.$/);
  assert.equal(refusing.asked.length, 1, 'the same would come again');
});

test('[C66] no try starts that the time limit would end, and a pause does not count as silence', async (t) => {
  await using broken = await fileServer((_, response) => response.writeHead(503).end());
  const short = { totalMs: 5_000, pausesMs: [60_000] };
  assert.match(await refusal(t, broken.base, { rules: short }), /status 503 \(Service Unavailable\)\.$/);
  assert.equal(broken.asked.length, 1);
  await using passing = await fileServer((_, response) => {
    if (passing.asked.length === 1) response.writeHead(503).end();
    else response.end(CONTENT);
  });
  const rules = { idleMs: 800, totalMs: 10_000, pausesMs: [900] };
  assert.equal((await fetched(t, passing.base, { rules }))?.content, CONTENT);
});

test('[C66] a cancel during a pause takes effect immediately', async (t) => {
  await using broken = await fileServer((_, response) => response.writeHead(503).end());
  const cancel = new AbortController();
  const path = join(tempFolder(t), 'file');
  const rules = { ...RULES, totalMs: 600_000, pausesMs: [300_000] };
  const fetching = fetchFile(new URL(broken.base), path, null, rules, cancel.signal);
  while (broken.asked.length === 0) await new Promise((done) => setImmediate(done));
  await broken.idle();
  cancel.abort(new Error('no longer wanted'));
  await assert.rejects(fetching, /no longer wanted/);
});

/** Speaks for itself: what Node's own server would never send. */
async function rawServer(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return { base: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

test('[C66] a wrong length, a broken header and an endless one are failures, and never leave part of a file', async (t) => {
  using short = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc');
  assert.match(await refusal(t, short.base), /the connection failed/);
  using long = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef');
  assert.equal((await fetched(t, long.base))?.content, 'abc');
  using both = await rawServer(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
  );
  assert.match(await refusal(t, both.base), /the connection failed \(HPE_/);
  using upgraded = await rawServer('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc');
  assert.match(await refusal(t, upgraded.base), /the connection failed \(ECONNRESET\)/);
  using endless = await rawServer(`HTTP/1.1 200 OK\r\n${'X-Header: abcdefgh\r\n'.repeat(5000)}`);
  assert.match(await refusal(t, endless.base), /the connection failed \(HPE_HEADER_OVERFLOW\)/);
});

test('[C66] silence, a trickle and an endless body are cut off at the limits, with no open handles', async (t) => {
  const slow = { idleMs: 200, totalMs: 5_000 };
  await using silent = await fileServer(() => {});
  assert.match(await refusal(t, silent.base, { rules: slow }), /^fetch\.too_slow: .* nothing came for 0\.2 s/);
  await silent.idle();
  await using trickling = await fileServer((_, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(timer));
  });
  assert.match(await refusal(t, trickling.base, { rules: slow }), /nothing came for 0\.2 s/);
  await trickling.idle();
  await using steady = await fileServer((_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(100)), 20);
    response.once('close', () => clearInterval(timer));
  });
  const reported = await refusal(t, steady.base, { rules: { idleMs: 1_500, totalMs: 2_000 } });
  assert.match(reported, /^fetch\.too_slow: .* it took longer than 2 s/);
  await steady.idle();
  const resolve = () => new Promise<string[]>(() => {});
  assert.match(await refusal(t, 'http://slow.invalid/', { rules: { ...slow, resolve } }), /^fetch\.too_slow/);
});

test('[C66] an observer may refuse a file before it is complete', async (t) => {
  let sent = 0;
  await using flooding = await fileServer((_, response) => {
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 16))) sent += 2 ** 16;
    };
    response.on('drain', flood);
    flood();
  });
  const watch: Asking['watch'] = {
    onBytes: async (bytes) => {
      if (bytes > 1e6) throw new ExportError('invalid', 'fetch.too_large', 'too much');
    },
  };
  assert.match(await refusal(t, flooding.base, { watch }), /^fetch\.too_large/);
  await flooding.idle();
  assert.ok(sent < 2 ** 25, `${sent} bytes`);
  await using reported = await fileServer((_, response) => response.writeHead(200, { 'content-length': '999' }).end());
  const lengths: (number | null)[] = [];
  const onLength = async (bytes: number | null) => {
    lengths.push(bytes);
    throw new ExportError('invalid', 'fetch.too_large', 'too much');
  };
  assert.match(await refusal(t, reported.base, { watch: { onLength } }), /^fetch\.too_large/);
  assert.deepEqual(lengths, [999]);
});
