import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownTexts } from '../../build/shown-texts.ts';
import { sourceFiles } from '../source-files.ts';

/** Folders whose texts are still in the code. */
const LEFT = ['studio/take', 'studio/captions'];

test('every text that the studio shows is in src/studio/texts, so that a translation replaces one folder', () => {
  const files = sourceFiles()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('studio/') && !path.startsWith('studio/texts/'))
    .filter((path) => !LEFT.some((folder) => path === folder || path.startsWith(`${folder}/`)));
  const stray = files.flatMap((path) =>
    shownTexts(`src/${path}`)
      .filter(({ isFault }) => !isFault)
      .map(({ line, text }) => `${path}:${line}  ${text}`),
  );
  assert.deepEqual(stray, []);
});
