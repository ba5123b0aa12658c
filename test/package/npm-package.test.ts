import assert from 'node:assert/strict';
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { launchBrowser, noBrowser } from '../browser/chromium.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { filesBelow } from '../service/service-fixture.ts';
import { sourceFiles } from '../source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = new ScratchFolder();
const files: string[] = [];
let whyNot = '';

after(() => folder[Symbol.dispose]());

/** npm by the Node it came with, which need not be ours. */
function npm(cwd: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const env = {
    ...process.env,
    PATH: PATH.split(':')
      .filter((path) => !path.includes('node_modules'))
      .join(':'),
  };
  return spawnSync('npm', args, { cwd, env, encoding: 'utf8' });
}

before(() => {
  if (npm(ROOT, '--version').status !== 0) {
    whyNot = 'there is no npm here';
    return;
  }
  const packed = npm(ROOT, 'pack', '--json', '--pack-destination', folder.path);
  assert.equal(packed.status, 0, packed.stderr);
  const [tarball] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  files.push(...tarball.files.map(({ path }: { path: string }) => path));
  // Installed dependencies are linked: npm then fetches nothing, and removes those that only we need.
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), folder.in('node_modules')]);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const installed = npm(folder.path, 'install', ...options, `./${tarball.filename}`);
  if (installed.status === 0) return;
  assert.match(installed.stderr, /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network/, installed.stderr);
  whyNot = 'npm has neither a network nor a cache of all dependencies here';
});

/** As its user starts it: with whatever Node npm runs on. */
const LAUNCHER = 'node_modules/.bin/tiercut';

test('the package, installed into an empty folder, renders its example', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const example = join('node_modules', 'tiercut', 'examples', 'snacks', 'project.json');
  const project = JSON.parse(readFileSync(folder.in(example), 'utf8'));
  // Small, so that it does not take long; the media stay where they are.
  project.settings = { ...project.settings, width: 320, height: 180, quality: 'draft' };
  // Lines of Thai end by a list of words, which must have come along; its licence, too.
  project.tier_list.title = 'จัดอันดับขนม';
  assert.ok(files.includes('dist/paint/layout/words/lists/LICENSE'));
  assert.ok(files.includes('dist/schemas/project.json'));
  for (const field of Object.keys(project.media)) project.media[field] = join(example, '..', project.media[field]);
  folder.file('project.json', project);
  const run = spawnSync(LAUNCHER, ['render', 'project.json', '-o', 'out.mp4'], { cwd: folder.path, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^out\.mp4: 0:08 of video/);
  const probed = spawnSync(LAUNCHER, ['probe', 'out.mp4', '--json'], { cwd: folder.path, encoding: 'utf8' });
  const { video, audio } = JSON.parse(probed.stdout);
  assert.deepEqual([video.codec, video.frames, audio.codec], ['h264', 240, 'aac']);
});

test('the package has the license and the bill of materials of each package it needs', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const textOf = (file: string) => readFileSync(folder.in(`node_modules/tiercut/dist/${file}`), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const licenses = textOf('THIRD-PARTY-LICENSES.txt');
  const bom = JSON.parse(textOf('sbom.cdx.json'));
  const listed: string[] = bom.components.map(({ name }: { name: string }) => name);
  assert.equal(bom.bomFormat, 'CycloneDX');
  // Those that are installed, those that the studio is bundled from, and fonts; not the tools.
  for (const name of [...Object.keys(dependencies), 'preact', 'mediabunny', 'hls.js', '@expo-google-fonts/anton']) {
    assert.match(licenses, new RegExp(`^${name} \\d`, 'm'));
    assert.ok(listed.includes(name), name);
  }
  for (const tool of ['typescript', '@biomejs/biome']) assert.ok(!listed.includes(tool), tool);
});

/** A user who may read the package but not write to it, if this user can become another one. */
const SOMEBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test('a read-only install serves pages and the studio, renders in the jail, and exits cleanly', async (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const home = folder.in('home');
  mkdirSync(join(home, 'data'), { recursive: true });
  if (SOMEBODY.uid !== undefined) {
    chmodSync(folder.path, 0o755);
    for (const path of [home, join(home, 'data')]) chownSync(path, SOMEBODY.uid, SOMEBODY.gid);
  }
  const installed = filesBelow(folder.in('node_modules'), '').length;
  const env = { ...process.env, HOME: home, PORT: '0', TIERCUT_LOG_LEVEL: 'silent', TIERCUT_PRERENDER: 'selected' };
  const stdio: StdioOptions = ['ignore', 'inherit', 'pipe'];
  const service = spawn(folder.in(LAUNCHER), ['serve'], { cwd: home, env, stdio, ...SOMEBODY });
  const ended = once(service, 'exit');
  try {
    const [line] = (await once(createInterface(service.stderr!), 'line')) as [string];
    const url = line.match(/http:\S+/)![0];
    const textOf = async (path: string) => {
      const reply = await fetch(url + path);
      assert.equal(reply.status, 200, path);
      return reply.text();
    };
    for (const page of [
      '/docs',
      '/docs/errors',
      '/docs/api',
      '/docs/guides/shorts',
      '/docs/search.json',
      '/docs/looks/sizes.jpg',
      '/docs/clients/javascript',
      '/assets/style.css',
      '/assets/fonts.json',
    ])
      await textOf(page);
    const studio = await textOf('/studio');
    for (const [path] of studio.matchAll(/\/assets\/[\w/.-]+/g)) await textOf(path);
    if (noBrowser === false) await openStudio(`${url}/studio`);
    const form = new FormData();
    form.set('tier_list', JSON.stringify({ title: 'จัดอันดับขนม 順位 🍿', rows: [], items: [] }));
    form.set('timeline_data', JSON.stringify({ subtitles: [{ text: 'Hi', start: 0, duration: 1 }] }));
    form.set('settings', JSON.stringify({ width: 160, height: 90, quality: 'draft' }));
    const video = await fetch(`${url}/video/exports`, { method: 'POST', body: form, headers: { accept: 'video/mp4' } });
    assert.deepEqual([video.status, video.headers.get('content-type')], [201, 'video/mp4']);
    assert.equal(Buffer.from(await video.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
  } finally {
    service.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
  // No code, compiled or not: neither beside the package, nor in the home, nor in the data folder.
  assert.equal(filesBelow(folder.in('node_modules'), '').length, installed);
  assert.deepEqual(readdirSync(home), ['data']);
  const written = filesBelow(home, '').filter((path) => !/^data\/(blobs\/|tiercut\.db)/.test(path));
  assert.deepEqual(written, ['data/lock', 'data/reserve']);
});

async function openStudio(address: string): Promise<void> {
  await using held = new AsyncDisposableStack();
  const browser = held.adopt(await launchBrowser(), (each) => each.close());
  const page = await browser.newPage();
  const faults: unknown[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await page.goto(address);
  await page.locator('.top').waitFor();
  assert.deepEqual(faults, []);
}

test('the package contains its built programs, and no build tools', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const built = filesBelow(folder.in('node_modules/tiercut/dist'), '');
  const programs = ['main', 'planning-thread', 'jail-main', 'child-main', 'svg-worker', 'aac-worker'];
  assert.deepEqual(
    programs.filter((name) => !built.includes(`${name}.js`)),
    [],
  );
  const bundler = built.filter(
    (path) =>
      path.endsWith('.js') && /esbuild/.test(readFileSync(folder.in(`node_modules/tiercut/dist/${path}`), 'utf8')),
  );
  assert.deepEqual(bundler, []);
  assert.equal(existsSync(folder.in('node_modules/esbuild')), false);
});

test('files that only developers need are not part of the package', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(folder.in('node_modules/.package-lock.json'), 'utf8'));
  const there = (names: object) => Object.keys(names).filter((name) => `node_modules/${name}` in packages);
  assert.deepEqual(there(dependencies), Object.keys(dependencies));
  const needed = Object.values(packages as Record<string, { dependencies?: object }>).flatMap((one) =>
    Object.keys(one.dependencies ?? {}),
  );
  assert.deepEqual(
    there(devDependencies).filter((name) => !needed.includes(name)),
    [],
  );
  assert.deepEqual(
    files.filter((path) => /\.ts$|^(test|bench|src|build)\//.test(path)),
    [],
  );
});

test('the installed package has no ip (CVE-2024-29415), and nothing else that node-av would install', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  const { packages } = JSON.parse(readFileSync(folder.in('node_modules/.package-lock.json'), 'utf8'));
  const unwanted = /(^|\/)node_modules\/(ip|werift[^/]*|node-av|unzipper)$/;
  assert.deepEqual(
    Object.keys(packages).filter((path) => unwanted.test(path)),
    [],
  );
  for (const name of ['ip', 'werift', 'node-av']) {
    assert.equal(existsSync(folder.in(`node_modules/${name}`)), false, name);
  }
});

test('no module is started by the name of its source, because the built file has another name', () => {
  const named = sourceFiles().flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => /\.ts'/.test(line) && !/\bfrom '|\bimport\(?\s*'|endsWith\(/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assert.deepEqual(named, [], 'besideModule finds either');
});
