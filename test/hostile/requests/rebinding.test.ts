import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempFolder } from '../../store/temp-folder.ts';
import { NameServer, type Zone } from './name-server.ts';
import { deliverWatched, type WatchedDelivery } from './watched-delivery.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC_6 = '2606:2800:220:1::1';
const NOT_PUBLIC = 'the name does not resolve to a public address';

/**
 * The address of each name, for the first query and for all later ones; where one delivery may connect, and why the
 * next is refused.
 */
const NAMES: readonly { readonly leadsTo: readonly (readonly string[])[]; readonly connected: readonly string[] }[] = [
  { leadsTo: [[PUBLIC], ['127.0.0.1']], connected: [PUBLIC] },
  { leadsTo: [[PUBLIC_6], ['::1']], connected: [PUBLIC_6] },
  { leadsTo: [[PUBLIC], ['::ffff:127.0.0.1']], connected: [PUBLIC] },
  { leadsTo: [['::ffff:127.0.0.1']], connected: [] },
  { leadsTo: [['::ffff:169.254.169.254']], connected: [] },
  { leadsTo: [['64:ff9b::7f00:1']], connected: [] },
  { leadsTo: [[PUBLIC, '127.0.0.1']], connected: [] },
  { leadsTo: [[PUBLIC, '::1']], connected: [] },
  { leadsTo: [['169.254.169.254']], connected: [] },
];

const ZONE: Zone = {
  ...Object.fromEntries(NAMES.map(({ leadsTo }, n) => [`name${n}.test`, leadsTo])),
  'moves.test': [['127.0.0.2'], ['127.0.0.1']],
};

/** Deliveries to each name, twice; the last is to a name of loopback addresses, where these are allowed. */
function deliveries(port: number, nameServer: string | null) {
  const twice = NAMES.flatMap((_, n) => Array(2).fill(`http://name${n}.test:${port}/`) as string[]);
  return [
    ...twice.map((url) => ({ url, allowPrivate: false, nameServer })),
    { url: `http://moves.test:${port}/`, allowPrivate: true, nameServer },
  ];
}

function assertCheckedAddressesUsed(done: readonly WatchedDelivery[], { questions }: NameServer): void {
  for (const [n, { leadsTo, connected }] of NAMES.entries()) {
    const [first, second] = done.slice(2 * n, 2 * n + 2) as [WatchedDelivery, WatchedDelivery];
    const shown = leadsTo.map((addresses) => addresses.join(' and ')).join(', then ');
    assert.deepEqual(first.connected, connected, shown);
    if (connected.length === 0) assert.deepEqual(first.outcome, refused(), shown);
    // Names are resolved again for each delivery.
    assert.deepEqual([second.connected, second.outcome], [[], refused()], shown);
    for (const type of ['A', 'AAAA']) {
      assert.equal(questions.filter((one) => one === `${type} name${n}.test`).length, 2, 'asked once for a delivery');
    }
  }
  const moved = done.at(-1)!;
  assert.deepEqual(moved, { outcome: { delivered: true, status: 204 }, connected: ['127.0.0.2'] });
}

function refused() {
  return { delivered: false, status: null, reason: NOT_PUBLIC, final: false };
}

/** Listens on every loopback address, and records which ones got requests. */
async function loopbackReceiver() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.socket.localAddress!);
    response.writeHead(204).end();
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, port, [Symbol.asyncDispose]: async () => void server.close() };
}

test('[C37, H20] a name that changes its address after the check has no effect: the checked address is used', async () => {
  await using names = await NameServer.open(ZONE);
  await using receiver = await loopbackReceiver();
  const done: WatchedDelivery[] = [];
  for (const delivery of deliveries(receiver.port, names.address)) done.push(await deliverWatched(delivery));
  assertCheckedAddressesUsed(done, names);
  assert.deepEqual(receiver.asked, ['127.0.0.2']);
});

test("[C37, H20] the same holds for the system's resolver", async (t) => {
  const names = await NameServer.open(ZONE, '127.0.0.77', 53).catch(() => null);
  if (names === null) {
    t.skip('port 53 is not ours to listen on');
    return;
  }
  await using _closed = names;
  const resolvers = join(tempFolder(t), 'resolv.conf');
  writeFileSync(resolvers, 'nameserver 127.0.0.77\noptions timeout:30\n');
  // The file of resolvers is another one for this program alone.
  const mounting = ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', resolvers];
  const run = (...command: string[]) => promisify(execFile)('unshare', [...mounting, ...command]);
  const cannot = await run('true').then(
    () => false,
    () => true,
  );
  if (cannot) {
    t.skip('unshare and mount are not there, or not ours to use');
    return;
  }
  await using receiver = await loopbackReceiver();
  const program = join(import.meta.dirname, 'watched-delivery.ts');
  const { stdout } = await run(process.execPath, program, JSON.stringify(deliveries(receiver.port, null)));
  assertCheckedAddressesUsed(JSON.parse(stdout), names);
  assert.deepEqual(receiver.asked, ['127.0.0.2']);
});
