import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { requireFolder } from '../../../src/store/disk/require-folder.ts';
import { fastFolder } from '../temp-folder.ts';

test('a missing data folder is created', async (t) => {
  const folder = join(fastFolder(t), 'a', 'b');
  await requireFolder(folder);
  assert.ok(existsSync(folder));
});

test('an unusable data folder is reported with the reason', async (t) => {
  const file = join(fastFolder(t), 'file');
  writeFileSync(file, '');
  const unusable = { code: 'store.unusable_folder', message: new RegExp(`${file}.* not a folder.*TIERCUT_DATA_DIR`) };
  await assert.rejects(requireFolder(file), unusable);
  await assert.rejects(requireFolder(join(file, 'below')), unusable);
});

test('a data folder that cannot be created is named in the error, without a wait', async () => {
  // If a folder exists and every creation in it fails with ENOENT, Node's recursive mkdir never ends.
  for (const folder of ['/proc/tiercut', '/proc/tiercut/below']) {
    const message = `The data folder ${folder} cannot be used: nothing can be made there. TIERCUT_DATA_DIR names it.`;
    await assert.rejects(requireFolder(folder), { code: 'store.unusable_folder', kind: 'invalid', message });
  }
  // Root may write to it, says the system, and then does not let it.
  const message = /\/proc\/self\/task cannot be used: /;
  await assert.rejects(requireFolder('/proc/self/task'), { code: 'store.unusable_folder', message });
});

test('a data folder whose path is too long is reported before anything is created', async (t) => {
  const folder = fastFolder(t);
  for (const below of ['a'.repeat(300), 'b'.repeat(100).concat('/').repeat(5), 'c/'.repeat(5000)]) {
    const unusable = { code: 'store.unusable_folder', message: /its path is too long.*TIERCUT_DATA_DIR/ };
    await assert.rejects(requireFolder(join(folder, below)), unusable);
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('a folder link that is broken or circular is reported', async (t) => {
  const folder = fastFolder(t);
  symlinkSync('nowhere/at/all', join(folder, 'lost'));
  symlinkSync('circle', join(folder, 'circle'));
  await assert.rejects(requireFolder(join(folder, 'lost')), { code: 'store.unusable_folder', message: /not a folder/ });
  await assert.rejects(requireFolder(join(folder, 'circle')), {
    code: 'store.unusable_folder',
    message: /circle cannot be used: links/,
  });
});

test('a folder is tested with a temporary file, which is removed; a trailing slash does no harm', async (t) => {
  const folder = fastFolder(t);
  await requireFolder(`${folder}/a/`);
  await requireFolder(relative('.', join(folder, 'b')));
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ['a', 'b']);
});

test('another folder is reported with its own variable', async () => {
  const shared = { what: 'The shared folder', variable: 'TIERCUT_BLOBS_URL' };
  const message = /^The shared folder \/proc\/tiercut cannot be used: .* TIERCUT_BLOBS_URL names it\.$/;
  await assert.rejects(requireFolder('/proc/tiercut', shared), { message });
});

test('a data folder without write permission is reported', {
  skip: process.getuid?.() === 0 && 'root may',
}, async (t) => {
  const folder = fastFolder(t);
  chmodSync(folder, 0o500);
  await assert.rejects(requireFolder(folder), { code: 'store.unusable_folder', message: /may not read and write/ });
});
