import assert from 'node:assert/strict';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildStudioInto, studioFiles } from '../../../src/http/pages/studio-build.ts';
import type { Manifest } from '../../../src/http/pages/studio-files.ts';
import { cloneCache } from '../../../src/platform/clone-cache.ts';
import { FIELD_DESCRIPTIONS } from '../../../src/timeline/field-descriptions.ts';
import { ScratchFolder } from '../../cli/tiercut.ts';
import { serve } from '../serve.ts';
import { FIRST_LOAD, importedBy, wireBytes } from './first-load.ts';

/** Services in tests use the same build. */
const studio = studioFiles(cloneCache('studio'));

test('/ redirects to the studio; its files are named by their content and cached permanently, its page is revalidated', async (t) => {
  await studio;
  const service = await serve(t, { apiKeys: [{ tenant: 'ann', key: 'a-secret-of-anns' }] });
  const home = await fetch(`${service.base}/`, { redirect: 'manual' });
  assert.deepEqual([home.status, home.headers.get('location')], [302, '/studio']);
  const page = await fetch(`${service.base}/studio`);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const policy = page.headers.get('content-security-policy')!;
  for (const rule of ["font-src 'self'", "worker-src 'self'", "require-trusted-types-for 'script'"]) {
    assert.ok(policy.includes(rule), rule);
  }
  assert.doesNotMatch(policy, /unsafe-|\*/);
  const text = await page.text();
  assert.doesNotMatch(text, / style="|<style|<script>|a-secret-of-anns/);
  const loaded = [...text.matchAll(/\/assets\/studio\/[\w.-]+/g)].map(([path]) => path);
  assert.ok(loaded.length >= 2);
  for (const path of loaded) {
    assert.match(path, /-[A-Z0-9]{8}\.(js|css)$/);
    const reply = await fetch(service.base + path);
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(reply.headers.get('content-type')!, /^text\/(javascript|css)/);
  }
  assert.equal((await fetch(`${service.base}/assets/studio/manifest.json`)).status, 404);
  assert.equal((await fetch(`${service.base}/assets/studio/..%2f..%2fpackage.json`)).status, 404);
});

test('the studio is built once for the same sources, again after a change, and in advance for read-only installs', async () => {
  using folder = new ScratchFolder();
  const cache = folder.in('studio');
  await studio;
  // Compressed files are reused by name: to compress all of them again takes seconds.
  await cp(cloneCache('studio')!, cache, { recursive: true });
  await buildStudioInto(cache);
  const ahead = await readManifest();
  assert.deepEqual(ahead.inputs, {}, 'what was built ahead is never compared with sources');
  const { main } = ahead.entries;
  const { entries, files } = await studioFiles(cache);
  assert.deepEqual(entries, ahead.entries);
  assert.deepEqual(
    (await readdir(cache)).sort(),
    [...[...files.keys()].flatMap((name) => [name, `${name}.br`]), 'manifest.json'].sort(),
  );
  const built = await readManifest();
  assert.ok(Object.keys(built.inputs).length > 100);
  await writeFile(join(cache, main!), 'from the folder');
  assert.equal((await studioFiles(cache)).files.get(main!)?.bytes.toString(), 'from the folder');
  const changed = { ...built, inputs: { ...built.inputs, 'src/studio/main.tsx': 'of another day' } };
  await writeFile(join(cache, 'manifest.json'), JSON.stringify(changed));
  assert.notEqual((await studioFiles(cache)).files.get(main!)?.bytes.toString(), 'from the folder');

  async function readManifest() {
    return JSON.parse(await readFile(join(cache, 'manifest.json'), 'utf8')) as Manifest;
  }
});

test('a first visit loads only what it shows: page and style within 80 kB, with planning and drawing within 170', async () => {
  const built = await studio;
  const page = wireBytes(built, 'main', 'studio');
  const posters = [...built.files].filter(([name]) => name.endsWith('.webp')).map(([, { bytes }]) => bytes.length);
  assert.equal(posters.length, 1);
  const shown = wireBytes(built, ...FIRST_LOAD) + posters.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(page > 40_000 && page < 80_000, `page and style: ${page} bytes`);
  assert.ok(shown > page + 40_000 && shown < 170_000, `until the preview is drawn: ${shown} bytes`);
  // What reads clips is by far the largest part, and a board of pictures needs none of it.
  assert.ok(wireBytes(built, 'strips-worker') > 120_000);
});

test('workers and the first load contain no field descriptions; the inspector loads them', async () => {
  const built = await studio;
  const textOf = (...names: readonly string[]) =>
    [...importedBy(built, ...names)].map((name) => built.files.get(name)!.bytes.toString()).join('\n');
  const descriptions = [...new Set(Object.values(FIELD_DESCRIPTIONS).flatMap((fields) => Object.values(fields)))];
  // The openings are enough: some descriptions are put together from parts, or have characters that the bundler escapes.
  const within = (text: string) => descriptions.filter((description) => text.includes(description.slice(0, 19)));
  assert.ok(descriptions.length > 40);
  assert.deepEqual(within(textOf('panel')), descriptions);
  const workers = Object.keys(built.entries).filter((name) => name.endsWith('-worker'));
  assert.ok(workers.includes('plan-worker'), `${workers}`);
  for (const name of ['main', ...workers]) assert.deepEqual(within(textOf(name)), [], name);
  // Nor what prints schemas, nor zod's own messages.
  const unused = /json-schema\.org|Invalid input: expected/;
  assert.match(textOf('panel'), unused);
  for (const name of workers) assert.doesNotMatch(textOf(name), unused, name);
});
