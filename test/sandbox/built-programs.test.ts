import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { BUILT } from '../../src/platform/program-files.ts';
import { childLimits } from '../../src/sandbox/host/child-limits.ts';
import { landlockAbi } from '../../src/sandbox/jail/landlock.ts';
import { launchRenderChild, type RenderChild } from '../../src/sandbox/render-child.ts';
import { sourceFiles } from '../source-files.ts';
import { ScratchFolder } from './scratch-folder.ts';

function start(workDir: string): Promise<RenderChild> {
  return launchRenderChild({ mode: 'auto', inputs: [], workDir, limits: childLimits(1) });
}

test('a child runs the built program', async () => {
  using folder = new ScratchFolder();
  await using child = await start(folder.workDir);
  const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
  assert.equal(
    words.find((word) => /\.[jt]s$/.test(word)),
    join(BUILT, 'child-main.js'),
  );
});

test('every program that a render child starts is bundled', () => {
  const inChild = /^(sandbox|engine|paint)\//;
  const named = sourceFiles()
    .filter(({ path }) => inChild.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/besideModule\(\s*'([^']+)'|join\(BUILT, '([\w-]+)\.js'/g)].map(
        ([, beside, built]) => `${basename((beside ?? built)!)}.js`,
      ),
    );
  assert.ok(named.length >= 4, `${named}`);
  const made = readdirSync(BUILT);
  assert.deepEqual(
    named.filter((name) => !made.includes(name)),
    [],
  );
});

test('[H2] bundled code can be read from inside but not written', async (t) => {
  if (landlockAbi() === 0) return t.skip('this kernel has no Landlock (or this is no Linux on x64 or arm64)');
  using folder = new ScratchFolder();
  const { upload: input, sibling, workDir } = folder;
  await using child = await start(workDir);
  const rows = await child.request('self_test', { input, sibling, outside: BUILT, workDir, lent: sibling });
  assert.equal(rows.find(({ name }) => name === 'write outside the work folder')?.outcome, 'EACCES');
});

test('an error in a bundled program is reported with its position in the sources', async () => {
  using folder = new ScratchFolder();
  await using child = await start(folder.workDir);
  // A bug, as it were: without a plan there is nothing to read a frame from.
  const failed = await child
    .request('render_still', { out: join(folder.workDir, 'a.png') } as never)
    .catch((error: unknown) => error);
  assert.ok(failed instanceof ExportError && failed.code === 'render.failed');
  const reported = String((failed.cause as Error).message ?? failed.cause);
  assert.match(reported, /file:\S+\/src\/sandbox\/child\/whole-plan\.ts:\d+:\d+/);
  assert.doesNotMatch(reported, /\/built\//);
});
