import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { presenceAt } from '../../src/plan/frame/picture-envelope.ts';
import { afterEvents, boardStateAt, fullestMoments, inRows, restAfter } from '../../src/plan/reveal/board-state.ts';
import { plainCourse } from '../../src/plan/reveal/course.ts';
import { MIDNIGHT } from '../../src/plan/theme/midnight.ts';
import { frames } from '../../src/time.ts';
import { facts, picture, plan, sound, TIER_LIST } from '../request-builder.ts';

const BLOCK = { start: 0, duration: 20 };
const made = (timeline: object, settings: object = {}, tier_list: object = TIER_LIST) =>
  plan({ tier_list, timeline_data: { tier_blocks: [BLOCK], ...timeline }, settings }, MEDIA);
const MEDIA = { a: facts('a'), ding: sound('ding', 1.5), mute: picture('mute') };

const moves = {
  tier_tiles: [
    { tier_item_id: 'fruit', position: 2, to_row: 's', index: 1 },
    { tier_item_id: 'soup', position: 4, to_row: 'a' },
    { tier_item_id: 'fruit', position: 8, to_row: 'a', index: 0 },
  ],
};

test('[C44] a tile with to_row moves its item, from anywhere, as often as there are tiles', () => {
  const { board, warnings } = made(moves);
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'tile.repeated'),
    [],
  );
  const lanes = (settled: number) => restAfter(board!, settled).lanes;
  assert.deepEqual(lanes(0), [[0, 1], [2], [3]]);
  assert.deepEqual(lanes(1), [[0, 2, 1], [], [3]]);
  assert.deepEqual(lanes(2), [[0, 2, 1], [3], []]);
  assert.deepEqual(lanes(3), [[0, 1], [2, 3], []]);
  // An item that only moves is visible from the start.
  assert.deepEqual([...boardStateAt(board!, frames(0), MIDNIGHT.motion).shown], [0, 1, 2, 3]);
});

test('[C44] chapters name the old row and the new row', () => {
  assert.deepEqual(
    made(moves).chapters.map(({ title }) => title),
    ['Snacks, ranked', 'Fruit: A → S', 'Soup: → A', 'Fruit: S → A'],
  );
});

test('[C44] an index beyond the row is its end; an unknown row and an index without a row are errors', () => {
  assert.deepEqual(afterEvents([[0, 1], [2]], [{ ...move, to: { row: 0, index: 9 } }]), [[0, 1, 2], []]);
  assert.throws(() => made({ tier_tiles: [{ tier_item_id: 'nuts', position: 1, to_row: 'z' }] }), /no row|No row/i);
  const { warnings } = made({ tier_tiles: [{ tier_item_id: 'nuts', position: 1, index: 1 }] });
  assert.ok(warnings.some(({ code, path }) => code === 'field.unused' && path.endsWith('/index')));
});

const move = {
  item: 2,
  style: 'move' as const,
  confetti: null,
  ...plainCourse('move', frames(0), { num: 30, den: 1 }),
};

test('[C44] a card does one thing at a time', () => {
  const tier_tiles = [
    { tier_item_id: 'fruit', position: 2, reveal: 'spotlight' },
    { tier_item_id: 'fruit', position: 2.2, to_row: 's' },
  ];
  const [reveal, move] = made({ tier_tiles }).board!.events;
  assert.equal(reveal!.style, 'spotlight');
  assert.equal(move!.at, reveal!.end);
  assert.deepEqual(move!.to, { row: 0, index: null });
});

test('[C45, R19] a tile may have its own reveal style, with the same duration at every frame rate', () => {
  const tier_tiles = [
    { tier_item_id: 'fruit', position: 2, reveal: 'slam' },
    { tier_item_id: 'nuts', position: 2 },
  ];
  for (const fps of [12, 23.976, 25, 60]) {
    const { board, rate } = made({ tier_tiles }, { fps, reveal: 'spotlight' });
    assert.deepEqual(new Set(board!.events.map(({ style }) => style)), new Set(['slam', 'spotlight']));
    const seconds = { slam: 0.75, spotlight: 2.94 } as Record<string, number>;
    for (const { style, at, end } of board!.events) {
      // A frame each for what is rounded on the way.
      assert.ok(Math.abs(end - at - (seconds[style]! * rate.num) / rate.den) <= 2, `${fps} ${style} ${end - at}`);
    }
  }
});

test('[C45] an event that is over while an earlier one is not is at rest, unless the earlier one is a move', () => {
  const nuts = { tier_item_id: 'nuts', position: 2.1, reveal: 'none' };
  const stateWith = (held: object) =>
    boardStateAt(made({ tier_tiles: [held, nuts] }).board!, frames(70), MIDNIGHT.motion);
  const revealed = stateWith({ tier_item_id: 'fruit', position: 2, reveal: 'spotlight' });
  assert.deepEqual(
    revealed.inFlight.map(({ event }) => event.style),
    ['spotlight'],
  );
  assert.ok(revealed.shown.has(1));
  const { inFlight, shown } = stateWith({ tier_item_id: 'fruit', position: 2, reveal: 'spotlight', to_row: 's' });
  assert.deepEqual(
    inFlight.map(({ event, clock }) => [event.style, clock.isOver]),
    [
      ['spotlight', false],
      ['none', true],
    ],
  );
  assert.ok(!shown.has(1));
});

test('[C45, R15] tiles sound to the sample; an uploaded sound takes precedence over a made one of the same name', () => {
  const tier_tiles = [
    { tier_item_id: 'fruit', position: 2, sound_volume: 0.5 },
    { tier_item_id: 'nuts', position: 4, reveal: 'slam', sound_field: 'impact' },
    { tier_item_id: 'soup', position: 6, sound_field: 'ding' },
    { tier_item_id: 'chips', position: 8, sound_field: 'none' },
  ];
  const { audio, sources } = made({ tier_tiles }, { reveal_sound: 'pop' });
  const heard = audio.clips.map(({ lane, source, slot, gain }) => [lane, source, slot.start / 48, gain]);
  assert.deepEqual(heard, [
    ['tier_tiles', 'pop', 2000, 0.5],
    ['tier_tiles', 'impact', 4300, 1],
    ['tier_tiles', sources.findIndex(({ field }) => field === 'ding'), 6000, 1],
  ]);
});

test('[R29] a made sound is aligned to its moment of the reveal; the stamp of a spotlight has its own sound', () => {
  const heard = (tile: object, reveal_sound = 'none') => {
    const tier_tiles = [{ tier_item_id: 'soup', position: 6, reveal: 'spotlight', ...tile }];
    const { audio, board } = made({ tier_tiles }, { reveal_sound });
    const { at, verdict, takeOff, lands } = board!.events[0]!;
    return audio.clips.map(({ source, slot, trim }) => {
      return { source, start: slot.start, end: slot.end, from: trim.start, at, verdict, takeOff, lands };
    });
  };
  const sample = (frame: number) => frame * 1600;
  const only = (sound_field: string, tile: object = {}) => heard({ sound_field, ...tile })[0]!;
  const pop = only('pop');
  assert.deepEqual([pop.start, pop.from], [sample(pop.at), 0]);
  const whoosh = only('whoosh');
  assert.equal(whoosh.start, sample(whoosh.takeOff) - 0.21 * 48_000);
  const impact = only('impact');
  assert.equal(impact.start, sample(impact.lands));
  assert.equal(only('sad').start, sample(impact.lands));
  const riser = only('riser');
  assert.deepEqual([riser.end, riser.from], [sample(riser.verdict), 0]);
  const early = only('riser', { position: 0.5, reveal: 'pop' });
  assert.deepEqual([early.start, early.end], [0, sample(early.verdict)], 'what lies before the video is cut off');
  assert.equal(early.from, 1_250_000 - Math.round((early.end * 1_000_000) / 48_000));
  const roll = only('drum_roll', { hold: 2 });
  assert.deepEqual([roll.start, roll.end], [sample(roll.at), sample(roll.verdict)]);
  const long = only('drum_roll', { hold: 9.5 });
  assert.deepEqual([long.end - long.start, long.end], [8 * 48_000, sample(long.verdict)]);

  const stamped = heard({}, 'whoosh');
  assert.deepEqual(
    stamped.map(({ source }) => source),
    ['stamp', 'whoosh'],
  );
  assert.equal(stamped[0]!.start, sample(stamped[0]!.verdict));
  assert.deepEqual(
    [heard({ reveal: 'pop' }, 'whoosh'), heard({ sound_field: 'none' }, 'whoosh')].map((clips) => clips.length),
    [1, 0],
  );
});

test("[C45] the common sound of tiles is heard only while a board is open, a tile's own sound always", () => {
  const tier_blocks = [{ start: 0, duration: 3 }];
  const tier_tiles = [
    { tier_item_id: 'fruit', position: 5 },
    { tier_item_id: 'nuts', position: 6, sound_field: 'whoosh' },
  ];
  const timeline = { tier_blocks, tier_tiles, videos: [{ file_field: 'a', volume: 0, duration: 10 }] };
  assert.deepEqual(
    made(timeline, { reveal_sound: 'pop' }).audio.clips.map(({ source }) => source),
    ['whoosh'],
  );
});

test('[C48] blocks fade, but not at the ends of the video, nor where another follows in the same box', () => {
  const tier_blocks = [
    { start: 0, duration: 5 },
    { start: 5, duration: 5 },
    { start: 10, duration: 5, x_percent: 50, width_percent: 50, exit: 'rise', enter_duration: 0.5 },
  ];
  const { painted, canvas } = made({ tier_blocks });
  const windows = painted.board;
  assert.deepEqual(
    windows.map(({ enter, exit }) => [enter, exit]),
    [
      [null, null],
      [null, { kind: 'fade', frames: 9 }],
      [
        { kind: 'fade', frames: 15 },
        { kind: 'rise', frames: 15 },
      ],
    ],
  );
  const last = windows[2]!;
  assert.equal(presenceAt(last, frames(400), last.rect, canvas), null);
  const [first, second] = [300, 301].map((n) => presenceAt(last, frames(n), last.rect, canvas)!.opacity);
  assert.ok(first! > 0 && second! > first!);
  const leaving = presenceAt(last, frames(449), last.rect, canvas)!;
  assert.ok(leaving.y > 0 && leaving.y % 2 === 0 && leaving.opacity > 0 && leaving.opacity < 0.1);
});

test('[C43] words are found in their text, in order; times that go back are an error', () => {
  const subtitle = { text: 'no, no and no', start: 1, duration: 3 };
  const words = [
    { text: 'no', start: 1 },
    { text: 'no', start: 1.5 },
    { text: 'maybe', start: 2 },
    { text: 'no', start: 2.5 },
  ];
  const { painted, warnings } = made({ subtitles: [{ ...subtitle, words }] });
  assert.deepEqual(painted.subtitle[0]!.words, [
    { from: 0, to: 2, at: 30 },
    { from: 4, to: 6, at: 45 },
    { from: 11, to: 13, at: 75 },
  ]);
  assert.ok(warnings.some(({ code, path }) => code === 'subtitle.word_missing' && path.endsWith('/words/2/text')));
  const back = [words[1], words[0]];
  assert.throws(() => made({ subtitles: [{ ...subtitle, words: back }] }), /one after the other/);
});

test('[C56] the counter goes up to the number of items that are in a row at the end', () => {
  assert.equal(made({}).board!.counter, null);
  assert.equal(made({}, { counter: true }).board!.counter, 3, 'soup is in the pool');
  const tier_tiles = [{ tier_item_id: 'soup', position: 4, to_row: 'a' }];
  assert.equal(made({ tier_tiles }, { counter: true }).board!.counter, 4);
});

const HIDDEN = { hidden_until_revealed: false };

test('[C65] an item that is visible before its reveal waits in the pool, and moves to its slot', () => {
  const tier_tiles = [
    { tier_item_id: 'nuts', position: 2 },
    { tier_item_id: 'chips', position: 4, reveal: 'spotlight' },
    { tier_item_id: 'soup', position: 8, to_row: 's', index: 1 },
  ];
  const { board } = made({ tier_tiles }, HIDDEN);
  assert.deepEqual(
    [0, 1, 2, 3].map((settled) => restAfter(board!, settled).lanes),
    [
      [[], [2], [0, 1, 3]],
      [[1], [2], [0, 3]],
      [[0, 1], [2], [3]],
      [[0, 3, 1], [2], []],
    ],
  );
  assert.deepEqual([...restAfter(board!, 0).shown], [0, 1, 2, 3], 'everybody is there from the start');
  assert.deepEqual(
    board!.events.map(({ style }) => style),
    ['pop', 'spotlight', 'move'],
  );
  const hidden = made({ tier_tiles }).board!;
  assert.deepEqual(restAfter(hidden, 3).lanes, restAfter(board!, 3).lanes, 'it ends as it does otherwise');
});

test('[C65] in every case, a board with waiting items ends like one with hidden items', () => {
  const tile = fc.record({
    tier_item_id: fc.constantFrom('chips', 'nuts', 'fruit', 'soup'),
    position: fc.integer({ min: 0, max: 15 }),
    to_row: fc.option(fc.constantFrom('s', 'a'), { nil: undefined }),
    index: fc.option(fc.nat(2), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(tile, { maxLength: 8 }), (tiles) => {
      const tier_tiles = tiles.map(({ index, ...each }) => (each.to_row === undefined ? each : { ...each, index }));
      const [hidden, waiting] = [made({ tier_tiles }).board!, made({ tier_tiles }, HIDDEN).board!];
      const end = (board: typeof hidden) => restAfter(board, board.events.length).lanes;
      const [shown, all] = [end(waiting), end(hidden)];
      assert.deepEqual(shown.slice(0, -1), all.slice(0, -1));
      assert.deepEqual(shown.at(-1)!.toSorted(), all.at(-1)!.toSorted());
      assert.equal(restAfter(waiting, 0).shown.size, 4);
    }),
    { numRuns: 100 },
  );
});

test('[C65] if the pool is never shown, items in no row are not drawn, and their tiles give a warning', () => {
  const tier_tiles = [
    { tier_item_id: 'soup', position: 2 },
    { tier_item_id: 'soup', position: 4, to_row: 'a' },
    { tier_item_id: 'soup', position: 8, to_row: 's' },
  ];
  const { board, warnings } = made({ tier_tiles }, { pool: 'never', ...HIDDEN });
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'tile.not_drawn').map(({ path }) => path),
    ['/timeline_data/tier_tiles/0'],
  );
  assert.deepEqual(restAfter(board!, 0).lanes, [[0, 1], [2], []]);
  assert.deepEqual(
    board!.events.map(({ style }) => style),
    ['pop', 'move'],
    'the first move has nowhere to come from',
  );
  const quiet = made({}, { pool: 'never' }).warnings.filter(({ code }) => code.startsWith('tile.'));
  assert.deepEqual(quiet, []);
});

test('[C44, C56] a hidden item that changes places while another is held up is neither shown nor counted', () => {
  const tier_tiles = [
    { tier_item_id: 'chips', position: 0, reveal: 'spotlight', to_row: 'a', stamp_at: 10 },
    { tier_item_id: 'nuts', position: 2, to_row: 'a' },
    { tier_item_id: 'nuts', position: 15 },
  ];
  const { board } = made({ tier_tiles });
  const state = boardStateAt(board!, frames(150), MIDNIGHT.motion);
  assert.deepEqual(
    state.inFlight.map(({ event, clock }) => [event.item, clock.isOver]),
    [
      [0, false],
      [1, true],
    ],
  );
  // Fruit, and Chips in their old place: Nuts are hidden.
  const landed = state.inFlight.filter(({ clock }) => clock.isOver).map(({ event }) => event);
  assert.equal(inRows(state, landed), 2);
});

test('[C65] a card that leaves a row by a spotlight takes up room there until it takes off', () => {
  const tier_tiles = [
    { tier_item_id: 'chips', position: 2, to_row: 'a', reveal: 'spotlight', hold: 5 },
    { tier_item_id: 'soup', position: 4, to_row: 's' },
  ];
  const { board } = made({ tier_tiles });
  assert.ok(
    fullestMoments(board!).some(([first]) => first === 3),
    'Chips, Nuts and Soup at once',
  );
});
