import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { AUTO_DEFAULTS, autoTimeline, rankedIds } from '../../src/timeline/auto-timeline.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';
import { facts, parse, plan, TIER_LIST } from '../request-builder.ts';

function request(timeline_data: object, settings: object = {}, tier_list: object = TIER_LIST): RequestDocuments {
  return { tier_list, timeline_data, settings };
}

/** What a timeline becomes, as validate returns it. */
function completed(timeline_data: object, settings?: object, tier_list?: object): Record<string, unknown[]> {
  return parse(request(timeline_data, settings, tier_list)).completed as Record<string, unknown[]>;
}

function order(auto: object): unknown[] {
  const tiles = completed({ auto }).tier_tiles as { tier_item_id: string }[];
  return tiles.map(({ tier_item_id }) => tier_item_id);
}

function refused(documents: RequestDocuments): string[] {
  try {
    parse(documents);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return error.issues.map(({ path, code, message }) => `${path} ${code} ${message}`);
  }
  return [];
}

test('[C64, R42] a board that is added has a layout, with a camera if a clip stands beside it; a board that was sent has none', () => {
  const layout = (timeline: object, settings: object = {}) => {
    const media = new Map([['clip', facts('clip')]]);
    return parse(request({ auto: {}, ...timeline }, settings), media).settings.layout;
  };
  const clip = { file_field: 'clip', start: 0, duration: 9 };
  assert.equal(layout({}), 'board');
  assert.equal(layout({ videos: [clip] }), 'right');
  assert.equal(layout({ videos: [{ ...clip, duration: 2 }] }), 'board', 'over before the board');
  assert.equal(layout({ videos: [{ ...clip, x_percent: 70, width_percent: 25 }] }), 'board', 'a clip with a box');
  assert.equal(layout({ tier_blocks: [{ start: 0, duration: 20 }] }), null);
  assert.equal(layout({ videos: [clip] }, { layout: 'top' }), 'top');
  assert.equal(parse(request({ tier_blocks: [{ start: 0, duration: 9 }] })).settings.layout, null);
});

test('[C64] a tier list alone becomes an opening, a board, a spotlight for each ranked item, and 3 s of the finished board', () => {
  const timeline = completed({ auto: {} });
  assert.deepEqual(Object.keys(timeline).sort(), ['tier_blocks', 'tier_tiles', 'titles']);
  assert.deepEqual(timeline.titles, [{ id: 'opening', kind: 'card', text: 'Snacks, ranked', start: 0, duration: 3 }]);
  assert.deepEqual(timeline.tier_blocks, [{ id: 'board', start: 2.5, duration: 1.5 + 3 * 3.5 + 3 }]);
  assert.deepEqual(timeline.tier_tiles, [
    { id: 'reveal-fruit', tier_item_id: 'fruit', position: 4, reveal: 'spotlight', sound_field: 'theme' },
    { id: 'reveal-chips', tier_item_id: 'chips', position: 7.5, reveal: 'spotlight', sound_field: 'theme' },
    { id: 'reveal-nuts', tier_item_id: 'nuts', position: 11, reveal: 'spotlight', sound_field: 'theme' },
  ]);
  const { totalFrames, rate, warnings, chapters } = plan(request({ auto: {} }), {});
  assert.equal(totalFrames / rate.num, 17.5);
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    chapters.map(({ title }) => title),
    ['Snacks, ranked', 'Fruit', 'Chips', 'Nuts'],
  );
});

test('[C64] the result has the meaning of the request, and needs nothing more', () => {
  for (const timeline_data of [{ auto: {} }, { auto: { order: 'shuffled', seed: 3 }, subtitles: [] }]) {
    const { completed: result, timeline } = parse(request(timeline_data));
    const again = parse(request(result!));
    assert.deepEqual(again.timeline, timeline);
    assert.equal(again.completed, null);
  }
  assert.equal(parse(request({ tier_blocks: [{ start: 0, duration: 1 }] })).completed, null);
});

test('[C64] orders: worst first, best first, as listed, shuffled by a seed', () => {
  assert.deepEqual(order({}), ['fruit', 'chips', 'nuts']);
  assert.deepEqual(order({ order: 'best_first' }), ['chips', 'nuts', 'fruit']);
  assert.deepEqual(order({ order: 'listed' }), ['chips', 'nuts', 'fruit']);
  const seeds = Array.from({ length: 50 }, (_, seed) => order({ order: 'shuffled', seed }).join());
  assert.equal(new Set(seeds).size, 6);
  assert.equal(seeds[7], order({ order: 'shuffled', seed: 7 }).join());
  assert.equal(seeds[0], order({ order: 'shuffled' }).join());
});

test('[C64] seconds_per_item, intro and outro; settings.reveal takes precedence over the spotlight', () => {
  const auto = { seconds_per_item: 0.7, intro: false, outro: false };
  assert.deepEqual(completed({ auto }, { reveal: 'slam' }), {
    tier_blocks: [{ id: 'board', start: 0, duration: 3.6 }],
    tier_tiles: [
      { id: 'reveal-fruit', tier_item_id: 'fruit', position: 1.5, sound_field: 'theme' },
      { id: 'reveal-chips', tier_item_id: 'chips', position: 2.2, sound_field: 'theme' },
      { id: 'reveal-nuts', tier_item_id: 'nuts', position: 2.9, sound_field: 'theme' },
    ],
  });
  const untitled = completed({ auto: {} }, {}, { ...TIER_LIST, title: ' ' });
  assert.deepEqual(untitled.tier_blocks, [{ id: 'board', start: 0, duration: 15 }]);
});

test('[C64] sent entries stay unchanged: tiles keep their time, and a sent board is the only one', () => {
  const tile = { id: 'reveal-fruit', tier_item_id: 'chips', position: 6, reveal: 'none' };
  const music = { file_field: 'song', duration: 5 };
  const sent = { auto: {}, tier_tiles: [tile], soundtracks: [music] };
  const timeline = completed(sent);
  assert.deepEqual(timeline.soundtracks, [music]);
  assert.deepEqual(timeline.tier_tiles, [
    tile,
    { id: 'reveal-fruit-2', tier_item_id: 'fruit', position: 9.5, reveal: 'spotlight', sound_field: 'theme' },
    { id: 'reveal-nuts', tier_item_id: 'nuts', position: 13, reveal: 'spotlight', sound_field: 'theme' },
  ]);
  assert.deepEqual(timeline.tier_blocks, [{ id: 'board', start: 2.5, duration: 17 }]);
  const block = { start: 10, duration: 20 };
  for (const blocks of [{ tier_blocks: [block] }, { tier_block: block }]) {
    const { tier_tiles: tiles, ...others } = completed({ auto: {}, ...blocks });
    assert.deepEqual(others, blocks);
    assert.deepEqual(
      (tiles as { position: number }[]).map(({ position }) => position),
      [11.5, 15, 18.5],
    );
  }
});

test('[C64] no two reveals are closer than requested, however many were sent', () => {
  const list = rankedIds({
    items: [1, 2, 3, 4].map((n) => ({ id: `${n}` })),
    rows: [{ item_ids: ['1', '2', '3', '4'] }],
  });
  const positions = fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { maxLength: 8 });
  fc.assert(
    fc.property(positions, fc.double({ min: 0.5, max: 9, noNaN: true }), (sent, secondsPerItem) => {
      const tier_tiles = sent.map((position) => ({ tier_item_id: 'other', position }));
      const options = { ...AUTO_DEFAULTS, secondsPerItem };
      const added = autoTimeline(list, options, { tier_blocks: [], tier_tiles, titles: [] });
      assert.equal(added.tier_tiles.length, 4);
      const times = added.tier_tiles.map(({ position }) => position);
      for (const [i, time] of times.entries()) {
        const others = [...sent, ...times.slice(0, i)];
        assert.ok(others.every((other) => Math.abs(other - time) > secondsPerItem - 1e-5));
      }
      const [board] = added.tier_blocks;
      assert.ok([...sent, ...times].every((time) => time + secondsPerItem <= board!.duration - 3 + 1e-5));
    }),
  );
});

test('[C64] in timeline_json too', () => {
  const { timeline } = parse({ timeline_json: { tier_list: TIER_LIST, auto: { intro: false } } });
  assert.deepEqual(
    timeline.tiles.map(({ position, style }) => [position, style]),
    [
      [1.5, 'spotlight'],
      [5, 'spotlight'],
      [8.5, 'spotlight'],
    ],
  );
});

test('[C64] errors of auto are returned with their path and the allowed values', () => {
  assert.deepEqual(refused(request({ auto: { order: 'best', seconds_per_item: 0, intro: 'yes', seed: 1.5 } })), [
    '/timeline_data/auto/order field.choice order must be one of "worst_first", "best_first", "listed", "shuffled", not "best".',
    '/timeline_data/auto/seconds_per_item field.range seconds_per_item must be a number from 0.5 to 600, not 0.',
    '/timeline_data/auto/intro field.type intro must be true or false, not "yes".',
    '/timeline_data/auto/seed field.type seed must be a whole number from 0 to 4294967295, not 1.5.',
  ]);
  assert.deepEqual(refused(request({ auto: true })), [
    '/timeline_data/auto field.type auto must be an object, not true.',
  ]);
  const ids = Array.from({ length: 400 }, (_, n) => `item-${n}`);
  const many = { rows: [{ id: 's', item_ids: ids }], items: ids.map((id) => ({ id })) };
  assert.deepEqual(refused(request({ auto: { seconds_per_item: 60 } }, {}, many)), [
    '/timeline_data/auto timeline.too_long 400 reveals would end at 24004.5 s; a timeline lasts at most 14400 s.',
  ]);
  const unranked = parse(request({ auto: { ordr: 1 } }, {}, { ...TIER_LIST, rows: [] }));
  assert.deepEqual(
    unranked.warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/auto/ordr field.unknown', '/timeline_data/auto auto.nothing_ranked'],
  );
  assert.deepEqual(refused(request({ auto: {} }, {}, {})), [
    '/timeline_data timeline.empty There is nothing on the timeline: it needs a video, an audio, a soundtrack, a tier block, a title or a subtitle.',
  ]);
});

test('[C64] reveals that do not fit a sent block are reported once, at auto', () => {
  const late = { tier_blocks: [{ start: 14_390, duration: 10 }] };
  assert.deepEqual(refused(request({ auto: { seconds_per_item: 60 }, ...late })), [
    '/timeline_data/auto timeline.too_long 3 reveals would end at 14571.5 s; a timeline lasts at most 14400 s.',
  ]);
  const warned = (timeline: object) =>
    parse(request({ auto: {}, ...timeline })).warnings.map(({ path, code, message }) => `${path} ${code} ${message}`);
  const never = (end: number, count: number) => [
    `/timeline_data/auto tile.never_seen The last tier block ends at ${end} s: ${count} of 3 added reveals come later and are never visible.`,
  ];
  const short = { start: 10, duration: 4 };
  assert.deepEqual(warned({ tier_blocks: [short] }), never(14, 2));
  assert.deepEqual(warned({ tier_block: short }), never(14, 2));
  assert.deepEqual(warned({ tier_blocks: [{ start: 16, duration: 1 }, short] }), never(17, 1));
  assert.deepEqual(warned({ tier_blocks: [{ start: 10, duration: 20 }] }), []);
});
