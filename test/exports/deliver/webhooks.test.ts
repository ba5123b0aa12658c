import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { BOTH_SIGN_MS } from '../../../src/exports/api/webhooks-api.ts';
import { signingSecrets } from '../../../src/exports/deliver/registered-webhooks.ts';
import { secretsOf, sendWebhook, signingOf, webhookHeaders } from '../../../src/exports/deliver/send-webhook.ts';
import { parseCallbackUrl } from '../../../src/exports/submit/form-faults.ts';
import { isPublicAddress } from '../../../src/outbound/read-address.ts';
import { nextTryInMs, RETRIES } from '../../../src/store/job-queue.ts';

const { signal } = new AbortController();

/** A receiver on loopback that records requests and responds with `status`. */
async function receiver(status: number, location?: string) {
  const got: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    got.push({ headers: request.headers, body });
    response.writeHead(status, location === undefined ? {} : { location }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { got, port, [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())) };
}

test('[C37, H20] only addresses of the public internet count as public', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1'])
    assert.ok(isPublicAddress(address), address);
  const others = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::808:808',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
    'localhost',
    '',
  ];
  for (const address of others) assert.ok(!isPublicAddress(address), address);
});

test('[C37] a callback address is public HTTPS without credentials, unless the deployment allows more', () => {
  assert.equal(parseCallbackUrl('https://example.com/hook?x=1', false).hostname, 'example.com');
  const refused = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[64:ff9b::7f00:1]/',
    'https://example.com:25/',
    'https://user:secret@example.com/',
    'ftp://example.com',
    '/hook',
    'not an address',
    `https://example.com/${'x'.repeat(3000)}`,
  ];
  for (const text of refused) {
    assert.throws(
      () => parseCallbackUrl(text, false),
      (error) => error instanceof ExportError && error.path === '/callback_url',
      text,
    );
  }
  assert.equal(parseCallbackUrl('http://127.0.0.1:9/x', true).port, '9');
  for (const text of ['http://example.com/', 'https://10.0.0.1/', 'https://example.com:25/'])
    assert.throws(() => parseCallbackUrl(text, false), /, and TIERCUT_PRIVATE_ADDRESSES is off\.$/, text);
  assert.throws(() => parseCallbackUrl('ftp://x/', false), /must be an absolute HTTPS address on the public internet;/);
  assert.throws(() => parseCallbackUrl('ftp://x/', true), /must be an absolute HTTP or HTTPS address; "ftp:\/\/x\/" /);
});

test('[C37, C41] a message is signed as Standard Webhooks says, once for each secret', () => {
  const message = { id: 'msg_1', body: '{"ok":true}' };
  const secrets = ['key', 'any text'].map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
  const headers = webhookHeaders(message, secrets, 1_700_000_000_500);
  const signed = (key: string) =>
    `v1,${createHmac('sha256', key).update('msg_1.1700000000.{"ok":true}').digest('base64')}`;
  assert.equal(headers['webhook-signature'], `${signed('key')} ${signed('any text')}`);
  assert.equal(headers['webhook-timestamp'], '1700000000');
  assert.equal(webhookHeaders(message, secrets.slice(0, 1), 1_700_000_000_500)['webhook-signature'], signed('key'));
  assert.equal(webhookHeaders(message, [], 0)['webhook-signature'], undefined);
});

test('[C41] webhooks are signed with the secrets of the tenant; only tenants without one use the common secret', () => {
  const webhookSecrets = [
    { tenant: 'alice', secret: 'old' },
    { tenant: 'bob', secret: 'of bob' },
    { tenant: 'alice', secret: 'new' },
  ];
  assert.deepEqual(secretsOf('alice', { webhookSecret: 'shared', webhookSecrets }), ['old', 'new']);
  assert.deepEqual(secretsOf('carol', { webhookSecret: 'shared', webhookSecrets }), ['shared']);
  assert.deepEqual(secretsOf('carol', { webhookSecret: null, webhookSecrets }), []);
});

test('[C37] the log and /readyz say which webhooks are unsigned', () => {
  const webhookSecrets = [{ tenant: 'alice', secret: 'whsec_b2Y=' }];
  assert.equal(signingOf({ webhookSecret: 'whsec_b2Y=', webhookSecrets: [] }), 'signed');
  assert.match(signingOf({ webhookSecret: null, webhookSecrets: [] }), /^unsigned: set TIERCUT_WEBHOOK_SECRET$/);
  assert.match(signingOf({ webhookSecret: null, webhookSecrets }), /^unsigned for tenants/);
});

test('[C37] a message is sent to the address that was checked', async () => {
  await using hook = await receiver(204);
  const url = new URL(`http://hooks.invalid:${hook.port}/x`);
  const outcome = await sendWebhook(url, { 'webhook-id': 'a' }, '{}', {
    allowPrivate: true,
    signal,
    resolve: async () => ['127.0.0.1'],
  });
  assert.deepEqual(outcome, { delivered: true, status: 204 });
  assert.deepEqual([hook.got[0]?.body, hook.got[0]?.headers.host], ['{}', `hooks.invalid:${hook.port}`]);
});

test('[C37, H20] a name that resolves to a private address is refused, and no connection is made', async () => {
  await using hook = await receiver(204);
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']]) {
    const url = new URL(`http://rebinding.invalid:${hook.port}/`);
    const outcome = await sendWebhook(url, {}, '{}', {
      allowPrivate: false,
      signal,
      nameMs: 10,
      resolve: async () => addresses,
    });
    assert.ok(!outcome.delivered && !outcome.final, addresses.join());
  }
  assert.equal(hook.got.length, 0);
});

test('[C37] redirects are not followed, and failures differ from refusals', async () => {
  await using target = await receiver(200);
  await using hook = await receiver(302, `http://127.0.0.1:${target.port}/`);
  const send = (url: string) => sendWebhook(new URL(url), {}, '{}', { allowPrivate: true, signal });
  assert.deepEqual(await send(`http://127.0.0.1:${hook.port}/`), {
    delivered: false,
    status: 302,
    reason: 'the receiver responded 302',
    final: false,
  });
  assert.equal(target.got.length, 0);
  await using gone = await receiver(410);
  const refused = await send(`http://127.0.0.1:${gone.port}/`);
  assert.ok(!refused.delivered && refused.final);
  const closed = await receiver(200);
  await closed[Symbol.asyncDispose]();
  const unreachable = await send(`http://127.0.0.1:${closed.port}/`);
  assert.ok(!unreachable.delivered && !unreachable.final);
});

test('[C37] a receiver that responds a byte at a time is cut off at the limit, with no open handles', async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.socket.once('close', () => closed.resolve());
    response.writeHead(200).flushHeaders();
    const trickle = setInterval(() => response.write('.'), 10);
    response.once('close', () => clearInterval(trickle));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const outcome = await sendWebhook(url, {}, '{}', { allowPrivate: true, signal, timeoutMs: 300 });
  assert.deepEqual(outcome, { delivered: true, status: 200 });
  await closed.promise;
  server.close();
});

test('[C37] an oversized response is not read', async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const flood = () => {
      while (!response.destroyed && sent < 2 ** 30 && response.write(Buffer.alloc(2 ** 16))) sent += 2 ** 16;
    };
    response.on('drain', flood);
    flood();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  assert.ok((await sendWebhook(url, {}, '{}', { allowPrivate: true, signal })).delivered);
  assert.ok(sent < 2 ** 25, `${sent} bytes`);
  server.close();
});

test('[C37] a name server and a receiver that never respond are cut off at the limit', async () => {
  const options = { allowPrivate: true, signal, timeoutMs: 100 };
  const unresolved = await sendWebhook(new URL('https://slow.invalid/'), {}, '{}', {
    ...options,
    resolve: () => new Promise<string[]>(() => {}),
  });
  assert.deepEqual(unresolved, {
    delivered: false,
    status: null,
    reason: 'the name took too long to resolve',
    final: false,
  });
  const server = createServer(() => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const silent = await sendWebhook(url, {}, '{}', options);
  assert.deepEqual(silent, { delivered: false, status: null, reason: 'the receiver took too long', final: false });
  server.close();
});

test('[C37] retry intervals grow, and retries end within a day', () => {
  const pauses = Array.from({ length: 10 }, (_, i) => nextTryInMs(i + 1, RETRIES.webhook));
  const given = pauses.filter((pause) => pause !== null);
  assert.deepEqual(
    given,
    given.toSorted((a, b) => a - b),
  );
  assert.ok(given.reduce((sum, pause) => sum + pause, 0) < 24 * 3600 * 1000);
  assert.equal(pauses.at(-1), null);
});

test('[C96] the secret before the last one signs beside it for a day', () => {
  const webhook = {
    ...{ name: 'shop', url: 'https://shop.example/', events: [], enabled: true, disabledReason: null },
    ...{ createdAtMs: 0, changedAtMs: 0, secret: 'new', oldSecret: { secret: 'old', untilMs: BOTH_SIGN_MS } },
  };
  assert.deepEqual(signingSecrets(webhook, BOTH_SIGN_MS - 1), ['new', 'old']);
  assert.deepEqual(signingSecrets(webhook, BOTH_SIGN_MS), ['new']);
  assert.deepEqual(signingSecrets({ ...webhook, oldSecret: null }, 0), ['new']);
});
