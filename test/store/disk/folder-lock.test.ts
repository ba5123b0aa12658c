import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FolderLock } from '../../../src/store/disk/folder-lock.ts';
import { fastFolder } from '../temp-folder.ts';

test('a folder has one holder at a time, and is free once it is released', (t) => {
  const folder = fastFolder(t);
  {
    using _lock = FolderLock.take(folder);
    assert.throws(() => FolderLock.take(folder), { code: 'store.locked', kind: 'unavailable' });
  }
  FolderLock.take(folder)[Symbol.dispose]();
});

test('a folder whose lock is a folder, or has other content, is unusable and not in use', (t) => {
  const [folder, letter] = [fastFolder(t), fastFolder(t)];
  mkdirSync(join(folder, 'lock'));
  writeFileSync(join(letter, 'lock'), 'this is a letter, and no lock. '.repeat(200));
  for (const at of [folder, letter]) {
    const message = `The data folder ${at} cannot be used: its file "lock" cannot be opened. TIERCUT_DATA_DIR names it.`;
    assert.throws(() => FolderLock.take(at), { code: 'store.unusable_folder', message });
  }
});
