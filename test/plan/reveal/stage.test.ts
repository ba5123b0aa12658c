import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BoardEvent } from '../../../src/plan/model/board-scene.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { framesToPass } from '../../../src/time.ts';
import { plannedTiles, randomTiles, type Tile } from './random-tiles.ts';

const spotlights = (...positions: number[]): Tile[] => positions.map((position, item) => ({ item, position }));

/** In hundredths of a second, after the event's own frame but for the first of them. */
function courses({ board, rate }: RenderPlan): (string | number)[][] {
  const hundredths = (frame: number) => Math.round((frame * rate.den * 100) / rate.num);
  return board!.events.map(({ style, at, verdict, takeOff, lands }) => [
    style,
    hundredths(at),
    ...[verdict, takeOff, lands].map((frame) => hundredths(frame - at)),
  ]);
}

function noRoom({ warnings }: RenderPlan): string[] {
  return warnings.filter(({ code }) => code === 'tile.no_room').map(({ path }) => path.split('/').at(-1)!);
}

test('[R26] a spotlight with room has its verdict at 1.25, takes off at 2.03 and lands at 2.48', () => {
  assert.deepEqual(courses(plannedTiles(spotlights(1), { fps: 60 })), [['spotlight', 100, 125, 203, 248]]);
  const { at, end } = plannedTiles(spotlights(1), { fps: 60 }).board!.events[0]!;
  assert.ok(Math.abs((end - at) / 60 - 2.94) < 1 / 60);
});

test('[R41] a card of the first row is held a third longer, the last of them twice as long; a hold of its own stays', () => {
  const tiles = [0, 4, 8].map((position, item) => ({ item, position, to_row: 'first', reveal: 'spotlight' }));
  const verdicts = (more: object, settings = {}) =>
    courses(plannedTiles(tiles.map((tile) => ({ ...tile, ...more })) as Tile[], { fps: 60, ...settings })).map(
      (course) => course[2],
    );
  assert.deepEqual(verdicts({}), [155, 155, 215]);
  assert.deepEqual(verdicts({ hold: 0.6 }), [95, 95, 95]);
  assert.deepEqual(verdicts({}, { reveal_hold: 0.3 }), [75, 75, 95]);
});

test('[R26] tiles at 0, 1 and 2 s: two shortened spotlights that take off after a second, then a full one', () => {
  const example = plannedTiles(spotlights(0, 1, 2), { fps: 60 });
  assert.deepEqual(courses(example), [
    ['spotlight', 0, 60, 100, 145],
    ['spotlight', 100, 60, 100, 145],
    ['spotlight', 200, 125, 203, 248],
  ]);
  assert.deepEqual(noRoom(example), []);
});

test('[R26] the hold is shortened first, then the verdict, then the tile itself', () => {
  const second = (apart: number) => courses(plannedTiles(spotlights(0, apart), { fps: 60 }))[0];
  assert.deepEqual(second(2.03), ['spotlight', 0, 125, 203, 248]);
  assert.deepEqual(second(1.7), ['spotlight', 0, 92, 170, 215]);
  assert.deepEqual(second(1.2), ['spotlight', 0, 60, 120, 165]);
  assert.deepEqual(second(0.85), ['spotlight', 0, 60, 85, 130]);
  const tooClose = plannedTiles(spotlights(0, 0.8), { fps: 60 });
  assert.deepEqual(courses(tooClose)[0], ['pop', 0, 28, 0, 28]);
  assert.deepEqual(noRoom(tooClose), ['0']);
  // A tile that becomes a pop leaves its time to the one before it.
  assert.deepEqual(courses(plannedTiles(spotlights(0, 1, 1.5), { fps: 60 }))[0], ['spotlight', 0, 72, 150, 195]);
});

test('[R26, C55] a shorter hold in the settings is kept', () => {
  const brief = plannedTiles(spotlights(0, 0.7), { fps: 60, reveal_hold: 0.1 });
  assert.deepEqual(courses(brief)[0], ['spotlight', 0, 45, 70, 115]);
});

test('[R26] a slam ends the stage of the spotlight before it, a pop does not', () => {
  const then = (reveal: string) =>
    courses(plannedTiles([...spotlights(0), { item: 1, position: 1, reveal }], { fps: 60 }));
  assert.deepEqual(then('slam')[0], ['spotlight', 0, 60, 85, 130]);
  assert.deepEqual(then('pop')[0], ['spotlight', 0, 125, 203, 248]);
  const move = [{ item: 0, position: 0 }, { item: 1, position: 1, to_row: 'f', reveal: 'spotlight' }]; // biome-ignore format: a pair
  assert.deepEqual(courses(plannedTiles(move, { fps: 60 })), [
    ['spotlight', 0, 60, 100, 145],
    ['spotlight', 100, 125, 203, 248],
  ]);
});

test('[R26] spotlights of one frame take off together, after the last verdict', () => {
  const group = plannedTiles([{ item: 0, position: 1 }, { item: 1, position: 1, hold: 2 }, { item: 2, position: 1 }], { fps: 60 }); // biome-ignore format: a group
  assert.deepEqual(courses(group), [
    ['spotlight', 100, 125, 313, 358],
    ['spotlight', 100, 235, 313, 358],
    ['spotlight', 100, 125, 313, 358],
  ]);
});

test('[R26, C55] a hold or a verdict that the tile sets is kept; a tile that starts before it pops at its own verdict', () => {
  for (const own of [{ hold: 3.65 }, { stamp_at: 4 }]) {
    const held = plannedTiles([{ item: 0, position: 0, ...own }, { item: 1, position: 1 }, { item: 2, position: 4.1 }], { fps: 60 }); // biome-ignore format: a list
    assert.deepEqual(courses(held), [
      ['spotlight', 0, 400, 425, 470],
      ['pop', 225, 28, 0, 28],
      ['spotlight', 425, 125, 203, 248],
    ]);
    assert.deepEqual(noRoom(held), ['1']);
  }
});

test('[C55] a verdict less than 0.35 s after its tile waits for the entrance; one before it is an error', () => {
  assert.deepEqual(courses(plannedTiles([{ item: 0, position: 1, stamp_at: 1.1 }], { fps: 60 })), [
    ['spotlight', 100, 35, 113, 158],
  ]);
  assert.throws(
    () => plannedTiles([{ item: 0, position: 1, stamp_at: 0.9 }]),
    ({ issues }: { issues: { code: string; path: string }[] }) =>
      issues[0]!.code === 'tile.stamp_before_position' && issues[0]!.path.endsWith('/0/stamp_at'),
  );
});

test('[C55] hold and stamp_at have no effect on other styles, and give a warning', () => {
  const { warnings } = plannedTiles([
    { item: 0, position: 1, reveal: 'pop', hold: 2 },
    { item: 1, position: 2, to_row: 'f', stamp_at: 3 },
  ]);
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/tier_tiles/0/hold field.unused', '/timeline_data/tier_tiles/1/stamp_at field.unused'],
  );
});

test('[C55] a move uses the style of its own tile, never settings.reveal', () => {
  const moves = ['none', 'pop', 'slam', 'spotlight', undefined].map((reveal, item) => {
    return { item, position: 1 + 4 * item, to_row: 'f', ...(reveal !== undefined && { reveal }) };
  });
  assert.deepEqual(
    plannedTiles(moves).board!.events.map(({ style, to }) => [style, to!.row]),
    ['none', 'pop', 'slam', 'spotlight', 'move'].map((style) => [style, 3]),
  );
});

test('[R26] the end of the board is the end of the stage: every started spotlight lands', () => {
  const last = (position: number) => courses(plannedTiles(spotlights(position), { seconds: 10, fps: 60 }))[0];
  assert.deepEqual(last(7), ['spotlight', 700, 125, 203, 248]);
  assert.deepEqual(last(8), ['spotlight', 800, 60, 132, 177]);
  assert.deepEqual(last(8.6), ['pop', 860, 28, 0, 28]);
  // A verdict that comes too late for a stamp is kept as long as a pop is seen.
  const own = (stamp_at: number) =>
    courses(plannedTiles([{ item: 0, position: 5, stamp_at }], { seconds: 10, fps: 60 }))[0];
  assert.deepEqual(own(9), ['spotlight', 500, 400, 432, 477]);
  assert.deepEqual(own(9.3), ['pop', 930, 28, 0, 28]);
  assert.deepEqual(own(20), ['pop', 500, 28, 0, 28]);
});

test('[R26, C44] an item does one thing at a time, on the stage too', () => {
  const twice = plannedTiles([{ item: 0, position: 0 }, { item: 0, position: 1, to_row: 'f', reveal: 'spotlight' }], { fps: 60 }); // biome-ignore format: a list
  assert.deepEqual(courses(twice), [
    ['spotlight', 0, 125, 203, 248],
    ['spotlight', 295, 125, 203, 248],
  ]);
});

test('[R26] between spotlights less than 0.3 s apart the dim stays down', () => {
  const lightens = (next: number) => {
    const [{ takeOff, lightens: at, lands }] = plannedTiles(spotlights(0, next), { fps: 60 }).board!.events as [
      BoardEvent,
    ];
    return at === lands ? 'with the next' : at - takeOff;
  };
  assert.deepEqual([lightens(2.32), lightens(2.34)], ['with the next', 6]);
});

test("[R26] for any tiles the stage has one frame's cards at a time, everything lands, and explicit verdicts are kept", () => {
  fc.assert(
    fc.property(
      randomTiles,
      fc.constantFrom(5, 12, 23.976, 30, 60),
      fc.integer({ min: 3, max: 20 }),
      (defined, fps, seconds) => {
        const { board, rate } = plannedTiles(defined, { fps, seconds });
        const { events } = board!;
        const onStage = events.filter(({ style }) => style === 'spotlight' || style === 'slam');
        for (const event of events) {
          const { at, verdict, takeOff, lightens, lands } = event;
          assert.ok(at <= takeOff && takeOff <= lands && lightens >= takeOff && lands <= event.end);
          if (event.style === 'spotlight') {
            assert.ok(verdict >= at && takeOff - verdict >= framesToPass(0.25, rate), 'a verdict is seen');
            const starts = onStage.filter((other) => other.at > at && other.at < takeOff);
            assert.deepEqual(starts, [], 'nobody else starts on the stage before take-off');
            if (at * rate.den < seconds * rate.num) assert.ok(lands * rate.den <= seconds * rate.num, 'it lands');
          }
          const others = events.filter((other) => other !== event && other.item === event.item);
          for (const other of others) {
            assert.ok(other.end <= at || event.end <= other.at || other.at === other.end, 'one thing at a time');
          }
        }
        // A tile gets what it asks for: as a stamp, or as a pop if there is no room for one.
        for (const [index, { position, stamp_at, reveal, to_row, item }] of defined.entries()) {
          const style = reveal ?? (to_row === undefined ? 'spotlight' : 'move');
          const isAlone = defined.every((other, at) => at === index || other.item !== item);
          if (style !== 'spotlight' || stamp_at === undefined || !isAlone || (stamp_at as number) + 1.5 > seconds)
            continue;
          const asked = Math.max(stamp_at as number, position + 0.35);
          const { style: became, at, verdict } = events.find((event) => event.item === item)!;
          const given = became === 'pop' ? at : verdict;
          assert.ok(Math.abs((given * rate.den) / rate.num - asked) <= (1.01 * rate.den) / rate.num, 'own verdict');
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('[R26] a tile that would pop after the board has closed pops at its own frame', () => {
  const late = plannedTiles([{ item: 0, position: 0, stamp_at: 18 }, { item: 1, position: 17, hold: 5 }], { fps: 60, seconds: 20 }); // biome-ignore format: a pair
  assert.deepEqual(courses(late)[1], ['pop', 1700, 28, 0, 28]);
});
