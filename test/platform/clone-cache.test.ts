import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cloneCache } from '../../src/platform/clone-cache.ts';

test('the build output of a clone is in the clone, where no other user can write', (t) => {
  const modules = mkdtempSync(join(tmpdir(), 'tiercut-clone-'));
  t.after(() => rmSync(modules, { recursive: true }));
  const own = join(modules, '.cache', 'tiercut');
  assert.equal(cloneCache('programs', modules), join(own, 'programs'));
  assert.equal(statSync(own).mode & 0o077, 0);
  // What others could have put there is not executed.
  chmodSync(own, 0o777);
  assert.equal(cloneCache('programs', modules), null);
});

test('without a place for it there is no cache', (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'tiercut-clone-')), 'file');
  t.after(() => rmSync(join(file, '..'), { recursive: true }));
  writeFileSync(file, '');
  assert.equal(cloneCache('programs', file), null);
});
