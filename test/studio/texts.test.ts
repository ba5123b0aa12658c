import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shownTexts } from '../../build/shown-texts.ts';
import { sourceFiles } from '../source-files.ts';

test('every text that the studio shows is in src/studio/texts, so that a translation replaces one folder', () => {
  const files = sourceFiles()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('studio/') && !path.startsWith('studio/texts/'));
  const stray = files.flatMap((path) =>
    shownTexts(`src/${path}`)
      .filter(({ isFault }) => !isFault)
      .map(({ line, text }) => `${path}:${line}  ${text}`),
  );
  assert.deepEqual(stray, []);
});

test('every text in src/studio/texts is shown by some part', () => {
  const files = sourceFiles().filter(({ path }) => path.startsWith('studio/'));
  const shown = new Set(files.flatMap(({ text }) => usedTexts(text)));
  const written = files
    .filter(({ path }) => path.startsWith('studio/texts/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => `${path.split('/').at(-1)} ${name}`),
    );
  assert.ok(written.length > 400);
  assert.deepEqual(
    written.filter((name) => !shown.has(name)),
    [],
  );
});

test('no style and no query of the studio selects by a text that a translation replaces', () => {
  const files = globSync('src/studio/**/*.{css,ts,tsx}');
  assert.ok(files.some((path) => path.endsWith('.css')));
  const byText = files.filter((path) => /\[(?:aria-label|title|placeholder|alt)\W?=/.test(readFileSync(path, 'utf8')));
  assert.deepEqual(byText, []);
});

/** `page.ts close`, for each text that a source file uses. */
function usedTexts(source: string): string[] {
  const imported = source.matchAll(/^import (?:\* as (\w+)|\{ (.*) \}) from '[./]+texts\/en\/([\w-]+\.ts)'/gm);
  return [...imported].flatMap(([, alias, names, file]) => {
    const used =
      names?.split(', ') ?? [...source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map(([, name]) => name);
    return used.map((name) => `${file} ${name}`);
  });
}
