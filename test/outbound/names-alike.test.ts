import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { sendWebhook } from '../../src/exports/deliver/send-webhook.ts';
import { fetchFile } from '../../src/outbound/fetch-file.ts';
import type { Resolver } from '../../src/outbound/guarded-request.ts';
import { sendFile } from '../../src/outbound/send-file.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { uncancelled } from '../uncancelled.ts';

const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

/** What a name inside a network can be, and how soon its lookup ends. */
const NAMES: Readonly<Record<string, Resolver>> = {
  'is private': async () => ['10.0.0.7'],
  'is private, and found late': () => new Promise((found) => setTimeout(found, 20, ['10.0.0.7'])),
  'is private and public': async () => ['93.184.216.34', '127.0.0.1'],
  'does not exist': fails('ENOTFOUND'),
  'cannot be looked up now': fails('EAI_AGAIN'),
  'has no address': async () => [],
  'gets no answer': () => new Promise(() => {}),
};

const URL_INSIDE = new URL('https://wiki.corp.example/logo.png');
const RULES = { allowPrivate: false, idleMs: 60_000, totalMs: 60_000, nameMs: 150 };

type Contact = (t: TestContext, resolve: Resolver) => Promise<unknown>;

/** Everything that connects to addresses of clients; each gives all that a client sees of the result. */
const CONTACTS: Readonly<Record<string, Contact>> = {
  fetch: (t, resolve) =>
    fetchFile(
      URL_INSIDE,
      join(tempFolder(t), randomUUID()),
      null,
      { ...RULES, resolve, pausesMs: [1, 1] },
      uncancelled,
    ).catch(({ kind, code, message, issues, cause }) => ({ kind, code, message, issues, cause })),
  destination: (_, resolve) => {
    const file = { contentType: 'video/mp4', bytes: 1, sha256: sha256('a'), stream: async () => Readable.from(['a']) };
    return sendFile({ url: URL_INSIDE, headers: {} }, file, { ...RULES, resolve }, uncancelled);
  },
  webhook: (_, resolve) => sendWebhook(URL_INSIDE, {}, '{}', { ...RULES, signal: uncancelled, resolve }),
};

for (const [kind, contact] of Object.entries(CONTACTS)) {
  test(`[H48] a ${kind} shows nothing of a name inside the network: every refusal is the same, after the same time`, async (t) => {
    const names = Object.entries(NAMES);
    // All start at once and wait the same time, so they end in the order in which they started, whichever that is.
    for (const order of [names, names.toReversed()]) {
      const ended: string[] = [];
      const results = await Promise.all(
        order.map(async ([name, resolve]) => {
          const result = await contact(t, resolve);
          ended.push(name);
          return result;
        }),
      );
      assert.deepEqual(
        ended,
        order.map(([name]) => name),
      );
      for (const result of results) assert.deepEqual(result, results[0]);
    }
  });
}

test('[H48] the refusal is retried, and an address in digits is refused at once', async (t) => {
  const refused = await CONTACTS.fetch!(t, NAMES['is private']!);
  assert.deepEqual(refused, {
    kind: 'invalid',
    code: 'fetch.failed',
    message: 'The file could not be fetched from "wiki.corp.example": the name does not resolve to a public address.',
    issues: (refused as { issues: unknown }).issues,
    cause: undefined,
  });
  assert.deepEqual(await CONTACTS.destination!(t, NAMES['is private']!), {
    sent: false,
    code: 'destination.failed',
    reason: 'the name does not resolve to a public address',
    final: false,
  });
  const digits = new URL('https://10.0.0.7/');
  const never = () => assert.fail('an address in digits is not looked up');
  const options = { ...RULES, nameMs: 3_600_000, signal: uncancelled, resolve: never };
  assert.deepEqual(await sendWebhook(digits, {}, '{}', options), {
    delivered: false,
    status: null,
    reason: 'the address is not public',
    final: true,
  });
});

test('[H48] a lookup that fails is repeated while the name has time, and a public address is used as soon as it is found', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    if (lookups === 1) throw new Error('EAI_AGAIN');
    return ['93.184.216.34'];
  };
  const connected: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('lookup', (_error, address) => {
      connected.push(address);
      socket.destroy();
    });
  };
  const sockets = channel('net.client.socket');
  sockets.subscribe(watch);
  const options = { ...RULES, nameMs: 3_600_000, signal: uncancelled, resolve };
  const { delivered } = await sendWebhook(new URL('http://found.example/'), {}, '{}', options);
  sockets.unsubscribe(watch);
  assert.deepEqual([delivered, lookups, connected], [false, 2, ['93.184.216.34']]);
});
