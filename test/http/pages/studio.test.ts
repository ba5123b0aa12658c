import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStudio } from '../../../src/http/pages/studio-page.ts';
import { FIELD_WORDS, type Words } from '../../../src/timeline/field-words.ts';
import { serve } from '../serve.ts';
import { FIRST_LOAD, importedBy, wireBytes } from './first-load.ts';

const studio = loadStudio();

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

test('late parts that need no schemas are one file, found by the dynamic imports of the page', async () => {
  const { entries } = await studio;
  // Each has a file of its own because it is by far larger.
  const apart = ['panel', 'project-files', 'read-copied', 'read-wire-project'];
  assert.deepEqual(
    apart.filter((name) => entries[name] === undefined),
    [],
  );
  for (const name of ['export-panel', 'take-view', 'layout-menu']) assert.equal(entries[name], undefined, name);
  const text = (await studio).files.get(entries['late-parts']!)!.bytes.toString();
  for (const part of ['ExportPanel', 'TakeView', 'LayoutMenu']) assert.match(text, new RegExp(`as ${part}\\b`));
});

test('a first visit loads only what it shows: page and style within 80 kB, with planning and drawing within 180', async () => {
  const built = await studio;
  const page = wireBytes(built, 'main', 'studio');
  const posters = [...built.files].filter(([name]) => name.endsWith('.webp')).map(([, { bytes }]) => bytes.length);
  assert.equal(posters.length, 1);
  const shown = wireBytes(built, ...FIRST_LOAD) + posters.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(page > 40_000 && page < 80_000, `page and style: ${page} bytes`);
  assert.ok(shown > page + 40_000 && shown < 180_000, `until the preview is drawn: ${shown} bytes`);
  // What reads clips is by far the largest part, and a board of pictures needs none of it.
  assert.ok(wireBytes(built, 'strips-worker') > 120_000);
});

test('workers and the first load contain no field descriptions; the inspector loads them', async () => {
  const built = await studio;
  const textOf = (...names: readonly string[]) =>
    [...importedBy(built, ...names)].map((name) => built.files.get(name)!.bytes.toString()).join('\n');
  const words = Object.values(FIELD_WORDS).flatMap((fields) => Object.values<Words>(fields));
  // The openings of some are in other texts too.
  const descriptions = [...new Set(words.map(([, text]) => text))].filter((text) => text.length > 30);
  // The openings are enough: some descriptions are put together from parts, or have characters that the bundler escapes.
  const within = (text: string) => descriptions.filter((description) => text.includes(description.slice(0, 19)));
  assert.ok(descriptions.length > 40);
  assert.deepEqual(within(textOf('panel')), descriptions);
  const workers = Object.keys(built.entries).filter((name) => name.endsWith('-worker'));
  assert.ok(workers.includes('plan-worker'), `${workers}`);
  for (const name of ['main', ...workers]) assert.deepEqual(within(textOf(name)), [], name);
  // Nor what prints schemas, nor zod's own messages.
  const unused = /json-schema\.org|Invalid input: expected/;
  for (const name of ['panel', ...workers]) assert.doesNotMatch(textOf(name), unused, name);
});
