import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { EXAMPLE_REQUEST } from '../../src/http/openapi/form-body.ts';
import { sumOf } from '../exports/media/put-media.ts';
import { PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

/** Where `.ci/generators` has installed them. */
const INSTALLED = process.env.TIERCUT_TEST_GENERATORS;
const skip = INSTALLED === undefined && 'TIERCUT_TEST_GENERATORS names no folder; .ci/generators makes one';
const PROGRAMS = join(import.meta.dirname, 'generated');
const { tier_list, timeline_data, settings } = EXAMPLE_REQUEST;
/** Their types of bodies have the names of the document. */
const NAMED_TYPES = ['swagger-typescript-api', 'oazapfts'];
const FIELDS = tier_list.items.map(({ file_field }) => file_field);

let folder: string;
let service: ServiceFixture;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'tiercut-generated-'));
  symlinkSync(join(INSTALLED!, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  for (const [file, query] of [
    ['openapi.json', ''],
    ['form.json', '?body=form'],
    ['json.json', '?body=json'],
  ] as const) {
    writeFileSync(join(folder, file), await (await fetch(`${service.base}/openapi.json${query}`)).text());
  }
  for (const name of [...['openapi-typescript', 'openapi-fetch', 'hey-api', 'hey-api-json'], ...NAMED_TYPES, 'orval']) {
    mkdirSync(join(folder, name));
    cpSync(join(PROGRAMS, `${name.replace('-json', '')}.ts.txt`), join(folder, name, 'program.ts'));
  }
  for (const name of ['orval', 'openapi-fetch']) cpSync(join(PROGRAMS, 'form.ts.txt'), join(folder, name, 'form.ts'));
});
after(async () => {
  if (skip) return;
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string, ...args: string[]): void {
  const path = join(folder, 'node_modules', '.bin', program);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}

function compile(name: string, ...more: string[]): void {
  const options = ['--strict', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', ...more];
  run('tsc', ...options, '--module', 'esnext', '--moduleResolution', 'bundler', join(name, 'program.ts'));
}

const PICTURE_BYTES = readFileSync(PICTURE.file);
const PICTURE_SHA256 = sumOf(PICTURE.file);
const FILES = Object.fromEntries(FIELDS.map((field) => [field, new Blob([PICTURE_BYTES])]));

/** Runs a compiled program's function against the service: an export with these media must be accepted. */
async function createWith(program: string, media: object = FILES): Promise<void> {
  const { create } = (await import(join(folder, program))) as {
    create(base: string, body: object): Promise<{ readonly export_id: string; readonly state: string }>;
  };
  // Orval has no base address: its program puts one in front of every request.
  const { fetch } = globalThis;
  const made = await create(service.base, { tier_list, timeline_data, settings, ...media });
  globalThis.fetch = fetch;
  assert.match(made.export_id ?? JSON.stringify(made), /^[0-9a-f-]{36}$/);
  assert.equal((await fetch(`${service.base}/video/exports/${made.export_id}`, { method: 'DELETE' })).status, 204);
}

test('[C31] openapi-typescript: creates with files and by reference have types', { skip }, () => {
  run('openapi-typescript', 'openapi.json', '-o', 'openapi-typescript/types.ts');
  compile('openapi-typescript', '--noEmit');
});

test('[C31] @hey-api/openapi-ts: the generated client sends files', { skip }, async () => {
  run('openapi-ts', '-i', 'form.json', '-o', 'hey-api/client', '-c', '@hey-api/client-fetch');
  compile('hey-api', '--outDir', 'built/hey-api', '--rootDir', 'hey-api');
  await createWith(bundled('built/hey-api/program.js'));
});

test('[C31, C67] @hey-api/openapi-ts: the generated client sends JSON', { skip }, async () => {
  run('openapi-ts', '-i', 'json.json', '-o', 'hey-api-json/client', '-c', '@hey-api/client-fetch');
  compile('hey-api-json', '--outDir', 'built/hey-api-json', '--rootDir', 'hey-api-json');
  const media = await fetch(`${service.base}/media/${PICTURE_SHA256}`, { method: 'PUT', body: PICTURE_BYTES });
  assert.ok(media.ok, await media.text());
  const media_refs = Object.fromEntries(FIELDS.map((field) => [field, PICTURE_SHA256]));
  await createWith(bundled('built/hey-api-json/program.js'), { media_refs });
});

test('[C31] Orval: with a form function of our own, the generated client sends files', { skip }, async () => {
  const output = {
    target: './orval/api.ts',
    client: 'fetch',
    override: { formData: { path: './orval/form.ts', name: 'toForm' } },
  };
  const config = `module.exports = ${JSON.stringify({ tiercut: { input: './form.json', output } })};`;
  writeFileSync(join(folder, 'orval.config.cjs'), config);
  run('orval', '--config', 'orval.config.cjs');
  compile('orval', '--outDir', 'built/orval', '--rootDir', 'orval');
  await createWith(bundled('built/orval/program.js'));
});

test('[C31] openapi-fetch: with a form function of our own, a client with generated types sends files', {
  skip,
}, async () => {
  run('openapi-typescript', 'form.json', '-o', 'openapi-fetch/types.ts');
  compile('openapi-fetch', '--outDir', 'built/openapi-fetch', '--rootDir', 'openapi-fetch');
  await createWith(bundled('built/openapi-fetch/program.js'));
});

test('[C31] swagger-typescript-api: the generated client sends files', { skip }, async () => {
  run('swagger-typescript-api', 'generate', '-p', 'form.json', '-o', 'swagger-typescript-api', '-n', 'api.ts');
  compile('swagger-typescript-api', '--outDir', 'built/swagger', '--rootDir', 'swagger-typescript-api');
  await createWith(bundled('built/swagger/program.js'));
});

test('[C31] oazapfts: the generated client sends files', { skip }, async () => {
  run('oazapfts', 'form.json', 'oazapfts/api.ts');
  compile('oazapfts', '--outDir', 'built/oazapfts', '--rootDir', 'oazapfts');
  await createWith(bundled('built/oazapfts/program.js'));
});

/** Generated code imports its files without their endings: one file of all of them. */
function bundled(program: string): string {
  const esbuild = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'esbuild');
  const out = program.replace('program.js', 'bundle.mjs');
  const args = [program, '--bundle', '--platform=node', '--format=esm', `--outfile=${out}`];
  const { status, stderr } = spawnSync(esbuild, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return out;
}
