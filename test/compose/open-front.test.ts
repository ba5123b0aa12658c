import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { openFront, unlistenable } from '../../src/compose/open-front.ts';
import { readConfig } from '../../src/config/config.ts';

test('a port in use is reported with its number and the variables that set it', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const config = readConfig({ PORT: String(port), TIERCUT_LOG_LEVEL: 'silent' });
  // No requests are served, so nothing of the HTTP side is needed.
  const parts = { api: {}, media: {}, metrics: {}, endedSessions: {} } as unknown as Parameters<typeof openFront>[0];
  const front = await openFront({ ...parts, config, version: '0', uploadFolder: '' });
  t.after(() => front.close());
  await assert.rejects(front.listen(), {
    code: 'service.unlistenable',
    message: `The service cannot listen on 127.0.0.1, port ${port}: another program does already. It is set by HOST and PORT.`,
  });
});

test('an error that does not concern the address is passed on unchanged', () => {
  const bug = new Error('bug');
  assert.equal(unlistenable(bug, { host: '::', port: 1 }, 'HOST and PORT'), bug);
});
