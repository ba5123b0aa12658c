import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ScratchFolder } from '../cli/tiercut.ts';
import { reached } from './export-client.ts';
import { ServiceFixture } from './service-fixture.ts';

test('[C95] a key file applies without a restart; a wrong one changes nothing and is logged', async () => {
  using folder = new ScratchFolder();
  const file = folder.file('keys', 'alice:the-old-key-of-alice\n');
  const replaceWith = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  await using service = await ServiceFixture.start({ TIERCUT_API_KEYS_FILE: file });
  const status = async (key: string, method = 'GET') => {
    const headers = { 'x-api-key': key };
    return (await fetch(`${service.base}/video/exports`, { method, headers })).status;
  };
  assert.deepEqual([await status('the-old-key-of-alice'), await status('the-new-key-of-alice')], [200, 401]);
  replaceWith('alice:the-old-key-of-alice\nalice:the-new-key-of-alice read\n');
  await reached('the new key is valid', async () => (await status('the-new-key-of-alice')) === 200);
  assert.deepEqual([await status('the-old-key-of-alice'), await status('the-new-key-of-alice', 'POST')], [200, 403]);

  replaceWith('alice:short\n');
  await reached('the wrong file is logged', async () =>
    service.lines.some((line) => line.includes('API keys not changed')),
  );
  assert.equal(await status('the-old-key-of-alice'), 200);
  assert.ok(!service.lines.some((line) => line.includes('alice:short') || line.includes('the-old-key')));
  replaceWith('alice:the-new-key-of-alice\n');
  await reached('the old key ends', async () => (await status('the-old-key-of-alice')) === 401);
});
