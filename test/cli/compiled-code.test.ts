import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { compiledChildren } from '../../src/cli/render/compiled-code.ts';

const home = process.env.HOME;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiercut-home-'));
  process.env.HOME = folder;
});
after(async () => {
  process.env.HOME = home;
  await rm(folder, { recursive: true });
});

test('compiled code of children is kept in the home, where nobody else can write, and made once', async () => {
  const first = await compiledChildren();
  assert(first !== undefined);
  assert(first.startsWith(join(folder, '.cache', 'tiercut')));
  assert((await readdir(first, { recursive: true })).length > 100);
  const [children, ours] = [dirname(first), dirname(dirname(first))];
  assert.equal((await stat(ours)).mode & 0o077, 0);
  const note = join(children, (await readdir(children)).find((name) => name.endsWith('.json'))!);
  const made = (await stat(note)).mtimeMs;
  assert.equal(await compiledChildren(), first);
  assert.equal((await stat(note)).mtimeMs, made);
  // What others could have put there is not executed.
  await chmod(ours, 0o777);
  assert.equal(await compiledChildren(), undefined);
});

test('without a home to write to there is none', async () => {
  process.env.HOME = join(folder, 'nowhere');
  assert.equal(await compiledChildren(), undefined);
});
