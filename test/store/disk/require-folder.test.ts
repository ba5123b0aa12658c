import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireFolder } from '../../../src/store/disk/require-folder.ts';
import { fastFolder } from '../temp-folder.ts';

test('a data folder that is not there is made', async (t) => {
  const folder = join(fastFolder(t), 'a', 'b');
  await requireFolder(folder);
  assert.ok(existsSync(folder));
});

test('a data folder that cannot be used is named, with the reason', async (t) => {
  const file = join(fastFolder(t), 'file');
  writeFileSync(file, '');
  const unusable = { code: 'store.unusable_folder', message: new RegExp(`${file}.* no folder.*TIERCUT_DATA_DIR`) };
  await assert.rejects(requireFolder(file), unusable);
  await assert.rejects(requireFolder(join(file, 'below')), unusable);
});

test('a data folder this user may not write to is named', {
  skip: process.getuid?.() === 0 && 'root may',
}, async (t) => {
  const folder = fastFolder(t);
  chmodSync(folder, 0o500);
  await assert.rejects(requireFolder(folder), { code: 'store.unusable_folder', message: /may not read and write/ });
});
