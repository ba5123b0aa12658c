import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rect, RenderPlan } from '../../src/plan/render-plan.ts';
import { facts, plan, TIER_LIST } from '../request-builder.ts';

const SHAPES = ['landscape', 'portrait', 'square'];
const MEDIA = { a: facts('a'), host: facts('host') };
const BLOCK = { start: 0, duration: 10 };
const SUBTITLE = { text: 'First, the chips', start: 2, duration: 3 };

function planned(timeline_data: object, preset: string, settings: object = {}): RenderPlan {
  const named = JSON.stringify(timeline_data);
  const media = Object.entries(MEDIA).filter(([field]) => named.includes(`"${field}"`));
  return plan({ tier_list: TIER_LIST, timeline_data, settings }, Object.fromEntries(media), preset);
}

function apart(a: Rect, b: Rect): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

for (const preset of SHAPES) {
  test(`[C21] in ${preset}, a board and a subtitle that say nothing of their places do not meet`, () => {
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
    const told = planned({ tier_blocks: [{ ...BLOCK, height_percent: 90 }], subtitles: [SUBTITLE] }, preset);
    assert.ok(told.painted.board[0]!.rect.height > alone.painted.board[0]!.rect.height * 0.99, 'what is said is done');
  });
}

test('[C21] a board gives way to every subtitle that is shown with it, and to no other', () => {
  const at = (start: number, duration: number) => ({ start, duration });
  const slot = fc.record({ start: fc.integer({ min: 0, max: 40 }), duration: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(slot, fc.array(slot, { minLength: 1, maxLength: 12 }), (board, slots) => {
      const all = slots.map((each) => ({ ...SUBTITLE, ...each }));
      const heightWith = (subtitles: object[]) =>
        planned({ tier_blocks: [board], subtitles }, 'landscape').painted.board[0]!.rect.height;
      const isSeenWith = (each: typeof board) =>
        each.start < board.start + board.duration && board.start < each.start + each.duration;
      assert.equal(heightWith(all) < heightWith([]), slots.some(isSeenWith));
    }),
    { numRuns: 60, examples: [[at(10, 2), [at(0, 12), at(3, 2)]]] },
  );
});

test('[C21] [C23] in portrait defaults keep to what players of short videos leave free', () => {
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

test('[C21] a host beside the board in landscape stands above it in portrait', () => {
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

test('[C21] percents that were meant for portrait, or said for it, are kept', () => {
  const meant = planned(BESIDE, 'portrait', { preset: 'portrait' });
  assert.equal(meant.painted.board[0]!.rect.width, 648);
  const said = planned(
    { ...BESIDE, tier_blocks: [{ ...BESIDE.tier_blocks[0], presets: { portrait: { width_percent: 50 } } }] },
    'portrait',
  );
  assert.equal(said.painted.board[0]!.rect.width, 540);
  assert.equal(said.clips[0]!.dest.x, planned(BESIDE, 'portrait', { preset: 'portrait' }).clips[0]!.dest.x);
});

test('[C21] in a square a board may stand beside a host, unless it would be a thin strip', () => {
  const wide = planned(BESIDE, 'square');
  assert.equal(wide.painted.board[0]!.rect.width, 648);
  const tier_blocks = [{ ...BESIDE.tier_blocks[0], width_percent: 40 }];
  const thin = planned({ ...BESIDE, tier_blocks }, 'square');
  assert.ok(thin.painted.board[0]!.rect.width > 900 && apart(thin.painted.board[0]!.rect, thin.clips[0]!.dest));
});
