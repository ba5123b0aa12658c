import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page as Tab } from 'playwright-core';
import { fontCoverage } from '../../src/paint/fonts/font-coverage.ts';
import { FONT_FILES } from '../../src/paint/fonts/font-files.ts';
import { WORD_FILES } from '../../src/paint/fonts/word-files.ts';
import { SPACELESS_SCRIPTS } from '../../src/paint/layout/words/spaceless-text.ts';
import { flattenedBoard } from '../../src/paint/pixels/flattened-board.ts';
import { createSkiaMeasure } from '../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { boardEffects } from '../../src/plan/frame/frame-at.ts';
import type { PaintedPicture } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { plainTheme } from '../../src/plan/place/plan-theme.ts';
import { frames } from '../../src/time.ts';
import { CAPTION_STYLES, THEMES, TITLE_KINDS } from '../../src/timeline/choices.ts';
import { onCanvas } from '../paint/golden.ts';
import { SENTENCES } from '../paint/layout/declaration-of-rights.ts';
import { SamplePictures } from '../paint/sample-pictures.ts';
import { samplePlan, sampleScene, sampleSubtitle } from '../paint/sample-plan.ts';
import { plan as planned } from '../request-builder.ts';
import { browserBundle } from './browser-bundle.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { layoutsOf } from './layouts-of.ts';
import type { Page, PagePainting } from './page-program.ts';
import { ssim } from './ssim.ts';

const LANDSCAPE = { width: 960, height: 540 };
const PORTRAIT = { width: 540, height: 960 };
const SQUARE = { width: 640, height: 640 };

/** The edges of letters differ by a tone curve; a misplaced element costs far more. */
const BOARD_SSIM = 0.996;
/** Nothing but letters. */
const TEXT_SSIM = 0.994;

describe('boards and subtitles in Chromium look like the server’s', { skip: noBrowser }, () => {
  const pictures = new SamplePictures(12);
  const served = new Map([
    ...pictures.files,
    ...WORD_FILES,
    ...FONT_FILES.map(({ path }, index) => [`font${index}`, path] as const),
  ]);
  const server = createServer((request, response) => {
    const path = served.get(request.url!.slice(1));
    response.setHeader('content-type', path === undefined ? 'text/html' : 'application/octet-stream');
    if (path === undefined) response.end('<!doctype html>');
    else createReadStream(path).pipe(response);
  });
  let browser: Browser;
  let tab: Tab;

  before(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await launchBrowser();
    tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.addScriptTag({ content: (await browserBundle()).script });
    const fonts = FONT_FILES.map(({ family }, index) => ({ family, url: `/font${index}` }));
    await tab.evaluate(
      ([loaded, coverage]) => (globalThis as unknown as { page: Page }).page.loadFonts(loaded, coverage),
      [fonts, fontCoverage()] as const,
    );
    const lists = SPACELESS_SCRIPTS.map((script) => ({ script, url: `/${script}` }));
    await tab.evaluate((loaded) => (globalThis as unknown as { page: Page }).page.loadWords(loaded), lists);
  });

  after(async () => {
    await browser?.close();
    server.close();
    pictures[Symbol.dispose]();
  });

  function paintThere(painting: PagePainting): ReturnType<Page['paint']> {
    return tab.evaluate((order) => (globalThis as unknown as { page: Page }).page.paint(order), painting);
  }

  async function looksAlike(plan: RenderPlan, { frame = 299, least = BOARD_SSIM } = {}): Promise<void> {
    const painter = await SkiaPainter.create({ plan, files: pictures.files });
    const here = [
      ...plan.painted.board.map((window) => {
        const painting = painter.paint('board', window, frames(frame));
        return painting && flattenedBoard(painting, 'board', boardEffects(plan, window, frames(frame)).dim);
      }),
      ...plan.painted.title.map((title) => painter.paint('title', title, frames(frame))?.still ?? null),
      ...plan.painted.subtitle.map((subtitle) => painter.paint('subtitle', subtitle, frames(frame))?.still ?? null),
    ];
    const { pictures: painted } = await paintThere({ plan, frame });
    const there = painted.map(
      (one): PaintedPicture | null => one && { rect: one.rect, rgba: Buffer.from(one.base64, 'base64') },
    );
    assert.deepEqual(
      there.map((one) => one?.rect),
      here.map((one) => one?.rect),
    );
    const alike = ssim(onCanvas(plan.canvas, here), onCanvas(plan.canvas, there));
    assert.ok(alike >= least, `SSIM ${alike}`);
  }

  const list = sampleScene([3, 6, 5, 4, 2], { pool: 3, nameCard: (item) => item % 6 === 4 });

  test('[R11] one list in the three presets', async () => {
    for (const canvas of [LANDSCAPE, PORTRAIT, SQUARE]) await looksAlike(samplePlan(canvas, list));
  });

  test('[R11] many items, many rows', async () => {
    await looksAlike(samplePlan(LANDSCAPE, sampleScene([20, 30, 40, 20, 10])));
    await looksAlike(samplePlan(LANDSCAPE, sampleScene([4, 60, 3, 0, 5, 2, 1])));
  });

  test('[R11] labels that wrap, names on cards', async () => {
    const labels = ['Absolute masterpieces of their time', 'Good', 'Unfortunately-quite-disappointing'];
    await looksAlike(samplePlan(LANDSCAPE, sampleScene([4, 6, 3], { labels, pictures: 0 })));
  });

  test('[R13] reveals in the middle of their motion', async () => {
    for (const reveal of ['pop', 'spotlight', 'slam'] as const) {
      const reveals = [{ item: 1, at: frames(100) }];
      const frame = { pop: 105, spotlight: 145, slam: 109 }[reveal];
      await looksAlike(samplePlan(LANDSCAPE, sampleScene([4, 5], { reveal, reveals })), { frame });
    }
    const move = { item: 7, style: 'move', at: frames(100), to: { row: 0, index: 1 } } as const;
    await looksAlike(samplePlan(LANDSCAPE, sampleScene([4, 5], { reveals: [move], counter: true })), { frame: 115 });
  });

  test('[C55] confetti in the three presets', async () => {
    const reveals = [{ item: 5, at: frames(100), confetti: 7 }];
    for (const canvas of [LANDSCAPE, PORTRAIT, SQUARE]) {
      await looksAlike(samplePlan(canvas, sampleScene([4, 5, 3], { reveal: 'pop', reveals })), { frame: 125 });
    }
  });

  test('[R14] subtitles in all scripts', async () => {
    const texts = [
      'Latin: Zażółć gęślą jaźń · Ελληνικά: καλημέρα · Кириллица: привет',
      '日本語の字幕は「禁則処理」を守ります。简体中文也可以,한국어도 됩니다.',
      'العربية: هذا نص طويل مع كلمات English في الوسط (123).',
      'עברית: זה משפט עם English ומספרים 42!',
      'Emoji: 👩‍👩‍👧‍👦 👩‍🚀 👍🏽 ❤️‍🔥',
    ];
    const background = { color: '#000000', alpha: 0.6 };
    const subtitles = texts.map((text, index) =>
      sampleSubtitle(text, LANDSCAPE, {
        sizePx: 30,
        rect: { x: 60, y: index * 108 + 5, width: 840, height: 98 },
        background: index % 2 === 0 ? null : background,
      }),
    );
    await looksAlike(samplePlan(LANDSCAPE, null, subtitles), { least: TEXT_SSIM });
  });

  test('[C60, C62] titles in every kind, captions in every style with a word lit', async () => {
    const text = 'This one is it';
    const words = text.split(' ').map((word, at) => ({ text: word, start: at }));
    const kinds = TITLE_KINDS.map((kind) => ({
      titles: [{ kind, text, subtext: 'From S to F', start: 0, duration: 4 }],
    }));
    const styles = CAPTION_STYLES.map((style) => ({ subtitles: [{ text, words, style, start: 0, duration: 4 }] }));
    for (const [at, timeline_data] of [...kinds, ...styles].entries()) {
      const settings = { theme: THEMES[at % THEMES.length] };
      await looksAlike(planned({ tier_list: {}, timeline_data, settings }, {}, 'portrait'), { frame: 61 });
    }
  });

  test('[R14] scripts without spaces break at the same words, and where they must', async () => {
    const texts = [
      'ภาษาไทยไม่มีช่องว่างระหว่างคำ จึงต้องใช้พจนานุกรมเพื่อตัดบรรทัดให้ถูกต้อง',
      'ພາສາລາວບໍ່ມີຍະຫວ່າງລະຫວ່າງຄໍາ ດັ່ງນັ້ນຕ້ອງໃຊ້ວັດຈະນານຸກົມ',
      'ភាសាខ្មែរមិនមានចន្លោះរវាងពាក្យទេ ដូច្នេះត្រូវការវចនានុក្រម',
      'မြန်မာဘာသာစကားတွင် စာလုံးများကြားတွင် နေရာလွတ်မရှိပါ',
      '最高のゲームのランクを決めるティアリスト、スーパーウルトラハイパーミラクルロマンチック',
    ];
    const subtitles = texts.map((text, index) =>
      sampleSubtitle(text, LANDSCAPE, { sizePx: 26, rect: { x: 60, y: index * 108 + 2, width: 330, height: 104 } }),
    );
    await looksAlike(samplePlan(LANDSCAPE, null, subtitles), { least: TEXT_SSIM });
  });

  test('[C46] [C47] cards of every shape and uncropped pictures, in every theme', async () => {
    const shapes = ['square', 'portrait', 'landscape', 'landscape'] as const;
    for (const [index, name] of (['midnight', 'paper', 'neon', 'broadcast'] as const).entries()) {
      const card = { shape: shapes[index]!, names: 'always' as const };
      const fit = (item: number) => (item % 2 === 0 ? 'contain' : 'cover');
      const plan = samplePlan(LANDSCAPE, sampleScene([3, 4, 2], { card, fit, nameCard: (item) => item === 3 }));
      await looksAlike({ ...plan, theme: plainTheme(name) });
    }
  });

  test("[R11] [R14] every position equals the server's to a thousandth of a pixel, in three presets and with 500 items", async () => {
    const many = sampleScene([120, 90, 110, 80, 40, 40], {
      pool: 20,
      counter: true,
      nameCard: (item) => item % 3 === 0,
    });
    const wordy = sampleScene([4, 6, 3], { labels: ['Absolute masterpieces of their time', 'Good', 'Überbewertet'] });
    const spaceless = sampleScene([4, 4, 4, 4], {
      labels: SPACELESS_SCRIPTS.map((script) => SENTENCES[script][5]!.slice(0, 40)),
    });
    const subtitles = (canvas: typeof LANDSCAPE) => [
      sampleSubtitle(
        '日本語の字幕は「禁則処理」を守ります。한국어도 됩니다, and the rest is long enough to wrap.',
        canvas,
      ),
      // With our word lists: the browser's own segmenter was removed.
      ...SPACELESS_SCRIPTS.map((script) => sampleSubtitle(SENTENCES[script].join(' '), canvas)),
      sampleSubtitle('One word after the other', canvas, {
        background: { color: '#000000', alpha: 0.6 },
        words: [0, 4, 9].map((from) => ({ from, to: from + 3, at: frames(from) })),
      }),
    ];
    for (const canvas of [LANDSCAPE, PORTRAIT, SQUARE]) {
      for (const scene of [list, many, wordy, spaceless]) {
        const plan = samplePlan(canvas, scene, subtitles(canvas));
        const there = await tab.evaluate((sent) => (globalThis as unknown as { page: Page }).page.layouts(sent), plan);
        const here = JSON.stringify(layoutsOf(plan, createSkiaMeasure(plan.theme.font)));
        assert.ok(numbersIn(JSON.parse(here)) > 100);
        assertNear(JSON.parse(there), JSON.parse(here), 0.001);
      }
    }
  });

  test('[R14] a character that no shipped font has gives a warning in the browser too', async () => {
    const plan = samplePlan(LANDSCAPE, null, [sampleSubtitle('not ꦗ fine', LANDSCAPE)]);
    assert.deepEqual((await paintThere({ plan, frame: 0 })).warnings, ['paint.glyph_missing']);
  });
});

/** Compares data, with a tolerance for numbers. */
function assertNear(found: unknown, expected: unknown, most: number, path = ''): void {
  if (typeof expected === 'number') {
    assert.ok(Math.abs((found as number) - expected) <= most, `${path}: ${found} instead of ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(found as object), Object.keys(expected), path);
    for (const [key, value] of Object.entries(expected)) {
      assertNear((found as Readonly<Record<string, unknown>>)[key], value, most, `${path}/${key}`);
    }
  } else assert.equal(found, expected, path);
}

function numbersIn(value: unknown): number {
  if (typeof value === 'number') return 1;
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + numbersIn(inner), 0)
    : 0;
}
