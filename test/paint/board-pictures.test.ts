import { after, describe, test } from 'node:test';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { boardEffects } from '../../src/plan/frame/frame-at.ts';
import type { BoardScene } from '../../src/plan/model/board-scene.ts';
import type { Rect } from '../../src/plan/model/canvas.ts';
import type { Theme } from '../../src/plan/model/theme.ts';
import { plainTheme } from '../../src/plan/place/plan-theme.ts';
import { frames } from '../../src/time.ts';
import { THEMES } from '../../src/timeline/choices.ts';
import { assertLooksLike, onCanvas } from './golden.ts';
import { SamplePictures } from './sample-pictures.ts';
import { type SampleReveal, samplePlan, sampleScene } from './sample-plan.ts';

const LANDSCAPE = { width: 960, height: 540 };
const PORTRAIT = { width: 540, height: 960 };
const SQUARE = { width: 640, height: 640 };

const pictures = new SamplePictures(12);
after(() => pictures[Symbol.dispose]());

/** The board of `scene` at `frame`, on its canvas, against the picture of that name. */
async function looksLike(
  name: string,
  canvas: { width: number; height: number },
  scene: BoardScene,
  { frame = 299, rect, theme }: { frame?: number; rect?: Rect; theme?: Theme } = {},
): Promise<void> {
  const plain = samplePlan(canvas, scene, [], rect);
  const plan = { ...plain, theme: theme ?? plain.theme };
  const painter = await SkiaPainter.create({ plan, files: pictures.files });
  const [window] = plan.painted.board;
  const { dim } = boardEffects(plan, window!, frames(frame));
  await assertLooksLike(name, onCanvas(canvas, [painter.paint('board', window!, frames(frame))], dim));
}

describe('the board', () => {
  const list = sampleScene([3, 6, 5, 4, 2], { pool: 3, nameCard: (item) => item % 6 === 4 });

  test('[R11] one list in the three presets', async () => {
    await looksLike('presets-landscape', LANDSCAPE, list);
    await looksLike('presets-portrait', PORTRAIT, list);
    await looksLike('presets-square', SQUARE, list);
  });

  test('[R11] the same list at 640×360, where letters are few pixels tall', async () => {
    await looksLike('presets-small', { width: 640, height: 360 }, list);
  });

  const whole = { fit: (item: number) => (item % 2 === 0 ? 'contain' : 'cover') } as const;

  test('[C46] cards of three shapes, pictures uncropped or filling them, names below', async () => {
    for (const [shape, canvas] of [
      ['square', SQUARE],
      ['portrait', PORTRAIT],
      ['landscape', LANDSCAPE],
    ] as const) {
      // biome-ignore format: a table
      const nameCard = (item: number) => item === 4;
      await looksLike(`cards-${shape}`, canvas, sampleScene([3, 4, 2], { ...whole, nameCard, card: { shape } }));
    }
  });

  test('[R35] pictures around their focus points, and larger, in three shapes', async () => {
    const view = (item: number) => ({ x: (item % 3) * 50, y: item < 3 ? 0 : 80, scale: 1 + (item % 2) });
    for (const [shape, canvas] of [
      ['square', SQUARE],
      ['portrait', PORTRAIT],
      ['landscape', LANDSCAPE],
    ] as const) {
      await looksLike(`focus-${shape}`, canvas, sampleScene([3, 3, 3], { ...whole, view, card: { shape } }));
    }
  });

  test('[C53] twelve rows of three are side by side with the layout auto', () =>
    looksLike(
      'rows-12x3',
      LANDSCAPE,
      sampleScene(
        Array.from({ length: 12 }, () => 3),
        { layout: 'auto' },
      ),
    ));

  test('[C47, R37] the other themes', async () => {
    const canvas = { width: 480, height: 270 };
    const scene = sampleScene([3, 4, 2], { pool: 2 });
    for (const name of THEMES.slice(1)) {
      await looksLike(`theme-${name}`, canvas, scene, { theme: plainTheme(name) });
    }
    const own = { ...plainTheme('midnight'), panel: '#203010', panelOpacity: 0.5, corner: 1, text: '#ffee88' };
    await looksLike('theme-own', canvas, scene, { theme: own });
  });

  test('[R11] 3 rows of 4 items', () => looksLike('rows-3x4', LANDSCAPE, sampleScene([4, 4, 4])));

  test('[R11] 7 rows, 60 items in one of them', () =>
    looksLike('rows-7-items-60', LANDSCAPE, sampleScene([4, 60, 3, 0, 5, 2, 1])));

  test('[R11] 500 items', () => looksLike('items-500', LANDSCAPE, sampleScene([60, 90, 120, 80, 70, 50, 30])));

  test('[R11] 50 rows', () =>
    looksLike('rows-50', { width: 1280, height: 1280 }, sampleScene(Array.from({ length: 50 }, (_, row) => row % 6))));

  test('[R11] 1 item', () => looksLike('items-1', LANDSCAPE, sampleScene([1])));

  test('[R11] no item and no row, a title alone', () => looksLike('items-0', LANDSCAPE, sampleScene([])));

  test('[R11] long labels wrap, then shrink', () =>
    looksLike(
      'labels-long',
      LANDSCAPE,
      sampleScene([4, 6, 3], {
        labels: ['Absolute masterpieces of their time', 'Good', 'Unfortunately-quite-disappointing'],
      }),
    ));

  test('[R11] rows without a label keep a stripe of their colour', () =>
    looksLike('labels-none', LANDSCAPE, sampleScene([4, 6, 3], { labels: [''] })));

  test('[R11] label text is dark on light colours and light on dark ones', () =>
    looksLike(
      'labels-contrast',
      LANDSCAPE,
      sampleScene([2, 2, 2, 2, 2, 2], { colors: ['#0b1d51', '#7a1020', '#ffffff', '#000000', '#f7d417', '#767676'] }),
    ));

  test('[R11] a long title wraps, then shrinks, and no title takes no room', async () => {
    const title =
      'Every single game I have ever finished since the autumn of 1998, ranked once and for all, with reasons given';
    await looksLike('title-long', PORTRAIT, sampleScene([3, 4], { title }));
    await looksLike('title-none', LANDSCAPE, sampleScene([3, 4], { title: '' }));
  });

  test('[R11] items in no row are in a pool, also if there are no rows', async () => {
    await looksLike('pool-large', SQUARE, sampleScene([2, 3], { pool: 17 }));
    await looksLike('pool-alone', LANDSCAPE, sampleScene([], { pool: 9 }));
  });

  test('[R12] name cards in many scripts', () =>
    looksLike(
      'names',
      LANDSCAPE,
      sampleScene([6, 6], {
        pictures: 0,
        title: 'اللوحة النهائية 🏆',
        names: [
          'Ω',
          'Ελληνικά',
          'Кириллица',
          '進撃の巨人',
          '한국어 이름',
          'مرحبا بالعالم',
          'שלום',
          '👩‍🚀🇩🇪',
          'Supercalifragilistic',
          '',
          'The Good, the Bad and the Ugly',
          '中文名字',
        ],
      }),
    ));

  test('[C21] a narrow strip, and a window that hangs off the canvas', async () => {
    await looksLike('window-strip', LANDSCAPE, list, { rect: { x: 0, y: 430, width: 960, height: 110 } });
    await looksLike('window-column', LANDSCAPE, list, { rect: { x: 820, y: 10, width: 130, height: 520 } });
    await looksLike('window-hanging', LANDSCAPE, list, { rect: { x: -200, y: 200, width: 900, height: 600 } });
  });
});

describe('reveals', () => {
  const canvas = { width: 640, height: 360 };
  /** A pop takes twelve frames. */
  const pops = { num: 240, den: 7 };

  for (const percent of [0, 25, 50, 75, 100]) {
    test(`[R13] pop at ${percent} %, another one in flight from 50 % on`, () => {
      // The second card of the first row, which has four, and the last of the second row, which gains a line.
      const reveals = [
        { item: 1, at: frames(100) },
        { item: 8, at: frames(106) },
      ];
      const scene = sampleScene([4, 5], { reveal: 'pop', reveals, rate: pops });
      return looksLike(`reveal-pop-${percent}`, canvas, scene, { frame: 100 + (12 * percent) / 100 });
    });
  }

  test('[R13] a row gains a line: cards move from line to line, the rows below make room', () => {
    const gaining = sampleScene([9, 4, 3], { reveals: [{ item: 3, at: frames(100) }], rate: { num: 2000, den: 7 } });
    return looksLike('reveal-wrapping', { width: 480, height: 480 }, gaining, { frame: 112 });
  });

  test('[R13] none: the item is visible from its frame', async () => {
    const none = sampleScene([4, 5], { reveal: 'none', reveals: [{ item: 1, at: frames(100) }] });
    await looksLike('reveal-none-before', canvas, none, { frame: 99 });
    await looksLike('reveal-none-after', canvas, none, { frame: 100 });
  });

  const shapes = {
    landscape: { width: 640, height: 360 },
    portrait: { width: 360, height: 640 },
    square: { width: 400, height: 400 },
  };
  const sixty = { num: 60, den: 1 };
  const during = { item: 5, at: frames(100) };
  const to = { row: 0, index: 1 };
  /** Frames after the event's own. */
  const moments: readonly (readonly [string, SampleReveal, number])[] = [
    ['slam-coming', { ...during, style: 'slam' }, 14],
    ['slam-hit', { ...during, style: 'slam' }, 19],
    ['confetti', { ...during, style: 'pop', confetti: 7 }, 45],
    ['move-flying', { ...during, style: 'move', to }, 36],
    ['move-landed', { ...during, style: 'move', to }, 52],
    ['spotlight-entering', { ...during, style: 'spotlight' }, 4],
    ['spotlight-held', { ...during, style: 'spotlight' }, 40],
    ['spotlight-stamping', { ...during, style: 'spotlight' }, 78],
    ['spotlight-stamped', { ...during, style: 'spotlight' }, 100],
    ['spotlight-flying', { ...during, style: 'spotlight' }, 135],
    ['spotlight-landed', { ...during, style: 'spotlight' }, 153],
  ];
  for (const [shape, size] of Object.entries(shapes)) {
    for (const [name, event, after] of moments) {
      test(`[R19, C44, C45, C55] ${name}, ${shape}`, () => {
        const reported = () => ({ score: '9/10', note: 'As good as it gets' });
        const scene = sampleScene([3, 3, 2], { reveals: [event], counter: true, reported, rate: sixty });
        return looksLike(`${name}-${shape}`, size, scene, { frame: event.at + after });
      });
    }
  }

  test('[R26, R30] a slam falls in front of a card that leaves the spotlight', () => {
    const reveals = [
      { item: 1, at: frames(100), style: 'spotlight' as const },
      { item: 5, at: frames(161), style: 'slam' as const },
    ];
    return looksLike('slam-after-spotlight', canvas, sampleScene([4, 5], { reveals }), { frame: 164 });
  });

  test('[R13] cards revealed in one frame share the spotlight', () => {
    const reveals = [1, 5, 7].map((item) => ({ item, at: frames(100) }));
    const together = sampleScene([4, 5], { reveal: 'spotlight', reveals });
    return looksLike('reveal-spotlight-three', canvas, together, { frame: 150 });
  });
});
