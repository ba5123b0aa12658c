import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { BUILT } from '../../src/platform/program-files.ts';
import { ScratchFolder } from '../cli/tiercut.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const clone = new ScratchFolder();

after(() => clone[Symbol.dispose]());

/** A clone with an older build, as after a change of its sources. */
before(() => {
  for (const part of ['src', 'build', 'packages', 'examples', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, part), clone.in(part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), clone.in('node_modules'));
  mkdirSync(clone.in('built'));
  cpSync(BUILT, clone.in('built/older'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('older', clone.in('built/current'));
  appendFileSync(clone.in('src/errors.ts'), '// changed\n');
  chmodSync(clone.path, 0o755);
});

async function run(args: readonly string[], user: { readonly uid?: number; readonly gid?: number } = {}) {
  const program = spawn(process.execPath, [clone.in('build/run.ts'), ...args], {
    cwd: clone.path,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const ended = once(program, 'exit');
  const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr)]);
  const [status] = await ended;
  return { status, stdout, stderr };
}

const builds = () => readdirSync(clone.in('built')).sort();
const current = () => realpathSync(clone.in('built/current'));

test('sources that have changed are built once, also by two processes at the same time; an older build stays for who runs it', async () => {
  const before = current();
  const ends = await Promise.all([run(['--version']), run(['--version'])]);
  for (const end of ends) assert.deepEqual(end, { status: 0, stdout: `${version}\n`, stderr: '' });
  const made = current();
  assert.notEqual(made, before);
  assert.deepEqual(
    builds().filter((name) => !made.endsWith(name)),
    ['current', 'older'],
  );
  const { ino, mtimeMs } = statSync(join(made, 'main.js'));
  assert.equal((await run(['--version'])).status, 0);
  assert.deepEqual([current(), statSync(join(made, 'main.js')).ino], [made, ino]);
  assert.equal(statSync(join(made, 'main.js')).mtimeMs, mtimeMs);
});

test('a stack names the lines of the sources', async () => {
  const file = clone.in('src/cli/command-line/product-version.ts');
  const lines = readFileSync(file, 'utf8').split('\n').length;
  appendFileSync(file, "throw new TypeError('a bug');\n");
  const { status, stderr } = await run(['--version']);
  assert.equal(status, 1);
  assert.ok(stderr.includes(`${file}:${lines}:7`), stderr);
});

test('sources with an error are not built, and nothing older runs in their place', async () => {
  const [folders, last] = [builds(), current()];
  appendFileSync(clone.in('src/errors.ts'), 'const = 1;\n');
  const { status, stdout, stderr } = await run(['--version']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /src\/errors\.ts:\d+:6: ERROR: Expected identifier/);
  assert.deepEqual([builds(), current()], [folders, last]);
});

test('a clone that cannot be written runs its last build, and says so', async () => {
  cpSync(join(ROOT, 'src'), clone.in('src'), { recursive: true });
  assert.equal((await run(['--version'])).status, 0);
  appendFileSync(clone.in('src/errors.ts'), '// changed again\n');
  chmodSync(clone.in('built'), 0o555);
  const last = current();
  const { status, stdout, stderr } = await run(
    ['--version'],
    process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {},
  );
  chmodSync(clone.in('built'), 0o755);
  assert.deepEqual([status, stdout], [0, `${version}\n`]);
  assert.match(stderr, /^The sources have changed and cannot be built, so the last build runs: EACCES/);
  assert.equal(current(), last);
});
