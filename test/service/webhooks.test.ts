import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeClip } from '../fixtures/clips.ts';
import { problemOf } from '../http/serve.ts';
import { uploadFile } from '../stored-files.ts';
import { within } from '../within.ts';
import { createAsync, eventsOf, post } from './export-client.ts';
import { longRequest, sampleRequest } from './sample-request.ts';
import { ServiceFixture } from './service-fixture.ts';

const SECRET = `whsec_${Buffer.from('a secret of the deployment').toString('base64')}`;

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of the webhooks of exports; the first responses are given. */
class Receiver implements AsyncDisposable {
  readonly #server = createServer(async (request, response) => {
    this.#deliveries.push({ headers: request.headers, body: await text(request) });
    response.statusCode = this.#answers.shift() ?? 204;
    response.end();
    this.#server.emit('delivered');
  });
  readonly #deliveries: Delivery[] = [];
  readonly #answers: number[];

  constructor(...answers: number[]) {
    this.#answers = answers;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhook`;
  }

  async next(): Promise<Delivery> {
    while (this.#deliveries.length === 0) await within('a delivery', once(this.#server, 'delivered'));
    return this.#deliveries.shift()!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function assertSigned({ headers, body }: Delivery): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  assert.equal(signature, `v1,${expected}`);
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60);
}

test('[C37, C68] completed, failed and cancelled exports send signed webhooks, and retry after a failure', async () => {
  await using receiver = new Receiver(500);
  const callback_url = await receiver.listen();
  await using service = await ServiceFixture.start({
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_WEBHOOK_SECRET: SECRET,
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PUBLIC_URL: 'https://videos.example.com/tiers/',
  });
  const long = longRequest(1200, { label: 'cancelled' });
  const cancelled = await createAsync(service, { ...long, documents: { ...long.documents, callback_url } });
  for await (const { data } of eventsOf(service, cancelled.export_id)) if (data.progress > 0) break;
  await fetch(`${service.base}/video/exports/${cancelled.export_id}`, { method: 'DELETE' });
  const refused = await receiver.next();
  const again = await receiver.next();
  for (const delivery of [refused, again]) {
    assertSigned(delivery);
    assert.equal(delivery.headers['webhook-id'], `${cancelled.export_id}.cancelled`);
    const { type, timestamp: _time, data, ...members } = JSON.parse(delivery.body);
    assert.deepEqual([type, data.state, members], ['export.cancelled', 'cancelled', data]);
  }

  const poison = await makeClip({ frames: 30, width: 96, height: 64, gop: 15 });
  const ahead = await createAsync(service, longRequest(60, { label: 'ahead' }));
  const request = sampleRequest({ callback_url });
  const failing = await createAsync(service, { ...request, files: { ...request.files, clip: poison.file } });
  const hash = createHash('sha256').update(readFileSync(poison.file)).digest('hex');
  writeFileSync(uploadFile(service.folder, hash)!, 'no video any more');
  const failure = await receiver.next();
  assertSigned(failure);
  const reported = JSON.parse(failure.body);
  assert.deepEqual([reported.export_id, reported.state, reported.ok], [failing.export_id, 'failed', false]);
  await fetch(`${service.base}/video/exports/${ahead.export_id}`, { method: 'DELETE' });

  const completing = await createAsync(service, sampleRequest({ callback_url }));
  const delivery = await receiver.next();
  assertSigned(delivery);
  const { type, timestamp: _time, data: metadata, ...members } = JSON.parse(delivery.body);
  assert.deepEqual([metadata.export_id, metadata.state], [completing.export_id, 'completed']);
  assert.deepEqual([type, members], ['export.completed', metadata]);
  assert.equal((await fetch(`${service.base}${metadata.download_url}`)).status, 200);

  // [C41] The absolute URLs, beside the relative ones.
  const absolute = (path: string) => `https://videos.example.com/tiers${path}`;
  assert.equal(metadata.absolute.download_url, absolute(metadata.download_url));
  for (const group of ['downloads', 'hls', 'links']) {
    const copies = Object.entries<string>(metadata[group]).map(([name, path]) => [name, absolute(path)]);
    assert.deepEqual(metadata.absolute[group], Object.fromEntries(copies), group);
  }
  const { absolute: _, ...relative } = metadata;
  const addresses = (value: object) => JSON.stringify(value).match(/\/video\/exports\//g)?.length;
  assert.equal(addresses(metadata.absolute), addresses(relative), 'a copy of every address there is');
  const sent = await fetch(`${service.base}${metadata.links.self}/deliveries`, { method: 'POST' });
  const { callback_state, deliveries } = (await sent.json()) as { callback_state: string; deliveries: object[] };
  assert.deepEqual([sent.status, callback_state, deliveries.length], [200, 'delivered', 2]);
  const repeated = await receiver.next();
  assertSigned(repeated);
  assert.equal(repeated.headers['webhook-id'], delivery.headers['webhook-id']);

  // [C50] The public address is a name of the service.
  for (const [host, status] of [
    ['videos.example.com', 200],
    ['others.example.com', 403],
  ] as const) {
    const asked = get(`${service.base}/limits`, { headers: { host }, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(answer.resume().statusCode, status, host);
  }
});

test('[C37] by default, only public HTTPS addresses are accepted', async () => {
  await using receiver = new Receiver();
  const callback_url = await receiver.listen();
  await using service = await ServiceFixture.start();
  for (const address of [
    callback_url,
    'https://127.0.0.1/x',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
  ]) {
    const { errors } = await problemOf(await post(service, sampleRequest({ callback_url: address })), 422);
    assert.deepEqual([errors[0]!.path, errors[0]!.code], ['/callback_url', 'callback.invalid']);
  }
});
