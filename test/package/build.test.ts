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
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { BUILT } from '../../src/platform/program-files.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { endWithMe } from '../service/end-with-me.ts';

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
  // The build of a studio waits for a file.
  const gate = JSON.stringify(clone.in('studio-may-be-built'));
  const wait = `while (!(await import('node:fs')).existsSync(${gate})) await new Promise((go) => setTimeout(go, 20));\n`;
  writeFileSync(clone.in('build/build-studio.ts'), wait + readFileSync(clone.in('build/build-studio.ts'), 'utf8'));
  chmodSync(clone.path, 0o755);
});

function start(args: readonly string[], user: { readonly uid?: number; readonly gid?: number } = {}) {
  const program = spawn(process.execPath, [clone.in('build/run.ts'), ...args], {
    cwd: clone.path,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', TIERCUT_DATA_DIR: clone.in('data') },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  endWithMe(program);
  return program;
}

async function run(...how: Parameters<typeof start>) {
  const program = start(...how);
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

test('a service is there before its studio, which is built meanwhile', async () => {
  const service = start(['serve']);
  const ended = once(service, 'exit');
  let base: string | undefined;
  for await (const line of createInterface(service.stderr)) {
    base = / is at (\S+)$/.exec(line)?.[1];
    if (base !== undefined) break;
  }
  assert.equal((await fetch(`${base}/healthz`)).status, 200);
  const visit = fetch(`${base}/studio`);
  writeFileSync(clone.in('studio-may-be-built'), '');
  const page = await visit;
  assert.equal(page.status, 200);
  const [, script] = /<script src="([^"]+)"/.exec(await page.text()) ?? [];
  assert.equal((await fetch(new URL(script!, base))).status, 200);
  service.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('a studio with an error ends the service that waits for it, with the place of the error', async () => {
  const file = clone.in('src/studio/main.tsx');
  const before = readFileSync(file);
  appendFileSync(file, 'const = 1;\n');
  const { status, stderr } = await run(['serve']);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /src\/studio\/main\.tsx:\d+:6: ERROR: Expected identifier/);
  writeFileSync(file, before);
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
