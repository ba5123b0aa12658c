import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rect } from '../../src/plan/model/canvas.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { facts, plan, TIER_LIST } from '../request-builder.ts';

const PRESETS = ['landscape', 'portrait', 'square'];
const MEDIA = { a: facts('a'), host: facts('host') };
const BLOCK = { start: 0, duration: 10 };
const SUBTITLE = { text: 'First, the chips', start: 2, duration: 4 };

function planned(timeline_data: object, preset: string, settings: object = {}): RenderPlan {
  const named = JSON.stringify(timeline_data);
  const media = Object.entries(MEDIA).filter(([field]) => named.includes(`"${field}"`));
  return plan({ tier_list: TIER_LIST, timeline_data, settings }, Object.fromEntries(media), preset);
}

function apart(a: Rect, b: Rect): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

for (const preset of PRESETS) {
  test(`[C21] in ${preset}, a board and a subtitle without positions do not overlap`, () => {
    const { board: windows, subtitle: subtitles } = planned(
      { tier_blocks: [BLOCK], subtitles: [SUBTITLE] },
      preset,
    ).painted;
    assert.ok(apart(windows[0]!.rect, subtitles[0]!.rect));
    const alone = planned({ tier_blocks: [BLOCK], subtitles: [{ ...SUBTITLE, start: 10 }] }, preset);
    assert.ok(alone.painted.board[0]!.rect.height > windows[0]!.rect.height, 'only where they are seen together');
    const placed = planned({ tier_blocks: [BLOCK], subtitles: [{ ...SUBTITLE, y_percent: 2 }] }, preset);
    assert.deepEqual(
      placed.painted.board[0]!.rect,
      alone.painted.board[0]!.rect,
      'a subtitle elsewhere takes no room from it',
    );
    const reported = planned({ tier_blocks: [{ ...BLOCK, height_percent: 90 }], subtitles: [SUBTITLE] }, preset);
    assert.ok(
      reported.painted.board[0]!.rect.height > alone.painted.board[0]!.rect.height * 0.99,
      'what is said is done',
    );
  });
}

test('[C21] a board makes room for subtitles that are shown for more than a third of its time', () => {
  const at = (start: number, duration: number) => ({ start, duration });
  const slot = fc.record({ start: fc.integer({ min: 0, max: 40 }), duration: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(slot, fc.array(slot, { minLength: 1, maxLength: 12 }), (board, slots) => {
      const all = slots.map((each) => ({ ...SUBTITLE, ...each }));
      const heightWith = (subtitles: object[]) =>
        planned({ tier_blocks: [board], subtitles }, 'landscape').painted.board[0]!.rect.height;
      const seconds = Array.from({ length: board.duration }, (_, second) => board.start + second);
      const isShown = (second: number) =>
        slots.some(({ start, duration }) => start <= second && second < start + duration);
      assert.equal(heightWith(all) < heightWith([]), 3 * seconds.filter(isShown).length > board.duration);
    }),
    {
      numRuns: 60,
      examples: [
        [at(10, 3), [at(0, 12), at(3, 2)]],
        [at(0, 9), [at(0, 3), at(1, 2)]],
      ],
    },
  );
});

for (const preset of PRESETS) {
  test(`[R32] in ${preset}, a short subtitle is over the board, on its own background`, () => {
    const short = { ...SUBTITLE, duration: 1 };
    const shown = (subtitle: object, block: object = BLOCK) =>
      planned({ tier_blocks: [block], subtitles: [subtitle] }, preset).painted;
    const [over, alone] = [shown(short), shown({ ...short, start: 20 })];
    assert.deepEqual(over.board[0]!.rect, alone.board[0]!.rect, 'the board keeps its size');
    assert.deepEqual(over.subtitle[0]!.background, { color: '#000000', alpha: 0.6 });
    assert.equal(alone.subtitle[0]!.background, null, 'nowhere else');
    assert.equal(shown(SUBTITLE).subtitle[0]!.background, null, 'not where the board makes room');
    assert.equal(
      shown({ ...short, y_percent: 2 }).subtitle[0]!.background,
      null,
      'not for one with a place of its own',
    );
    assert.equal(shown(short, { ...BLOCK, height_percent: 60 }).subtitle[0]!.background, null);
    assert.deepEqual(shown({ ...short, background_alpha: 20 }).subtitle[0]!.background, {
      color: '#000000',
      alpha: 0.2,
    });
  });
}

test('[R32] in portrait, a host and a board fill the safe area', () => {
  for (const hosts of [1, 2]) {
    const videos = Array.from({ length: hosts }, (_, index) => ({
      ...BESIDE.videos[0],
      y_percent: 45 * index,
      height_percent: 40,
    }));
    const { painted, clips, canvas } = planned(
      { ...BESIDE, videos, subtitles: [{ ...SUBTITLE, duration: 1 }] },
      'portrait',
    );
    const board = painted.board[0]!.rect;
    assert.ok(Math.abs(board.y + board.height - canvas.height * 0.8) <= 2, 'down to its foot');
    assert.equal(clips[0]!.dest.y, Math.round(canvas.height * 0.08), 'from its top');
    const lowest = Math.max(...clips.map(({ dest }) => dest.y + dest.height));
    assert.ok(board.y - lowest < canvas.height * 0.03, `${board.y - lowest} px between ${hosts} hosts and the board`);
  }
});

test('[C21] [C23] in portrait defaults avoid the controls of players of short videos', () => {
  const { painted, canvas } = planned({ tier_blocks: [BLOCK], subtitles: [SUBTITLE] }, 'portrait');
  for (const { rect } of [...painted.board, ...painted.subtitle]) {
    assert.ok(rect.y >= canvas.height * 0.08 - 1, 'below the top 8 %');
    assert.ok(rect.y + rect.height <= canvas.height * 0.8 + 1, 'above the bottom 20 %');
    assert.ok(rect.x + rect.width <= canvas.width * 0.88 + 1, 'left of the right 12 %');
  }
  assert.deepEqual(painted.subtitle[0]!.rect, { x: 64, y: 1190, width: 864, height: 308 });
});

const BESIDE = {
  tier_blocks: [{ ...BLOCK, x_percent: 4, y_percent: 5, width_percent: 60, height_percent: 90 }],
  videos: [{ file_field: 'host', duration: 10, x_percent: 66, y_percent: 20, width_percent: 30, height_percent: 60 }],
};

test('[C21] a host beside the board in landscape is above it in portrait', () => {
  const { painted, clips } = planned(BESIDE, 'portrait');
  const [board, host] = [painted.board[0]!.rect, clips[0]!.dest];
  assert.ok(host.y + host.height <= board.y, 'above');
  assert.ok(board.width > 800 && host.width > 800, 'both as wide as there is room');
  assert.ok(apart(board, host));
  const landscape = planned(BESIDE, 'landscape');
  assert.ok(landscape.clips[0]!.dest.x >= landscape.painted.board[0]!.rect.x + landscape.painted.board[0]!.rect.width);
  const subtitled = planned({ ...BESIDE, subtitles: [SUBTITLE] }, 'portrait');
  assert.ok(apart(subtitled.painted.board[0]!.rect, subtitled.painted.subtitle[0]!.rect));
  assert.ok(apart(subtitled.painted.board[0]!.rect, subtitled.clips[0]!.dest));
});

test('[C21] percents that suit portrait, or are given for it, are kept', () => {
  const meant = planned(BESIDE, 'portrait', { preset: 'portrait' });
  assert.equal(meant.painted.board[0]!.rect.width, 648);
  const said = planned(
    { ...BESIDE, tier_blocks: [{ ...BESIDE.tier_blocks[0], presets: { portrait: { width_percent: 50 } } }] },
    'portrait',
  );
  assert.equal(said.painted.board[0]!.rect.width, 540);
  assert.equal(said.clips[0]!.dest.x, planned(BESIDE, 'portrait', { preset: 'portrait' }).clips[0]!.dest.x);
});

test('[C21] in a square a board may be beside a host, unless it would be a thin strip', () => {
  const wide = planned(BESIDE, 'square');
  assert.equal(wide.painted.board[0]!.rect.width, 648);
  const tier_blocks = [{ ...BESIDE.tier_blocks[0], width_percent: 40 }];
  const thin = planned({ ...BESIDE, tier_blocks }, 'square');
  assert.ok(thin.painted.board[0]!.rect.width > 900 && apart(thin.painted.board[0]!.rect, thin.clips[0]!.dest));
});
