import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { formOf, metadataOf, post, seen } from '../../service/export-client.ts';
import type { Deployment, ServiceSettings } from '../../service/service-fixture.ts';
import { AttackedService } from '../attacked-service.ts';
import { Canary } from '../canary.ts';
import { internalAddresses } from './internal-addresses.ts';

/** The smallest export there is, with a callback. */
function exportTelling(callback_url: string): FormData {
  const timeline_data = { subtitles: [{ text: 'x', start: 0, duration: 0.1 }] };
  return formOf({ documents: { tier_list: {}, timeline_data, callback_url } });
}

/** The log entry of the only try of a webhook; it contains no export id. */
function outcomeOf(service: AttackedService<Deployment>): Promise<{ delivered: boolean; reason: string }> {
  return seen('a try at the webhook', () => {
    const lines = service.fixture.nodes.flatMap((node) => node.lines);
    const line = lines.find((text) => text.includes('webhook attempted'));
    return line === undefined ? null : JSON.parse(line);
  });
}

/** One preset is enough. */
export const WEBHOOKS_SETTINGS = { TIERCUT_PRERENDER: 'selected' };

/** Where webhooks must not lead, on any deployment. */
export function webhooksSuite(start: (settings: ServiceSettings) => Promise<Deployment>): void {
  test('[C37, H20] webhooks to internal addresses are refused immediately or after DNS resolution, without a connection', async () => {
    await using canary = await Canary.open();
    await using service = new AttackedService(await start(WEBHOOKS_SETTINGS));
    const { port } = canary;
    for (const address of internalAddresses(port)) {
      const reply = await post(service, exportTelling(address));
      const text = await reply.text();
      assert.equal(reply.status, 422, `${address}: ${text}`);
      const { errors } = JSON.parse(text) as { errors: { path: string; code: string }[] };
      assert.deepEqual(
        errors.map(({ path, code }) => [path, code]),
        [['/callback_url', 'callback.invalid']],
      );
    }
    service.assertNothingKept();

    // A harmless name that resolves to a private address: known when it is resolved, right before a connection.
    await metadataOf(await post(service, exportTelling(`https://localhost:${port}/hook`)), 201);
    const { delivered, reason } = await outcomeOf(service);
    assert.deepEqual([delivered, reason], [false, 'the name does not resolve to a public address']);
    assert.deepEqual(canary.visits, []);
    await service.assertUnharmed();
  });

  test('[C37, H20] a redirect is not followed, even if private callbacks are allowed', async () => {
    await using canary = await Canary.open();
    const redirecting = createServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/` }).end();
    });
    await new Promise<void>((listening) => redirecting.listen(0, '127.0.0.1', listening));
    try {
      await using service = new AttackedService(await start({ ...WEBHOOKS_SETTINGS, TIERCUT_PRIVATE_CALLBACKS: 'on' }));
      const { port } = redirecting.address() as AddressInfo;
      await metadataOf(await post(service, exportTelling(`http://127.0.0.1:${port}/hook`)), 201);
      const { delivered, reason } = await outcomeOf(service);
      assert.deepEqual([delivered, reason], [false, 'the receiver responded 307']);
      assert.deepEqual(canary.visits, []);
      await service.assertUnharmed();
    } finally {
      redirecting.close();
    }
  });
}
