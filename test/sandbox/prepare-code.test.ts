import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { childLimits } from '../../src/sandbox/host/child-limits.ts';
import { landlockAbi } from '../../src/sandbox/jail/landlock.ts';
import { prepareCode } from '../../src/sandbox/prepare-code.ts';
import { launchRenderChild, type RenderChild } from '../../src/sandbox/render-child.ts';
import { sourceFiles } from '../source-files.ts';
import { codeDir as ready } from '../warm-children.ts';
import { ScratchFolder } from './scratch-folder.ts';

function startWith(codeDir: string | undefined, workDir: string): Promise<RenderChild> {
  return launchRenderChild({ mode: 'auto', inputs: [], workDir, limits: childLimits(1), codeDir });
}

/** The file that a child runs. */
function programOf(child: RenderChild): string {
  const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
  return words.find((word) => /\.[jt]s$/.test(word))!;
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-code-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('code is bundled once, also by two processes at the same time, and again when one of its sources changes', async (t) => {
  const folder = join(temporary(t), 'code');
  const [one, two] = await Promise.all([prepareCode(folder), prepareCode(folder)]);
  assert.equal(one, two);
  const entries = readdirSync(folder);
  assert.equal(entries.length, 2, `what is ready, and a note about it: ${entries}`);
  const note = join(folder, entries.find((name) => name.endsWith('.json'))!);
  const noted = readFileSync(note, 'utf8');
  utimesSync(note, 1, 1);
  assert.equal(await prepareCode(folder), one);
  assert.equal(statSync(note).mtimeMs, 1000, 'nothing was made');

  const { name, inputs }: { name: string; inputs: [string, string][] } = JSON.parse(noted);
  for (const file of [
    'src/engine/sound/aac-worker.ts',
    'src/sandbox/bundle-programs.ts',
    'node-av/dist/lib/frame.js',
  ]) {
    assert.ok(
      inputs.some(([path]) => path.endsWith(file)),
      `${file} is one of the files it was made of`,
    );
  }
  // Files of one archive may share their times of change; the times when they were unpacked differ.
  for (const [path, state] of inputs) assert.ok(state.includes(String(statSync(path).ctimeMs)), `${path}: ${state}`);
  const changed = inputs.map(([path, state], at) => (at === 5 ? [path, `${state}0`] : [path, state]));
  writeFileSync(note, JSON.stringify({ name, inputs: changed }));
  assert.equal(await prepareCode(folder), one, 'the same files make the same');
  assert.equal(readFileSync(note, 'utf8'), noted);
});

test('if nothing can be written there is no bundle, and children run the sources', async (t) => {
  const file = join(temporary(t), 'file');
  writeFileSync(file, '');
  const codeDir = await prepareCode(join(file, 'code'));
  assert.equal(codeDir, undefined);
  using folder = new ScratchFolder();
  await using child = await startWith(codeDir, folder.workDir);
  assert.match(programOf(child), /src\/sandbox\/child\/child-main\.ts$/);
});

test('a child runs the bundled program, and the source if the bundle is gone', async (t) => {
  const codeDir = join(temporary(t), 'code');
  cpSync(ready!, codeDir, { recursive: true });
  using folder = new ScratchFolder();
  {
    await using child = await startWith(codeDir, folder.workDir);
    assert.equal(programOf(child), join(codeDir, 'programs', 'child-main.js'));
  }
  rmSync(join(codeDir, 'programs'), { recursive: true });
  await using child = await startWith(codeDir, folder.workDir);
  assert.match(programOf(child), /src\/sandbox\/child\/child-main\.ts$/);
});

test('every program that a render child starts is bundled', () => {
  const inChild = /^(sandbox\/(host|child)|engine|paint)\//;
  const named = sourceFiles()
    .filter(({ path }) => inChild.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/besideModule\(\s*'([^']+)'/g)].map(([, name]) => `${basename(name!)}.js`),
    );
  assert.ok(named.length >= 3, `${named}`);
  const made = readdirSync(join(ready!, 'programs'));
  assert.deepEqual(
    [...named, 'child-main.js'].filter((name) => !made.includes(name)),
    [],
  );
});

test('[H2] bundled code can be read from inside but not written', async (t) => {
  if (landlockAbi() === 0) return t.skip('this kernel has no Landlock (or this is no Linux on x64 or arm64)');
  using folder = new ScratchFolder();
  const { upload: input, sibling, workDir } = folder;
  await using child = await startWith(ready, workDir);
  const rows = await child.request('self_test', { input, sibling, outside: ready!, workDir, lent: sibling });
  assert.equal(rows.find(({ name }) => name === 'write outside the work folder')?.outcome, 'EACCES');
});

test('an error in a bundled program is reported with its position in the sources', async () => {
  using folder = new ScratchFolder();
  await using child = await startWith(ready, folder.workDir);
  // A bug, as it were: without a plan there is nothing to read a frame from.
  const failed = await child
    .request('render_still', { out: join(folder.workDir, 'a.png') } as never)
    .catch((error: unknown) => error);
  assert.ok(failed instanceof ExportError && failed.code === 'render.failed');
  const reported = String((failed.cause as Error).message ?? failed.cause);
  assert.match(reported, /file:\S+\/src\/sandbox\/child\/whole-plan\.ts:\d+:\d+/);
  assert.doesNotMatch(reported, /programs/);
});
