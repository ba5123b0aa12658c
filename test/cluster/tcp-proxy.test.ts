import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { TcpProxy } from './tcp-proxy.ts';

test('data sent over a cut connection arrives when it is restored, and a reset ends the connection', {
  timeout: 10_000,
}, async () => {
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using proxy = await TcpProxy.to({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const client = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
  client.on('error', () => {});
  const said = async (text: string) => {
    client.write(text);
    return (await once(client, 'data', { signal: AbortSignal.timeout(5000) }))[0];
  };
  assert.equal(await said('one'), 'one');
  proxy.cut();
  const answer = said('two');
  const late = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
  late.on('error', () => {}).write('late');
  const lateAnswer = once(late, 'data');
  // A round trip past the wire takes longer than one over it would.
  const direct = connect((server.address() as AddressInfo).port, '127.0.0.1');
  direct.write('x');
  await once(direct, 'data');
  let heard = false;
  void answer.then(() => (heard = true));
  await new Promise((done) => setImmediate(done));
  assert.equal(heard, false);
  proxy.mend();
  assert.equal(await answer, 'two');
  assert.equal((await lateAnswer)[0], 'late');
  proxy.reset();
  await new Promise((closed) => client.once('close', closed));
  for (const socket of [late, direct]) socket.destroy();
  server.close();
});
