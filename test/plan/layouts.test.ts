import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutSubtitle } from '../../src/paint/layout/text/subtitle-layout.ts';
import { layoutTitle } from '../../src/paint/layout/text/title-layout.ts';
import { createSkiaMeasure } from '../../src/paint/skia/skia.ts';
import { CAPTION_STYLES, LAYOUTS, type LayoutName, THEMES, TITLE_KINDS } from '../../src/timeline/choices.ts';
import { facts, plan, TIER_LIST } from '../request-builder.ts';

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

const measure = createSkiaMeasure();
const CANVASES = { landscape: [1920, 1080], portrait: [1080, 1920], square: [1080, 1080] } as const;
type Format = keyof typeof CANVASES;
const FORMATS = Object.keys(CANVASES) as Format[];

interface Placed {
  readonly what: string;
  readonly box: Box;
}

type ZonedTitle = 'label' | 'lower_third';
const TITLES = {
  label: { kind: 'label', text: 'Snacks' },
  lower_third: { kind: 'lower_third', text: 'Salted crisps', subtext: '9.5/10 and still the one' },
};
const CAPTION = 'And now the question that everybody asks';
/** As long as texts of people are: a whole sentence in a title, and more than a line of captions. */
const LONG = 'Raspberry cheesecake and everything else that people eat between two meals, on trains and in cinemas';

/** A board, a camera unless there is none, and those texts, all at once and none with a place of its own. */
function shown(
  layout: LayoutName,
  format: Format,
  texts: {
    readonly captions?: string;
    readonly titles?: readonly ZonedTitle[];
    readonly theme?: string;
    readonly isLong?: boolean;
  },
) {
  const long = texts.isLong === true ? { text: LONG } : {};
  const [width, height] = CANVASES[format];
  const time = { start: 0, duration: 6 };
  const timeline_data = {
    tier_blocks: [time],
    videos: layout === 'board' ? [] : [{ file_field: 'cam', ...time }],
    subtitles: texts.captions === undefined ? [] : [{ ...time, text: CAPTION, ...long, style: texts.captions }],
    titles: (texts.titles ?? []).map((kind) => ({ ...time, ...TITLES[kind], ...long })),
  };
  const made = plan(
    {
      tier_list: TIER_LIST,
      timeline_data,
      settings: { preset: format, width, height, layout, theme: texts.theme ?? 'midnight' },
    },
    { cam: facts('cam') },
    format,
  );
  const { painted, clips, theme } = made;
  const found: Placed[] = [
    ...painted.board.map(({ rect }) => ({ what: 'board', box: rect })),
    ...clips.filter(({ ground }) => ground === undefined).map(({ dest }) => ({ what: 'cam', box: dest })),
    ...painted.title.map((title) => ({ what: title.kind, box: layoutTitle(title, theme, measure)!.plate })),
    ...painted.subtitle.map((subtitle) => {
      const { text, plate } = layoutSubtitle(subtitle, measure)!;
      return { what: 'captions', box: plate?.box ?? text };
    }),
  ];
  return { found, width, height, warnings: made.warnings };
}

function meet(a: Box, b: Box): boolean {
  const touch = 1;
  return (
    a.x + touch < b.x + b.width &&
    b.x + touch < a.x + a.width &&
    a.y + touch < b.y + b.height &&
    b.y + touch < a.y + a.height
  );
}

/** A face is in the middle of the camera's picture. */
function face({ x, y, width, height }: Box): Box {
  return { x: x + width * 0.25, y: y + height * 0.18, width: width * 0.5, height: height * 0.5 };
}

/** Covered by the buttons of players of short videos: 140 px at the right from the middle on, 320 px at the foot. */
const BUTTONS: readonly Box[] = [
  { x: 940, y: 864, width: 140, height: 1056 },
  { x: 0, y: 1600, width: 1080, height: 320 },
];

function assertFree({ found, width, height }: ReturnType<typeof shown>, format: Format, about: string): void {
  const texts = found.filter(({ what }) => what !== 'board' && what !== 'cam');
  for (const { what, box } of found) {
    const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    assert.ok(inside, `${about}: ${what} is inside the canvas`);
  }
  for (const { what, box } of texts) {
    for (const other of found) {
      // Pages of a caption are shown one after the other.
      if (other.what === what) continue;
      const place = other.what === 'cam' ? face(other.box) : other.box;
      assert.ok(!meet(box, place), `${about}: ${what} over ${other.what} ${JSON.stringify([box, place])}`);
    }
    if (format !== 'portrait') continue;
    for (const button of BUTTONS) assert.ok(!meet(box, button), `${about}: ${what} under a button`);
  }
  const [board, cam] = ['board', 'cam'].map((what) => found.find((each) => each.what === what));
  assert.ok(cam === undefined || !meet(board!.box, cam.box), `${about}: board over camera`);
}

const ALL = ['label', 'lower_third'] as const;

for (const layout of LAYOUTS) {
  test(`[R42] every text has a place of its own in every format: ${layout}`, () => {
    for (const format of FORMATS) {
      for (const captions of [undefined, ...CAPTION_STYLES]) {
        for (const titles of [[], ['label'], ['lower_third'], ALL] as const) {
          const all = shown(layout, format, { titles, ...(captions !== undefined && { captions }) });
          assert.equal(all.found.filter(({ what }) => TITLE_KINDS.some((kind) => kind === what)).length, titles.length);
          assert.equal(
            all.found.some(({ what }) => what === 'captions'),
            captions !== undefined,
          );
          assert.equal(all.found.filter(({ what }) => what === 'cam').length, layout === 'board' ? 0 : 1);
          assertFree(all, format, `${format}, ${captions ?? 'no captions'}, ${titles}`);
        }
      }
      for (const theme of THEMES) {
        assertFree(shown(layout, format, { titles: ALL, captions: 'pop', theme }), format, `${format}, ${theme}`);
        for (const captions of ['pop', 'plain']) {
          const long = shown(layout, format, { titles: ALL, captions, theme, isLong: true });
          assertFree(long, format, `${format}, ${theme}, long texts, ${captions}`);
        }
      }
    }
  });
}

test('[R42] without texts the board is taller; what has a place by hand stays there', () => {
  const board = (texts: Parameters<typeof shown>[2]) => shown('right', 'landscape', texts).found[0]!.box;
  assert.ok(board({}).height > board({ captions: 'pop' }).height);
  const inPortrait = (texts: Parameters<typeof shown>[2]) => shown('board', 'portrait', texts).found[0]!.box;
  const both = inPortrait({ captions: 'pop', titles: ALL });
  assert.ok(inPortrait({ captions: 'pop' }).height > both.height);
  assert.ok(inPortrait({ titles: ALL }).height > both.height);
  const third = (titles: readonly ZonedTitle[]) =>
    shown('board', 'landscape', { titles }).found.find(({ what }) => what === 'lower_third')!.box;
  assert.ok(third(['lower_third']).x < third(ALL).x);
  const box = { x_percent: 40, y_percent: 50, width_percent: 20, height_percent: 10 };
  const time = { start: 0, duration: 2 };
  const documents = {
    tier_list: TIER_LIST,
    timeline_data: { tier_blocks: [{ ...time, ...box }], subtitles: [{ ...time, ...box, text: 'x' }] },
    settings: { layout: 'board' },
  };
  const { painted } = plan(documents, {});
  const byHand = { x: 768, y: 540, width: 384, height: 108 };
  assert.deepEqual([painted.board[0]!.rect, painted.subtitle[0]!.rect], [byHand, byHand]);
});
