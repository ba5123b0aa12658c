import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { boardRoom, layoutBoard } from '../../src/paint/layout/board-layout.ts';
import { createSkiaMeasure } from '../../src/paint/skia/skia.ts';
import { captionsText } from '../../src/plan/captions-text.ts';
import { PAINTED } from '../../src/plan/frame/painted-kinds.ts';
import { presenceAt } from '../../src/plan/frame/picture-envelope.ts';
import type { Rect } from '../../src/plan/model/canvas.ts';
import type { BoardWindow } from '../../src/plan/model/painted-layers.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { lookOf } from '../../src/plan/theme/theme-looks.ts';
import { frames } from '../../src/time.ts';
import { THEMES, TITLE_KINDS } from '../../src/timeline/choices.ts';
import { facts, parse, plan } from '../request-builder.ts';

const TITLE = { text: 'Every snack, ranked', start: 0, duration: 2 };

function titled(title: object, settings: object = {}, preset?: string): RenderPlan {
  return plan({ tier_list: {}, timeline_data: { titles: [{ ...TITLE, ...title }] }, settings }, {}, preset);
}

test('[C60, R37] titles look as their theme has them, unless the theme or the title is changed', () => {
  for (const theme of THEMES) {
    const [title] = titled({}, { theme }).painted.title;
    assert.deepEqual([title!.kind, title!.color, title!.background], ['label', null, { color: null, alpha: null }]);
  }
  const changed = titled({}, { theme: { panel_color: '#123456', text_color: '#abcdef' } }).painted.title[0]!;
  assert.deepEqual([changed.color, changed.background.color], ['#abcdef', '#123456']);
  const own = titled({ text_color: '#112233' }, { theme: { text_color: '#abcdef' } }).painted.title[0]!;
  assert.equal(own.color, '#112233');
});

test('[C60, R37] each kind of title has its size, alignment and box, a card those of its theme', () => {
  const looks = TITLE_KINDS.map((kind) => titled({ kind }).painted.title[0]!);
  assert.deepEqual(
    looks.map(({ sizePx, align }) => `${sizePx} ${align}`),
    ['44 left', '60 left', '170 center'],
  );
  const left = titled({ kind: 'card' }, { theme: 'broadcast' }).painted.title[0]!;
  assert.equal(`${left.sizePx} ${left.align}`, '170 left');
  const [, , card] = looks;
  assert.deepEqual(card!.rect, { x: 0, y: 0, width: 1920, height: 1080 }, 'a card fills the canvas');
});

test('[C60, C21] in portrait titles stay in the safe area, and above the subtitles', () => {
  for (const kind of TITLE_KINDS) {
    const {
      textRect: { x, y, width, height },
    } = titled({ kind }, {}, 'portrait').painted.title[0]!;
    assert.ok(y >= 0.08 * 1920 && y + height <= 0.8 * 1920 && x + width <= 0.88 * 1080 + 2, kind);
    if (kind !== 'card') assert.ok(y + height <= 0.62 * 1920, kind);
  }
});

test("[C60] a title is at the side of its alignment, in portrait left of the players' buttons", () => {
  const edges = (align: string | undefined, preset: string) => {
    const { textRect, rect } = titled({ kind: 'label', ...(align !== undefined && { align }) }, {}, preset).painted
      .title[0]!;
    assert.deepEqual(rect, textRect);
    return [textRect.x, textRect.x + textRect.width];
  };
  for (const align of [undefined, 'left']) assert.deepEqual(edges(align, 'landscape'), [96, 1248]);
  assert.deepEqual(edges('center', 'landscape'), [384, 1536]);
  assert.deepEqual(edges('right', 'landscape'), [1920 - 1248, 1920 - 96]);
  assert.deepEqual(edges('right', 'square'), [162, 1026]);
  assert.deepEqual(edges('right', 'portrait'), edges('left', 'portrait'));
});

test('[C60] a lower third over a board does not cover the labels of its rows, however long they are', () => {
  const rows = ['S', 'A', 'absolutely-unforgettable'].map((label, row) => ({ id: `${row}`, label, items: [`${row}`] }));
  const tier_list = { rows, items: rows.map(({ id }) => ({ id })) };
  const lower = { ...TITLE, kind: 'lower_third' };
  for (const preset of ['landscape', 'square', 'portrait']) {
    const places = [{ tier_blocks: [{ start: 0, duration: 9 }] }, { tier_blocks: [{ start: 20, duration: 9 }] }].map(
      (board) => {
        const made = plan({ tier_list, timeline_data: { titles: [lower], ...board } }, {}, preset);
        const [{ rect }] = made.painted.board as [BoardWindow];
        const layout = layoutBoard(made.board!, boardRoom(rect, made.canvas, made.theme), createSkiaMeasure());
        const labelled = rect.x + layout.lanes[0]!.cardsX;
        return { title: made.painted.title[0]!.textRect, labelled, right: rect.x + rect.width };
      },
    );
    const [over, alone] = places.map(({ title }) => title) as [Rect, Rect];
    assert.ok(over.x >= places[0]!.labelled, `${preset}: ${over.x}, labels end at ${places[0]!.labelled}`);
    assert.ok(over.x + over.width <= places[0]!.right);
    assert.ok(alone.x < places[0]!.labelled);
  }
});

test("[C60] a title's own fields take precedence; a preset may hide it", () => {
  const own = {
    kind: 'card',
    align: 'right',
    size: 50,
    text_color: '#ABCDEF',
    background_color: '#102030',
    background_alpha: 40,
    font: 'Anton',
  };
  const [title] = titled({ ...own, presets: { portrait: { hidden: true }, square: { size: 70 } } }).painted.title;
  assert.deepEqual([title!.align, title!.sizePx, title!.color], ['right', 50, '#abcdef']);
  assert.deepEqual(title!.background, { color: '#102030', alpha: 0.4 });
  assert.equal(title!.font!.families.display, 'Tiercut Anton 400');
  const square = titled({ ...own, presets: { portrait: { hidden: true }, square: { size: 70 } } }, {}, 'square');
  assert.equal(square.painted.title[0]!.sizePx, 70);
  assert.equal(titled({ presets: { portrait: { hidden: true } } }, {}, 'portrait').painted.title.length, 0);
});

test('[C60, C63] a title has its own font, else the theme’s', () => {
  const family = (title: object, settings: object = {}) =>
    titled(title, settings).painted.title[0]!.font?.families.display;
  assert.equal(family({}), 'Tiercut Inter 900');
  assert.equal(family({}, { theme: { font: 'Oswald' } }), 'Tiercut Oswald 700');
  assert.equal(family({ font: 'Bangers' }, { theme: { font: 'Oswald' } }), 'Tiercut Bangers 400');
  const font = facts('font', { kind: 'font', duration: 0, width: 0, height: 0, sound: false });
  const uploaded = plan(
    { tier_list: {}, timeline_data: { titles: [{ ...TITLE, font: 'Anton', font_field: 'font' }] } },
    { font },
  );
  assert.equal(uploaded.sources[uploaded.painted.title[0]!.font!.source!]!.hash, font.hash);
});

test('[C60, R37] titles pass as their theme moves, unless they say how; none flickers over the whole canvas', () => {
  const layers = (theme: string, title: object = {}) => {
    return TITLE_KINDS.map((kind) => {
      const titles = [{ ...TITLE, kind, start: 3, ...title }];
      const subtitles = [{ text: 'a', start: 0, duration: 9 }];
      const made = plan({ tier_list: {}, timeline_data: { titles, subtitles }, settings: { theme } }, {});
      return { layer: made.painted.title[0]!, canvas: made.canvas };
    });
  };
  for (const theme of THEMES) {
    const kinds = layers(theme).map(({ layer }) => layer.enter?.kind ?? 'none');
    const { titles } = lookOf({ name: theme }).motion;
    assert.deepEqual(
      kinds,
      TITLE_KINDS.map((kind) => titles[kind]),
    );
    assert.notEqual(titles.card, 'flicker', 'R19');
    const own = layers(theme, { enter: 'rise', exit: 'slide' });
    assert.ok(own.every(({ layer: { enter, exit } }) => enter?.kind === 'rise' && exit?.kind === 'slide'));
  }
  const [{ layer, canvas }] = layers('broadcast') as [ReturnType<typeof layers>[number]];
  const seen = Array.from({ length: layer.enter!.frames + 1 }, (_, n) => {
    return presenceAt(layer, frames(layer.shows.start + n), layer.rect, canvas)?.shown ?? 1;
  });
  assert.ok(seen[0]! > 0 && seen[0]! < 1 && seen.at(-1) === 1, 'wiped');
  assert.ok(seen.every((share, n) => n === 0 || share >= seen[n - 1]!));
});

test('[C60, C48] titles fade in and out; a card at the start or end of the video does not', () => {
  const passes = (title: object) => {
    const { enter, exit } = plan(
      {
        tier_list: {},
        timeline_data: { titles: [{ ...TITLE, ...title }], subtitles: [{ text: 'a', start: 0, duration: 9 }] },
      },
      {},
    ).painted.title[0]!;
    return `${enter?.kind} ${exit?.kind}`;
  };
  assert.deepEqual(
    TITLE_KINDS.map((kind) => passes({ kind, start: 3 })),
    ['rise rise', 'slide slide', 'fade fade'],
  );
  assert.equal(passes({ kind: 'card' }), 'undefined fade');
  assert.equal(passes({ kind: 'card', start: 7 }), 'fade undefined');
  assert.equal(passes({ kind: 'label', enter: 'none', exit: 'slide' }), 'undefined slide');
});

test('[C60, C24, C43] a title extends the video, and is not in the captions', () => {
  const made = titled({ start: 3, duration: 4 });
  assert.equal(made.totalFrames, 210);
  assert.equal(captionsText(made, 'vtt'), 'WEBVTT\n');
  assert.deepEqual(made.chapters, []);
});

test('[C60, R27, R30] titles are in front of boards and clips and behind subtitles, and no spotlight dims or shakes them', () => {
  const request = {
    tier_list: { rows: [{ id: 's', item_ids: ['x'] }], items: [{ id: 'x' }] },
    timeline_data: {
      videos: [{ file_field: 'a', layer: 'above_board', start: 0, duration: 2 }],
      tier_blocks: [{ start: 0, duration: 2 }],
      titles: [TITLE],
      subtitles: [{ text: 'a', start: 0, duration: 2 }],
    },
  };
  const [span] = plan(request, { a: facts('a') }).spans;
  assert.deepEqual(
    span!.layers.map(({ kind }) => kind),
    ['board', 'clip', 'title', 'subtitle'],
  );
  assert.equal(PAINTED.title.isDimmed, false);
});

test('[C60, C25] a legacy timeline has titles too', () => {
  const { timeline } = parse({ timeline_json: { titles: [{ ...TITLE, subtext: 'All of them' }] } });
  assert.equal(timeline.titles[0]!.subtext, 'All of them');
  assert.equal(timeline.titles[0]!.path, '/timeline_json/titles/0');
});

test('[C60] a title without text, or outside the canvas, is left out with a warning', () => {
  const warned = (title: object) => titled({ start: 1, ...title }).warnings.map(({ path, code }) => `${path} ${code}`);
  assert.deepEqual(warned({ text: ' ' }), ['/timeline_data/titles/0 title.blank']);
  assert.deepEqual(warned({ x_percent: 100 }), ['/timeline_data/titles/0 title.off_canvas']);
  assert.deepEqual(warned({ kind: 'card', y_percent: -90 }), ['/timeline_data/titles/0 title.off_canvas']);
  assert.deepEqual(warned({ x_percent: 90 }), [], 'a part of it is seen');
});

test('[C60] an unknown kind or font lists the known ones, and missing required fields are errors', () => {
  const message = (title: object) => {
    try {
      parse({ tier_list: {}, timeline_data: { titles: [title] } });
      return '';
    } catch (error) {
      assert.ok(error instanceof ExportError);
      return error.message;
    }
  };
  assert.match(
    message({ ...TITLE, kind: 'banner' }),
    /kind must be one of "label", "lower_third", "card", not "banner"/,
  );
  assert.match(message({ ...TITLE, font: 'Impact' }), /font must be one of "Noto Sans", .*, not "Impact"/);
  assert.match(message({ start: 0, duration: 1 }), /"text" is missing/);
});

test("[C60, R18] everything that changes a title's pixels is in its key, and its id is not", () => {
  const key = (title: object, settings: object = {}) => titled(title, settings).chunks[0]!.key;
  const changes = [
    { text: 'b' },
    { subtext: 'b' },
    { kind: 'card' },
    { kind: 'lower_third' },
    { align: 'right' },
    { font: 'Anton' },
    { size: 45 },
    { text_color: '#111111' },
    { background_color: '#111111' },
    { background_alpha: 50 },
    { x_percent: 7 },
    { enter: 'slide' },
  ];
  const keys = [key({}), key({}, { theme: 'neon' }), ...changes.map((change) => key(change))];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(key({ id: 'opening' }), key({}));
});
