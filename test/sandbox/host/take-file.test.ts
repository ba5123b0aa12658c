import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeFile } from '../../../src/sandbox/host/take-file.ts';
import { ScratchFolder } from '../scratch-folder.ts';
import { startTestChild } from './start-test-child.ts';

for (const [by, outcome] of [
  ['descriptor', 'done'],
  ['mapping', 'done'],
  ['reading', 'EACCES'],
] as const) {
  test(`[H6] a file taken from a child cannot be changed through a ${by} that the child kept`, async (t) => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    if (!child.jail.layers.some(({ name }) => name === 'landlock')) return t.skip('no Landlock here');
    const [made, taken] = [join(folder.workDir, 'made'), join(folder.path, 'taken')];
    await child.request('write_and_keep', { path: made, by });
    await takeFile(made, taken);
    assert.equal(await child.request('change_kept', null), outcome);
    assert.equal(readFileSync(taken, 'utf8'), 'as made');
    assert.deepEqual([existsSync(made), readdirSync(folder.workDir)], [false, []]);
    assert.deepEqual(readdirSync(folder.path).sort(), ['taken', 'upload-a', 'upload-b', 'work']);
  });
}

test('a file without other users is moved, not copied', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux can tell whether a file is open elsewhere');
  using folder = new ScratchFolder();
  await using child = await startTestChild(folder);
  const [made, taken] = [join(folder.workDir, 'made'), join(folder.path, 'taken')];
  await child.request('write_and_keep', { path: made, by: 'nothing' });
  const { ino } = statSync(made);
  await takeFile(made, taken);
  assert.equal(statSync(taken).ino, ino);
});

test('[H6] a missing file, or one that is not a regular file, is not taken', async () => {
  using folder = new ScratchFolder();
  const taken = join(folder.path, 'taken');
  await assert.rejects(takeFile(join(folder.workDir, 'no'), taken), { code: 'render.output_missing' });
  writeFileSync(join(folder.workDir, 'empty'), '');
  await assert.rejects(takeFile(join(folder.workDir, 'empty'), taken), { code: 'render.output_missing' });
});
