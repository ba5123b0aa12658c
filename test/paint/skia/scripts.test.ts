import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fontCoverage, readFontCoverage } from '../../../src/paint/fonts/font-coverage.ts';
import { FONT_FILES } from '../../../src/paint/fonts/font-files.ts';
import { missingGlyphs } from '../../../src/paint/layout/text/glyph-coverage.ts';
import { faceFor, fontAt, type TextRole } from '../../../src/paint/layout/text/typeface.ts';
import { createSkiaMeasure, createSkiaSurface } from '../../../src/paint/skia/skia.ts';

/** “Ranking”, or a similar word, in a language of the script. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Thai: 'จัดอันดับ',
  Khmer: 'ចំណាត់ថ្នាក់',
  Lao: 'ການຈັດອັນດັບ',
  Myanmar: 'အဆင့်သတ်မှတ်ချက်',
  Bengali: 'র‍্যাঙ্কিং',
  Tamil: 'தரவரிசை',
  Telugu: 'ర్యాంకింగ్',
  Kannada: 'ಶ್ರೇಯಾಂಕ',
  Malayalam: 'റാങ്കിംഗ്',
  Gujarati: 'રેન્કિંગ',
  Gurmukhi: 'ਦਰਜਾਬੰਦੀ',
  Sinhala: 'ශ්‍රේණිගත කිරීම',
  Georgian: 'რეიტინგი',
  Armenian: 'վարկանիշ',
  Ethiopic: 'ደረጃ',
  Tibetan: 'རིམ་པ',
  Devanagari: 'श्रेणी',
  Arabic: 'التصنيف',
  Hebrew: 'דירוג',
  Japanese: 'ランキング',
  Korean: '순위',
  Chinese: '排名',
  Symbols: '✓ ☆ ⚔ ♜ ⌘ ⏏ ⮕ 🄰',
};

for (const [script, word] of Object.entries(SCRIPTS)) {
  test(`[R14] ${script} is drawn without missing glyphs`, () => {
    assert.deepEqual(missingGlyphs(word, fontCoverage), []);
    const measure = createSkiaMeasure();
    const face = faceFor(word, 'strong');
    assert.ok(measure(word, face) > 0);
    const { bitmap, context } = createSkiaSurface(600, 80);
    const drawn = (text: string) => {
      context.clearRect(0, 0, 600, 80);
      context.font = `40px ${face.families}`;
      context.fillText(text, 10, 55);
      return Buffer.from(bitmap.getContext('2d').getImageData(0, 0, 600, 80).data);
    };
    const boxes = '\u{e000}'.repeat([...word].length);
    assert.ok(!drawn(word).equals(drawn(boxes)));
  });
}

test('[R14] a text with any single character of a shipped font uses a family that has it', () => {
  const byFamily = new Map(
    FONT_FILES.map(({ family, path }) => {
      const has = new Uint8Array(0x11_0000);
      for (const [first, last] of readFontCoverage(path)) has.fill(1, first, last + 1);
      return [family, has];
    }),
  );
  const lost: string[] = [];
  for (const [first, last] of fontCoverage()) {
    for (let code = Math.max(first, 0x20); code <= last; code += 1) {
      if (code === 0x7f) continue;
      const { names } = faceFor(String.fromCodePoint(code), 'strong');
      if (!names.some((name) => byFamily.get(name)![code] === 1)) lost.push(code.toString(16));
    }
  }
  assert.deepEqual(lost, []);
});

test('[R14] fonts are loaded when a text needs them: a plain text needs one', () => {
  assert.deepEqual(faceFor('Everything, ranked – “S” to F …', 'display').names, ['Tiercut Display']);
  assert.ok(!faceFor('ランキング', 'text').names.some((name) => name.startsWith('Tiercut Thai')));
});

test('[R14] labels, subtitles and names have the same weight in every script as in Latin', () => {
  for (const role of ['display', 'strong', 'text'] as const) {
    const latin = strokeWidth('Ranking', role);
    for (const [script, word] of Object.entries(SCRIPTS)) {
      if (script === 'Symbols') continue;
      const ratio = strokeWidth(word, role) / latin;
      assert.ok(ratio > 0.75 && ratio < 1.2, `${script} is ${ratio.toFixed(2)} as heavy in ${role}`);
    }
  }
});

test('[R14] all weights of a script have the same characters, so coverage can be read from any of them', () => {
  const firsts = new Map<string, string>();
  for (const { family, path, role } of FONT_FILES) {
    if (role === undefined) continue;
    const script = family.slice(0, family.lastIndexOf(' '));
    const coverage = JSON.stringify(readFontCoverage(path));
    assert.equal(coverage, firsts.get(script) ?? coverage, family);
    firsts.set(script, coverage);
  }
  assert.equal(firsts.size, 19);
});

/** How thick the strokes of a word are at 100 px, in pixels: twice its ink by the length of its outline. */
function strokeWidth(word: string, role: TextRole): number {
  const face = faceFor(word, role);
  const [width, height] = [Math.ceil(createSkiaMeasure()(word, face) * 100) + 80, 240];
  const { bitmap } = createSkiaSurface(width, height);
  const context = bitmap.getContext('2d');
  context.font = fontAt(face, 100);
  context.fillText(word, 40, 140);
  const { data } = context.getImageData(0, 0, width, height);
  const alpha = (x: number, y: number) => data[(y * width + x) * 4 + 3]! / 255;
  let ink = 0;
  let outline = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      ink += alpha(x, y);
      outline += Math.hypot(alpha(x + 1, y) - alpha(x - 1, y), alpha(x, y + 1) - alpha(x, y - 1)) / 2;
    }
  }
  return (2 * ink) / outline;
}
