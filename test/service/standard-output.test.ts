import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { MAIN, ScratchFolder } from '../cli/tiercut.ts';
import { WAIT_SECONDS, within } from '../within.ts';

test('[C31] standard output of a service is JSON lines and nothing else', async () => {
  using folder = new ScratchFolder();
  const env = { ...process.env, PORT: '0', TIERCUT_DATA_DIR: folder.path };
  const service = spawn(process.execPath, [MAIN, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WAIT_SECONDS * 1000,
  });
  const out = text(service.stdout);
  const ended = once(service, 'close');
  for await (const line of createInterface(service.stderr)) {
    const address = /is at (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    assert.equal((await fetch(`${address}/limits`)).status, 200);
    service.kill('SIGTERM');
    break;
  }
  await within('the end of the service', ended);
  const lines = (await out).trim().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string; route?: string });
  assert.ok(logged.some(({ msg, route }) => msg === 'request' && route === '/limits'));
  for (const { level, msg } of logged) assert.deepEqual([typeof level, typeof msg], ['number', 'string']);
});
