import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFontCoverage } from '../../../../src/paint/fonts/font-coverage.ts';
import { FONT_FILES } from '../../../../src/paint/fonts/font-files.ts';
import { neededFonts, textsIn } from '../../../../src/paint/layout/text/glyph-coverage.ts';
import { FAMILY, inVoice } from '../../../../src/paint/layout/text/typeface.ts';

const FONTS = FONT_FILES.map(({ family, path }) => ({ family, coverage: readFontCoverage(path) }));
const VOICES = [FAMILY.display, FAMILY.strong, FAMILY.text];

function beyondVoices(...texts: string[]): string[] {
  const needed = neededFonts(texts, FONTS);
  assert.deepEqual(needed.slice(0, VOICES.length), VOICES);
  return needed.slice(VOICES.length);
}

/** A script's letters are as heavy as those of the voice that they are set in. */
function weightsOf(family: string): string[] {
  return (['display', 'strong', 'text'] as const).map((voice) => inVoice(family, voice));
}

test('[R14] a page loads only the fonts that its texts use', () => {
  assert.deepEqual(beyondVoices('Snacks, ranked', 'Ελληνικά', 'привет', 'नमस्ते', 'Zażółć · naïve “quoted” …'), []);
  assert.deepEqual(beyondVoices('שלום'), weightsOf(FAMILY.hebrew));
  assert.deepEqual(beyondVoices('かな漢字'), [FAMILY.japanese]);
  assert.deepEqual(beyondVoices('汉字'), [FAMILY.chinese]);
  assert.deepEqual(beyondVoices('한국어'), [FAMILY.korean]);
  assert.deepEqual(beyondVoices('👩‍🚀'), [FAMILY.emoji]);
  assert.deepEqual(beyondVoices('ไทย', 'עברית'), [...weightsOf(FAMILY.thai), ...weightsOf(FAMILY.hebrew)]);
});

test('texts are found in every field', () => {
  assert.deepEqual([...textsIn({ a: ['x', { b: 'y', c: 3 }], d: null, e: 'x' })], ['x', 'y']);
});
