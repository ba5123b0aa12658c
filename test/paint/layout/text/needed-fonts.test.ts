import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFontCoverage } from '../../../../src/paint/fonts/font-coverage.ts';
import { FONT_FILES } from '../../../../src/paint/fonts/font-files.ts';
import { neededFonts, textsIn } from '../../../../src/paint/layout/text/glyph-coverage.ts';
import { FAMILY, inRole } from '../../../../src/paint/layout/text/typeface.ts';

const FONTS = FONT_FILES.map(({ family, path }) => ({ family, coverage: readFontCoverage(path) }));
const ROLE_FAMILIES = [FAMILY.display, FAMILY.strong, FAMILY.text];

function beyondRoles(...texts: string[]): string[] {
  const needed = neededFonts(texts, FONTS);
  assert.deepEqual(needed.slice(0, ROLE_FAMILIES.length), ROLE_FAMILIES);
  return needed.slice(ROLE_FAMILIES.length);
}

/** A script's letters are as heavy as those of the role that they are set in. */
function weightsOf(family: string): string[] {
  return (['display', 'strong', 'text'] as const).map((role) => inRole(family, role));
}

test('[R14] a page loads only the fonts that its texts use', () => {
  assert.deepEqual(beyondRoles('Snacks, ranked', 'Ελληνικά', 'привет', 'नमस्ते', 'Zażółć · naïve “quoted” …'), []);
  assert.deepEqual(beyondRoles('שלום'), weightsOf(FAMILY.hebrew));
  assert.deepEqual(beyondRoles('かな漢字'), [FAMILY.japanese]);
  assert.deepEqual(beyondRoles('汉字'), [FAMILY.chinese]);
  assert.deepEqual(beyondRoles('한국어'), [FAMILY.korean]);
  assert.deepEqual(beyondRoles('👩‍🚀'), [FAMILY.emoji]);
  assert.deepEqual(beyondRoles('ไทย', 'עברית'), [...weightsOf(FAMILY.thai), ...weightsOf(FAMILY.hebrew)]);
});

test('texts are found in every field', () => {
  assert.deepEqual([...textsIn({ a: ['x', { b: 'y', c: 3 }], d: null, e: 'x' })], ['x', 'y']);
});
