import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layoutSubtitle, wordBoxes } from '../../src/paint/layout/text/subtitle-layout.ts';
import { faceFor, fontAt } from '../../src/paint/layout/text/typeface.ts';
import { SPACELESS_SCRIPTS } from '../../src/paint/layout/words/spaceless-text.ts';
import { createSkiaMeasure, createSkiaSurface } from '../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import type { SubtitleLayer } from '../../src/plan/model/painted-layers.ts';
import { frames } from '../../src/time.ts';
import { CAPTION_STYLES } from '../../src/timeline/choices.ts';
import { plan } from '../request-builder.ts';
import { assertLooksLike, onCanvas } from './golden.ts';
import { SENTENCES } from './layout/declaration-of-rights.ts';
import { samplePlan, sampleSubtitle } from './sample-plan.ts';

const CANVAS = { width: 960, height: 540 };
const PLATE = { color: '#000000', alpha: 0.6 };
const measure = createSkiaMeasure();

/** Subtitles one under the other in boxes of their own, against the picture of that name. */
async function looksLike(
  name: string,
  subtitles: readonly (readonly [string, Partial<SubtitleLayer>])[],
): Promise<void> {
  const height = Math.floor(CANVAS.height / subtitles.length);
  const layers = subtitles.map(([text, change], index) =>
    sampleSubtitle(text, CANVAS, {
      sizePx: 30,
      rect: { x: 60, y: index * height + 5, width: 840, height: height - 10 },
      ...change,
    }),
  );
  const plan = samplePlan(CANVAS, null, layers);
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  assert.deepEqual(painter.warnings, []);
  await assertLooksLike(
    name,
    onCanvas(
      CANVAS,
      layers.map((layer) => painter.paint('subtitle', layer, frames(0))),
    ),
  );
}

describe('subtitles as they look', () => {
  test('[R14] all scripts', () =>
    looksLike('subtitles-scripts', [
      ['Latin: Zażółć gęślą jaźń, Tiếng Việt · Ελληνικά: καλημέρα · Кириллица: привет', {}],
      ['日本語の字幕は「禁則処理」を守ります。简体中文也可以,한국어도 됩니다.', {}],
      ['العربية: هذا نص طويل مع كلمات English في الوسط (123).', {}],
      ['עברית: זה משפט עם English ומספרים 42!', {}],
      ['Emoji: 👩‍👩‍👧‍👦 👩‍🚀 🇩🇪🇫🇷 👍🏽 1️⃣ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 · हिन्दी', { background: PLATE }],
    ]));

  test('[C23] letters stand apart by their spacing, except where a script joins them', () =>
    looksLike('subtitles-letter-spacing', [
      ['Apart, in the middle', { letterSpacing: 0.3, background: PLATE }],
      ['Apart, at the right', { letterSpacing: 0.3, align: 'right', background: PLATE }],
      ['Close, at the left', { letterSpacing: -0.06, align: 'left', background: PLATE }],
      ['עברית 42', { letterSpacing: 0.3, background: PLATE }],
      ['العربية', { letterSpacing: 0.3, background: PLATE }],
    ]));

  test('[C23] spacing makes a line wider by as much for each letter, and moves the words that light up', () => {
    const laidOut = (text: string, letterSpacing: number) => {
      const subtitle = sampleSubtitle(text, CANVAS, { letterSpacing, words: [{ from: 5, to: 9, at: frames(0) }] });
      const layout = layoutSubtitle(subtitle, measure)!;
      const [box] = wordBoxes(subtitle, layout, measure);
      const { widthPx, sizePx } = layout.block;
      return { widthPx, sizePx, box: box! };
    };
    const [plain, apart] = [laidOut('Two, four', 0), laidOut('Two, four', 0.5)];
    assert.ok(Math.abs(apart.widthPx - plain.widthPx - 9 * 0.5 * plain.sizePx) < 0.1 * plain.sizePx);
    assert.ok(Math.abs(apart.box.width - plain.box.width - 4 * 0.5 * plain.sizePx) < 0.1 * plain.sizePx);
    // The space after the last letter does not count: the middle stays in the middle.
    const middle = CANVAS.width / 2;
    const left = middle - (apart.widthPx - 0.5 * apart.sizePx) / 2;
    assert.ok(Math.abs(apart.box.x + apart.box.width - 0.5 * apart.sizePx - (2 * middle - left)) < 1);
    assert.equal(laidOut('هذا نص طويل', 0.5).widthPx, laidOut('هذا نص طويل', 0).widthPx);
  });

  test('[R14] emoji are joined, at any position in a line', () =>
    looksLike('subtitles-joined-emoji', [
      ['🏳️‍🌈 first, ❤️‍🔥 within, last ❤️‍🩹', { align: 'left' }],
      ['👩‍🚀 👩‍❤️‍👨 🏴‍☠️ 👁️‍🗨️ ⛓️‍💥 ⛹️‍♀️ 🧑🏽‍⚕️', { align: 'center' }],
      ['all at the right ❤️‍🔥🏳️‍🌈🏳️‍⚧️', { align: 'right', background: PLATE }],
    ]));

  test('[C43, R44] spoken words light up: words before, the active word, words after', () => {
    const from = frames(0);
    const later = frames(9);
    const words = (text: string, spoken: number) => {
      let at = 0;
      return text.split(' ').map((word, index) => {
        const begin = text.indexOf(word, at);
        at = begin + word.length;
        return { from: begin, to: at, at: index < spoken ? from : later };
      });
    };
    const english = 'And this one goes all the way up to the top of the list';
    const hebrew = 'זה משפט עם ארבע מילים';
    return looksLike('subtitles-words', [
      [english, { words: words(english, 4) }],
      [english, { words: words(english, 9), background: PLATE, sizePx: 44 }],
      [hebrew, { words: words(hebrew, 2), align: 'right' }],
    ]);
  });

  test('[C23] each alignment, with and without a plate', () =>
    looksLike(
      'subtitles-alignment',
      (['left', 'center', 'right'] as const).flatMap((align) => [
        [`Aligned to the ${align},\nin two lines`, { align }] as const,
        [`Aligned to the ${align}, on a plate`, { align, background: PLATE }] as const,
      ]),
    ));

  test('[R14] too much text shrinks, then grows upward; a long word breaks', () =>
    looksLike('subtitles-overflow', [
      ['', {}],
      [`Grows upward: ${'so much to say and so little room to say it in '.repeat(9)}`, { background: PLATE }],
      [`${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)}`, {}],
    ]));

  test('[C23] colours: white on white and black on black stay readable', () =>
    looksLike('subtitles-colors', [
      ['White without a plate, half of it on a light ground', { color: '#ffffff' }],
      ['Black without a plate, half of it on a dark ground', { color: '#000000' }],
      ['Yellow on deep blue', { color: '#ffd400', background: { color: '#0b1d51', alpha: 0.9 } }],
      ['A plate that is not there is no plate', { background: { color: '#ff0000', alpha: 0 } }],
    ]));
});

describe('subtitles as they are laid out', () => {
  const layout = (text: string, change: Partial<SubtitleLayer> = {}) =>
    layoutSubtitle(sampleSubtitle(text, { width: 1920, height: 1080 }, change), measure)!;

  test('[C23] a short text has the requested size and is at the bottom of its box', () => {
    const { block, text } = layout('Hello');
    assert.equal(block.sizePx, 48);
    assert.equal(text.y + text.height, 842 + 173);
  });

  test('[R14] shrinks to no less than 60 %, and only as far as needed', () => {
    const fits = layout('word '.repeat(60));
    assert.ok(fits.block.sizePx < 48 && fits.block.sizePx > 48 * 0.6, `${fits.block.sizePx}`);
    assert.ok(fits.text.height <= 173);
    const over = layout('word '.repeat(300));
    assert.ok(Math.abs(over.block.sizePx - 48 * 0.6) < 1e-9);
    assert.ok(over.text.y < 842, 'it has grown upward');
    assert.equal(over.text.y + over.text.height, 842 + 173, 'from the same foot');
  });

  test('[R14] a word too long for the line shrinks instead of breaking', () => {
    const rect = { x: 0, y: 0, width: 500, height: 200 };
    const { block } = layout('Rindfleischetikettierung', { rect });
    assert.deepEqual(
      block.lines.map((line) => line.text),
      ['Rindfleischetikettierung'],
    );
    assert.ok(block.sizePx < 48 && block.widthPx <= 500);
  });

  test('[R14] every line is as wide as Skia draws it, within the box', () => {
    for (const text of [
      'مرحبا بالعالم '.repeat(12),
      '漢字かな交じり文。'.repeat(12),
      'A quick brown fox '.repeat(12),
    ]) {
      const { block } = layout(text, { background: PLATE });
      for (const line of block.lines) {
        assert.ok(Math.abs(measure(line.text, block.face) - line.width) < 0.05, 'the sum of parts is the whole');
        assert.ok(line.width * block.sizePx <= 1536);
      }
    }
  });

  test('[R14] lines do not overlap, even in scripts with stacked marks', () => {
    const context = createSkiaSurface(1, 1).bitmap.getContext('2d');
    for (const script of SPACELESS_SCRIPTS) {
      const { block } = layout(SENTENCES[script].join(' '));
      assert.ok(block.lines.length > 5);
      context.font = fontAt(block.face, block.sizePx);
      const ink = block.lines.map(({ text }) => context.measureText(text));
      for (const [at, { actualBoundingBoxAscent }] of ink.entries()) {
        const above = ink[at - 1]?.actualBoundingBoxDescent ?? 0;
        assert.ok(above + actualBoundingBoxAscent <= block.linePx, `${script}: “${block.lines[at]!.text}”`);
      }
    }
  });

  test('[R14] a joined emoji is as wide as one', () => {
    for (const emoji of ['❤️‍🔥', '🏳️‍🌈', '❤️‍🩹', '⛓️‍💥', '👩‍🚀', '👨‍👩‍👧', '🇩🇪', '1️⃣']) {
      assert.equal(measure(emoji, faceFor(emoji, 'strong')), measure('🟦', faceFor('🟦', 'strong')), emoji);
    }
  });

  test('a blank text draws nothing', () => {
    assert.equal(layoutSubtitle(sampleSubtitle(' \n ', CANVAS), measure), null);
  });
});

test('[C62] captions in a style have at most two lines, in every format', () => {
  const spoken = [
    'what your country can do for you, ask what you can do for your country.',
    'We choose to go to the moon in this decade and do the other things,',
    'good or for evil in the superlative degree of comparison only.',
  ];
  const subtitles = spoken.map((text, n) => ({ text, start: 5 * n, duration: 5 }));
  for (const style of CAPTION_STYLES.filter((name) => name !== 'plain')) {
    for (const preset of ['portrait', 'square', 'landscape']) {
      const settings = { subtitle_style: style };
      const { painted } = plan({ tier_list: {}, timeline_data: { subtitles }, settings }, {}, preset);
      for (const page of painted.subtitle) {
        const { lines } = layoutSubtitle(page, measure)!.block;
        assert.ok(lines.length <= 2, `${style} in ${preset}: ${lines.map(({ text }) => text).join(' / ')}`);
      }
    }
  }
});
