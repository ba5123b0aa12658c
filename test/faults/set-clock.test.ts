import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAsync, download, ended, eventsOf, reached, statusOf } from '../service/export-client.ts';
import { longRequest, sampleRequest } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

/** Sets the clock of a process and its children from outside; Debian's package faketime has it. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const NONE = LIBRARY === undefined || !existsSync(LIBRARY) ? 'there is no libfaketime here' : false;
/** Away from the real time; the last is the real time again. */
const CLOCKS = { 'three hours forward': '+3h', 'two days back': '-2d', 'ten years forward': '+10y', 'as it was': '+0' };

test('[C26, C35, C37, H30] the clock of a real service is set during a render: all exports complete, events continue, webhooks arrive', {
  skip: NONE,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-clock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'offset');
  writeFileSync(file, '+0');
  const reported: string[] = [];
  const receiver = createServer((request, response) => {
    reported.push(String(request.headers['webhook-id']));
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  t.after(() => receiver.close());
  const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await using service = await ServiceFixture.start({
    LD_PRELOAD: LIBRARY!,
    FAKETIME_TIMESTAMP_FILE: file,
    // Read once a second: with every look at the clock it would be most of what the service does.
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_REQUESTS_PER_MINUTE: '600',
  });
  for (const [name, offset] of Object.entries(CLOCKS)) {
    await t.test(name, async () => {
      const rendering = await createAsync(
        service,
        longRequest(24, { label: name, settings: { quality: 'draft', fps: 10 } }),
      );
      const queued = await createAsync(service, sampleRequest({ callback_url }));
      let isSet = false;
      for await (const { data } of eventsOf(service, rendering.export_id)) {
        if (isSet || data.progress === 0) continue;
        writeFileSync(file, offset);
        isSet = true;
      }
      assert.ok(isSet);
      for (const { export_id } of [rendering, queued]) {
        assert.equal((await statusOf(service, export_id)).export_id, export_id, 'not expired');
      }
      const metadata = await ended(service, queued.export_id);
      await download(service, metadata, 'preset_one');
      assert.equal((await statusOf(service, rendering.export_id)).state, 'completed');
      await reached('the webhook', () => reported.some((id) => id.startsWith(queued.export_id)));
    });
  }
});
