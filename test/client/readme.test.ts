import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { WAIT_SECONDS } from '../within.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', 'packages', 'client');
const EXAMPLES = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(
  ([, code]) => code!,
);

/** The expected output of each example, line by line. */
const SAID: readonly (readonly RegExp[])[] = [
  [/^\d+ %$/m, /^100 %\nthere it is$/m],
  [/^hashing \d+ of \d+$/m, /^sending (\d+) of \1$/m, /^video 128 72$/m, /^\[ 'Better\.mp4', 'Good\.mp4' \]$/m],
  [/^frame 45 of 60$/m],
  [/^completed \[ 1, 1, 1 \]$/m, /^\/settings\/fps field\.range fps must be a number from 1 to 60, not 1000\.$/m],
  [/^$/],
  [/^batch\.completed 4 made, 1 failed\nLate fetch\.\w+\nbatch\.completed 5 made\n$/],
  [/^1$/m],
];

/** The machine's own Node, if it is a supported version: users run that, not ours. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((path) => !path.includes('node_modules'))
  .join(':');
const own = spawnSync('node', ['-p', 'process.versions.node'], { env: { PATH }, encoding: 'utf8' });
const NODE = own.status === 0 && Number.parseInt(own.stdout, 10) >= 20 ? 'node' : process.execPath;

const SECRET = `whsec_${Buffer.from('the secret of the README').toString('base64')}`;
const folder = new ScratchFolder();
let service: ServiceFixture | undefined;
let whyNot = '';

before(async () => {
  const npm = (cwd: string, ...args: string[]) =>
    spawnSync('npm', args, { cwd, env: { ...process.env, PATH }, encoding: 'utf8' });
  const packed = npm(PACKAGE, 'pack', '--json', '--pack-destination', folder.path);
  if (packed.error !== undefined) {
    whyNot = 'there is no npm here';
    return;
  }
  assert.equal(packed.status, 0, packed.stderr);
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  assert.ok(files.some(({ path }: { path: string }) => path === 'dist/client.d.ts'));
  // Its one dependency is linked, so that npm fetches nothing.
  cpSync(join(PACKAGE, '..', '..', 'node_modules', '@noble'), folder.in('node_modules/@noble'), { recursive: true });
  const installed = npm(folder.path, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  assert.equal(installed.status, 0, installed.stderr);
  copyFileSync(CLIP.file, folder.in('clip.mp4'));
  copyFileSync(PICTURE.file, folder.in('chips.png'));
  service = await ServiceFixture.start({ TIERCUT_PRIVATE_ADDRESSES: 'on', TIERCUT_WEBHOOK_SECRET: SECRET });
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

for (const [i, code] of EXAMPLES.entries()) {
  test(`example ${i + 1} of the client's README does what it says`, async (t) => {
    if (whyNot !== '') return t.skip(whyNot);
    folder.file(`example-${i}.mjs`, code.replaceAll('http://127.0.0.1:8080', service!.base));
    const env = { PATH, WEBHOOK_SECRET: SECRET };
    const run = spawn(NODE, [`example-${i}.mjs`], { cwd: folder.path, env, timeout: WAIT_SECONDS * 1000 });
    const [said, complaints, [, signal]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'exit')]);
    assert.equal(signal, null, `it ends within ${WAIT_SECONDS} s`);
    assert.equal(complaints, '');
    for (const like of SAID[i]!) assert.match(said, like);
  });
}

test('the examples leave the files that the README names', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  assert.equal(EXAMPLES.length, SAID.length);
  assert.deepEqual([existsSync(folder.in('snacks.mp4')), existsSync(folder.in('frame.jpg'))], [true, true]);
  for (const video of ['snacks', 'Chips', 'Nuts', 'Rye', 'Oats', 'Late'])
    assert.equal(readFileSync(folder.in(`${video}.mp4`)).toString('latin1', 4, 8), 'ftyp', video);
});

test('the client and the service use the same versions of shared dependencies', () => {
  const described = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [{ dependencies }, root] = [described(PACKAGE), described(join(PACKAGE, '..', '..'))];
  // In the service's package, the dependencies of the studio are devDependencies.
  const roots = { ...root.dependencies, ...root.devDependencies };
  assert.deepEqual(
    Object.entries(dependencies),
    Object.keys(dependencies).map((name) => [name, roots[name]]),
  );
});

test('a program in TypeScript sees the types of the package', (t) => {
  if (whyNot !== '') return t.skip(whyNot);
  folder.file(
    'program.mts',
    `import { TiercutClient, type Export, TiercutError } from '@tiercut/client';
     import { fileSource } from '@tiercut/client/node';
     const client = new TiercutClient({ url: 'http://x' });
     const made: Export = await client.create({ tier_list: { rows: [], items: [] }, timeline_data: {}, media: { a: await fileSource('a') } });
     const state: 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired' = made.state;
     // @ts-expect-error a misspelt field
     await client.validate({ tier_list: {}, timeline_data: { videos: [{ file_field: 'a', sped: 2 }] } });
     // @ts-expect-error a frame is asked for by its time or by its number
     await client.frame({ tier_list: { rows: [], items: [] }, timeline_data: {} });
     if (state === 'failed') throw new TiercutError('x', made.error!.detail);`,
  );
  const root = join(PACKAGE, '..', '..');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
  const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...types, 'program.mts'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});

test('the README names every method of the client', () => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const client = new TiercutClient({ url: 'http://127.0.0.1:9' });
  const methodsOf = (object: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
  const parts = Object.entries(client).flatMap(([part, of]) => methodsOf(of).map((name) => `${part}.${name}`));
  const missing = [...methodsOf(client), ...parts].filter((name) => !readme.includes(`\`${name}(`));
  assert.ok(parts.length > 0);
  assert.deepEqual(missing, []);
});
