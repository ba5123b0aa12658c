import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Box } from '../../../src/paint/boxes.ts';
import { type BoardLayout, boardRoom, layoutBoard } from '../../../src/paint/layout/board-layout.ts';
import { type BoardPose, poseAt, stillPose } from '../../../src/paint/layout/board-pose.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';
import type { BoardEvent, BoardScene, CardLook } from '../../../src/plan/model/board-scene.ts';
import { CARD_ASPECT } from '../../../src/plan/model/board-scene.ts';
import { arrangementAfter, type Flight } from '../../../src/plan/reveal/board-state.ts';
import { clockAt } from '../../../src/plan/reveal/course.ts';
import { MIDNIGHT } from '../../../src/plan/theme/midnight.ts';
import { type Frames, frames } from '../../../src/time.ts';
import { sampleEvent } from '../sample-plan.ts';

const measure = createSkiaMeasure();
const THEME = { corner: 0.5, name: 'midnight' } as const;
const RATE = { num: 30, den: 1 };

/** A window of that size on a canvas whose shorter side has 1080 pixels. */
function onHd(width: number, height: number) {
  return boardRoom({ width, height }, { width: 1920, height: 1080 }, THEME);
}

/** Boards of any size within the limits (50 rows, 500 items), in windows of any size. */
const boards = fc
  .record({
    rows: fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat(8) }, fc.nat(60)), { maxLength: 50 }),
    pool: fc.oneof(fc.constant(0), fc.nat(40)),
    label: fc.oneof(fc.constant(''), fc.constant('S'), fc.string({ unit: 'grapheme', maxLength: 40 })),
    title: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 120 })),
    width: fc.integer({ min: 20, max: 3840 }),
    height: fc.integer({ min: 20, max: 2160 }),
    hidden: fc.array(fc.nat(), { maxLength: 12 }),
    shape: fc.constantFrom('square' as const, 'portrait' as const, 'landscape' as const),
    names: fc.constantFrom('auto' as const, 'always' as const, 'never' as const),
    stacking: fc.constantFrom('ladder' as const, 'auto' as const),
    poolShown: fc.constantFrom('auto' as const, 'always' as const),
  })
  .map(({ rows, pool, label, title, width, height, hidden, shape, names, stacking, poolShown }) => {
    let next = 0;
    const take = (count: number) => Array.from({ length: Math.min(count, 500 - next) }, () => next++);
    const scene: BoardScene = {
      card: { shape, names },
      title,
      rows: rows.map((count) => ({ label, color: '#7fbfff', items: take(count) })),
      pool: take(pool),
      items: [],
      events: [],
      rate: { num: 30, den: 1 },
      layout: stacking,
      poolShown,
      counter: null,
    };
    const canvas = { width, height };
    const layout = layoutBoard(scene, boardRoom(canvas, canvas, THEME), measure);
    const absent = new Set(next === 0 ? [] : hidden.map((item) => item % next));
    const items = Array.from({ length: next }, (_, item) => item);
    return { scene, width, height, layout, items, absent };
  });

const EPSILON = 1e-6;

function assertInside(inner: Box, outer: Box, what: string): void {
  const fits =
    inner.x >= outer.x - EPSILON &&
    inner.y >= outer.y - EPSILON &&
    inner.x + inner.width <= outer.x + outer.width + EPSILON &&
    inner.y + inner.height <= outer.y + outer.height + EPSILON;
  assert.ok(fits, `${what}: ${JSON.stringify(inner)} is not inside ${JSON.stringify(outer)}`);
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.x + a.width > b.x + EPSILON &&
    b.x + b.width > a.x + EPSILON &&
    a.y + a.height > b.y + EPSILON &&
    b.y + b.height > a.y + EPSILON
  );
}

describe('a board at rest', () => {
  test('[C46, R18, R43] names are where they can be read, whatever their text', () => {
    let [named, beside] = [0, 0];
    fc.assert(
      fc.property(boards, ({ scene, layout, items, width, height }) => {
        const { namePx, besidePx, minNamePx, minBesidePx, cardHeightPx } = layout;
        if (scene.card.names === 'never') assert.deepEqual([namePx, besidePx], [0, 0]);
        if (scene.card.names === 'auto' && namePx > 0) assert.ok(namePx > 1.4 * minNamePx, `${namePx} px`);
        if (besidePx > 0) assert.ok(cardHeightPx > 1.4 * minBesidePx && namePx === 0, `${cardHeightPx} px`);
        const { held } = layout;
        if (besidePx > 0)
          assert.ok(Math.abs(held.namePx - 0.26 * held.cardPx) <= 0.5, `${held.namePx} of ${held.cardPx} px`);
        if (namePx > 0) named += 1;
        if (besidePx > 0) beside += 1;
        const item = { name: 'A name as long as any', image: 0, fit: 'cover', score: '', note: '' } as const;
        const long = items.map(() => item);
        const other = layoutBoard(
          { ...scene, items: long },
          boardRoom({ width, height }, { width, height }, THEME),
          measure,
        );
        assert.deepEqual(other, layout);
      }),
      { numRuns: 200 },
    );
    assert.ok(named > 5 && beside > 0, `${named} boards had names below pictures, ${beside} beside them`);
  });

  test('[R43] a board chooses the card that fills it best, for all rows alike', () => {
    const of = (counts: readonly number[], size: readonly [number, number], names: CardLook['names'] = 'auto') => {
      const [width, height] = size;
      const canvas = { width: Math.round(width / 0.9), height: Math.round(height / 0.9) };
      return layoutBoard(
        rowsOf(counts, { card: { shape: 'square', names } }),
        boardRoom({ width, height }, canvas, THEME),
        measure,
      );
    };
    const placeOf = ({ namePx, besidePx }: BoardLayout) => (besidePx > 0 ? 'beside' : namePx > 0 ? 'below' : 'none');
    const [landscape, portrait, square] = [
      [1728, 972],
      [972, 1728],
      [972, 972],
    ] as const;
    const [few, some, many] = [[1, 3, 4, 2, 1, 1], [4, 5, 6, 5, 5, 4], [15, 30, 40, 30, 20, 15]]; // biome-ignore format: a table
    assert.deepEqual(
      [few, some, many].map((counts) => placeOf(of(counts!, landscape))),
      ['beside', 'beside', 'none'],
    );
    assert.equal(placeOf(of([7, 8, 7, 7, 5, 3], landscape)), 'below');
    assert.deepEqual(
      [few, some, many].map((counts) => placeOf(of(counts!, portrait))),
      ['none', 'none', 'none'],
    );
    assert.deepEqual(
      [few, some, many].map((counts) => placeOf(of(counts!, square))),
      ['below', 'none', 'none'],
    );
    // Names that break have less room beside their pictures, where these are not much smaller for it.
    assert.equal(placeOf(of([3, 3, 3, 3], [972, 880])), 'beside');
    assert.equal(placeOf(of([6, 5, 6, 3], [1728, 880])), 'beside');
    assert.equal(placeOf(of([2, 2, 1, 1, 2, 0], portrait)), 'beside');
    // Small names are better than none on a board that is half empty without them.
    assert.equal(placeOf(of([5, 8, 7, 5, 3, 2], [1836, 853])), 'beside');
    assert.equal(placeOf(of([5, 12, 7, 5, 3, 2], [1836, 853])), 'none');
    // Names have two lines below pictures that are as wide as their rows allow.
    const wide = of([4, 4, 4], [885, 1320]);
    assert.deepEqual([placeOf(wide), wide.lanes[0]!.columns], ['below', 4]);
    assert.ok(wide.namePx >= 2.4 * wide.minNamePx, `${wide.namePx} px`);
    assert.equal(placeOf(of(few!, landscape, 'never')), 'none');
    // The fullest row has no room for another card.
    const { cardPx, gapPx, labelPx, stackPx, besidePx, besideTextPx, minBesidePx, held } = of(few!, landscape);
    const taken = labelPx + gapPx + 4 * (cardPx + gapPx);
    assert.ok(taken <= stackPx && taken > stackPx * 0.95, `${taken} of ${stackPx}`);
    assert.ok(besideTextPx === 1080 / 24 && besidePx >= 5.3 * besideTextPx && minBesidePx === 1080 / 40);
    // Pictures are never much smaller for it.
    assert.ok(cardPx - besidePx > 0.8 * of(few!, landscape, 'never').cardPx);
    assert.equal(held.besidePx, 0, 'held up, it has its name below');
  });

  test('[R43] cards without pictures are as wide as their rows leave room, and have room for a line of text', () => {
    const hd = { width: 1920, height: 1080 };
    for (const size of [
      { width: 1728, height: 972 },
      { width: 885, height: 1380 },
      { width: 972, height: 972 },
    ]) {
      const canvas = size.width < 900 ? { width: 1080, height: 1920 } : hd;
      for (const counts of [
        [1, 0, 1],
        [1, 2, 1, 1, 1],
        [2, 3, 3, 2, 1, 1],
        [4, 5, 4, 3, 2, 2],
        [8, 9, 8, 7, 5, 3],
      ]) {
        const scene = rowsOf(counts, { card: { shape: 'text', names: 'never' } });
        const { cardPx, cardHeightPx, gapPx, labelPx, stackPx, minNamePx, held, lanes } = layoutBoard(
          scene,
          boardRoom(size, canvas, THEME),
          measure,
        );
        const what = `${counts} in ${size.width}×${size.height}`;
        const taken = gapPx + Math.max(...lanes.map(({ columns }) => columns)) * (cardPx + gapPx);
        const isWidest = cardPx >= 4.3 * cardHeightPx;
        assert.ok(isWidest || taken > 0.8 * (stackPx - labelPx), `${what}: ${taken} of ${stackPx - labelPx}`);
        assert.ok(taken <= stackPx - labelPx, what);
        assert.ok(cardHeightPx >= 1.5 * minNamePx, `${what}: ${cardHeightPx} px`);
        assert.ok(held.cardPx <= 1.6 * held.cardHeightPx, 'held up, it is no banner');
      }
    }
  });

  test('[R11] rows are inside the window, cards inside their row, and nothing overlaps', () => {
    fc.assert(
      fc.property(boards, ({ scene, layout, width, height, absent }) => {
        const pose = stillPose(layout, arrangementAfter(scene, []), (item) => !absent.has(item));
        assertInside(layout.panel, { x: 0, y: 0, width, height }, 'the panel');
        pose.lanes.forEach((lane, index) => {
          assertInside(lane, layout.panel, `lane ${index}`);
          if (index > 0) assert.ok(!overlap(lane, pose.lanes[index - 1]!), `lane ${index} lies on the one above`);
          const cards = arrangementAfter(scene, [])[index]!.flatMap((item) => pose.cards.get(item) ?? []);
          const labelPx = layout.lanes[index]!.kind === 'row' ? layout.labelPx : 0;
          const room = { ...lane, x: lane.x + labelPx, width: lane.width - labelPx };
          cards.forEach((card, place) => {
            assertInside(card, room, `card ${place} of lane ${index}`);
            for (const other of cards.slice(0, place)) assert.ok(!overlap(card, other), 'two cards overlap');
          });
        });
      }),
      { numRuns: 150 },
    );
  });

  test('[R11] all cards have one size and the requested shape, and every visible item has one, in the order of its row', () => {
    fc.assert(
      fc.property(boards, ({ scene, layout, items, absent }) => {
        const pose = stillPose(layout, arrangementAfter(scene, []), (item) => !absent.has(item));
        assert.deepEqual(
          [...pose.cards.keys()].sort((a, b) => a - b),
          items.filter((item) => !absent.has(item)),
        );
        for (const { width, height } of pose.cards.values()) {
          assert.equal(width, layout.cardPx);
          assert.equal(height, layout.cardHeightPx);
        }
        const pictureHeight = layout.cardHeightPx - layout.namePx;
        const pictureWidth = layout.cardPx - layout.besidePx;
        assert.ok(Math.abs(pictureHeight - pictureWidth / CARD_ASPECT[scene.card.shape]) < 1);
        for (const lane of arrangementAfter(scene, [])) {
          const cards = lane.flatMap((item) => pose.cards.get(item) ?? []);
          for (let place = 1; place < cards.length; place += 1) {
            const [before, here] = [cards[place - 1]!, cards[place]!];
            assert.ok(here.y > before.y + EPSILON || (here.y === before.y && here.x > before.x), 'out of order');
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('[R11] title and labels are inside the panel and overlap nothing', () => {
    fc.assert(
      fc.property(boards, ({ layout, scene }) => {
        if (layout.title !== null) {
          const { block, box } = layout.title;
          assertInside(box, layout.panel, 'the title');
          assert.ok(block.widthPx <= box.width + EPSILON || block.lines.every((line) => [...line.text].length <= 2));
          assert.ok(box.y + box.height <= layout.lanesBox.y + EPSILON, 'the title reaches into the rows');
        }
        layout.labels.forEach((label, row) => {
          if (label === null) return;
          assert.ok(label.sizePx >= layout.minTextPx - EPSILON, `label ${row} is too small to read`);
          assert.ok(label.heightPx <= layout.cardHeightPx + 2 * layout.gapPx + EPSILON, `label ${row} is too tall`);
        });
        assert.equal(layout.labels.length, scene.rows.length);
      }),
      { numRuns: 150 },
    );
  });

  test('[R11] the card size is the largest that fits: one pixel more, and the gaps with it, does not', () => {
    // 3 rows of 5 in a wide window are bound by its height.
    const scene = rowsOf([5, 5, 5]);
    const layout = layoutBoard(scene, onHd(1728, 972), measure);
    const taken = 3 * (layout.cardHeightPx + 2 * layout.gapPx) + 2 * layout.laneGapPx;
    assert.ok(
      taken <= layout.lanesBox.height && taken + 12 > layout.lanesBox.height,
      `${taken} of ${layout.lanesBox.height}`,
    );
  });

  const stacksIn = (counts: readonly number[], width: number, height: number, layout: BoardScene['layout']) => {
    const { rowsPerStack, cardPx, besidePx, cardHeightPx } = layoutBoard(
      rowsOf(counts, { layout }),
      onHd(width, height),
      measure,
    );
    const picturePx = cardPx - besidePx;
    const stacks = Math.ceil(counts.length / rowsPerStack);
    return { stacks, picturePx, sidePx: Math.min(picturePx, cardHeightPx) };
  };
  const WINDOWS = [[1728, 972], [885, 1380], [972, 972], [1152, 972], [1728, 240], [600, 400]] as const; // biome-ignore format: a table

  test('[C53] rows are in one column, in every preset, while the shorter side of a card has 40 px', () => {
    assert.equal(stacksIn([4, 3, 5, 4, 3, 2], 1728, 972, 'ladder').stacks, 1, 'S A B C D F');
    assert.equal(stacksIn([4, 3, 5, 4, 3, 2], 972, 972, 'ladder').stacks, 1);
    let [ladders, broken] = [0, 0];
    for (const [width, height] of WINDOWS) {
      for (const rows of [1, 4, 6, 10, 16, 30, 50]) {
        for (const items of [0, 1, 4, 12]) {
          const counts = Array<number>(rows).fill(items);
          const { stacks, sidePx } = stacksIn(counts, width, height, 'ladder');
          const oneColumn = layoutBoard(
            rowsOf(counts, { card: { shape: 'square', names: 'never' } }),
            { ...onHd(width, height), minCardPx: 0 },
            measure,
          );
          const isLadder = oneColumn.cardPx >= 40;
          if (isLadder) assert.equal(stacks, 1, `${rows} rows of ${items} in ${width}×${height}`);
          else assert.ok(stacks === 1 || sidePx > oneColumn.cardPx, 'side by side for larger cards only');
          if (isLadder) ladders += 1;
          else if (stacks > 1) broken += 1;
        }
      }
    }
    assert.ok(ladders > 40 && broken > 10, `${ladders} ladders, ${broken} broken`);
  });

  test('[C53] with auto, rows are side by side if cards become at least 15 % larger', () => {
    assert.equal(stacksIn([4, 4, 4], 1728, 972, 'auto').stacks, 1);
    assert.equal(stacksIn(Array(6).fill(3), 1728, 972, 'auto').stacks, 2);
    assert.equal(stacksIn(Array(8).fill(4), 1728, 972, 'auto').stacks, 2);
    for (const [width, height] of WINDOWS) {
      for (const rows of [2, 5, 6, 8, 12, 20]) {
        for (const items of [1, 3, 10]) {
          const counts = Array<number>(rows).fill(items);
          const [free, ladder] = [stacksIn(counts, width, height, 'auto'), stacksIn(counts, width, height, 'ladder')];
          if (free.stacks > 1 && ladder.stacks === 1)
            assert.ok(free.picturePx >= ladder.picturePx * 1.1, `${rows} of ${items}`);
        }
      }
    }
  });

  test('[R11] labels use the room that cards leave, and their letters are large', () => {
    const letterOf = (counts: readonly number[], width: number, height: number) => {
      const layout = layoutBoard(rowsOf(counts), onHd(width, height), measure);
      return layout.labels[0]!.sizePx;
    };
    assert.ok(letterOf([3, 3, 3, 3, 3], 885, 1380) > 80, 'beside cards that leave half of their rows');
    assert.ok(letterOf(Array(6).fill(1), 885, 1380) > 45, 'in rows side by side');
    for (let rows = 1; rows <= 12; rows += 1) {
      for (const items of [1, 3, 6, 10]) {
        for (const [width, height] of [
          [1728, 972],
          [885, 1380],
          [972, 972],
        ] as const) {
          const px = letterOf(Array(rows).fill(items), width, height);
          assert.ok(px >= 24, `${rows} rows of ${items} in ${width}×${height}: ${px} px`);
        }
      }
    }
  });

  test('[R31] all labels have one size: they wrap, shrink together, and only the long one is cut', () => {
    const blocksOf = (labels: readonly string[], width = 1728) => {
      const scene = rowsOf(labels.map(() => 3));
      const rows = scene.rows.map((row, index) => ({ ...row, label: labels[index]! }));
      const layout = layoutBoard({ ...scene, rows }, onHd(width, 972), measure);
      const blocks = layout.labels.map((block) => block!);
      assert.equal(new Set(blocks.map(({ sizePx }) => sizePx)).size, 1, labels.join());
      return blocks;
    };
    const texts = (blocks: ReturnType<typeof blocksOf>) => blocks.map(({ lines }) => lines.map(({ text }) => text));
    assert.deepEqual(texts(blocksOf(['S', 'A', 'B'])), [['S'], ['A'], ['B']]);
    assert.deepEqual(texts(blocksOf(['Must watch', 'Good', 'Meh'])), [['Must', 'watch'], ['Good'], ['Meh']]);
    const long =
      'Everything that nobody in their right mind would ever want to see a second time, not even for money. ';
    const [first, ...others] = texts(blocksOf([long.repeat(3), 'A', 'B'], 500));
    assert.match(first!.at(-1)!, /…$/u);
    assert.deepEqual(others, [['A'], ['B']]);
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 2, maxLength: 8 }), (labels) => {
        const scene = rowsOf(labels.map(() => 2));
        const rows = scene.rows.map((row, index) => ({ ...row, label: labels[index]! }));
        const sizes = layoutBoard({ ...scene, rows }, onHd(885, 1380), measure).labels.flatMap(
          (block) => block?.sizePx ?? [],
        );
        assert.ok(new Set(sizes).size <= 1, `${sizes}`);
      }),
      { numRuns: 40 },
    );
  });

  test('[R31] a title shrinks to 75 % before it takes a second line', () => {
    const titleOf = (title: string) => layoutBoard(rowsOf([3, 3], { title }), onHd(1728, 972), measure).title!.block;
    const usual = titleOf('Planets').sizePx;
    let title = 'Every planet ranked';
    let smallest = usual;
    for (; titleOf(title).lines.length === 1; title += ' again') smallest = Math.min(smallest, titleOf(title).sizePx);
    assert.ok(smallest < 0.82 * usual && smallest >= 0.75 * usual - 1e-6, `${smallest} of ${usual}`);
    assert.ok(titleOf(title).sizePx <= 0.75 * usual + 1e-6);
  });

  test('[C65] cards fit the fullest moment, not the sum of the fullest rows', () => {
    const to = (item: number, row: number, at: number) =>
      sampleEvent({ item, style: 'none', to: { row, index: null }, at: frames(at) }, RATE);
    // Thirty cards move from row to row.
    const all = Array.from({ length: 30 }, (_, item) => item);
    const events = [1, 2, 3].flatMap((row) => all.map((item) => to(item, row, row * 100 + item)));
    const scene = rowsOf([30, 0, 0, 0], { events });
    const room = onHd(885, 1000);
    const wandering = layoutBoard(scene, room, measure);
    const still = layoutBoard(rowsOf([30, 30, 30, 30]), room, measure);
    assert.ok(wandering.cardPx > still.cardPx * 1.2, `${wandering.cardPx} px, not ${still.cardPx} px`);
    for (let done = 0; done <= events.length; done += 1) {
      const { lanes } = stillPose(wandering, arrangementAfter(scene, events.slice(0, done)), () => true);
      lanes.forEach((lane, index) => {
        assertInside(lane, wandering.lanesBox, `lane ${index} after ${done} moves`);
        if (index > 0) assert.ok(!overlap(lane, lanes[index - 1]!), `lane ${index} after ${done} moves`);
      });
    }
  });

  test('[C65] an empty pool takes no room, unless it is always shown, and closes as its last card leaves', () => {
    const event = sampleEvent({ item: 0, style: 'move', to: { row: 0, index: null }, at: frames(0) }, RATE);
    const sceneOf = (poolShown: BoardScene['poolShown']) => ({
      ...rowsOf([0, 0]),
      pool: [0],
      events: [event],
      poolShown,
    });
    for (const poolShown of ['auto', 'always'] as const) {
      const scene = sceneOf(poolShown);
      const layout = layoutBoard(scene, onHd(1728, 972), measure);
      const poolAt = (frame: number): number => {
        const lanes = arrangementAfter(scene, []);
        return poseAt(layout, {
          lanes,
          shown: new Set([0]),
          inFlight: [{ event, clock: clockAt(event, frames(frame), RATE, MIDNIGHT.motion) }],
        }).lanes.at(-1)!.height;
      };
      assert.ok(poolAt(0) > layout.cardHeightPx);
      if (poolShown === 'always') assert.equal(poolAt(event.lands), poolAt(0));
      else {
        const heights = Array.from({ length: event.lands + 1 }, (_, frame) => poolAt(frame));
        assert.equal(heights.at(-1), 0);
        const steps = heights.slice(1).map((height, index) => heights[index]! - height);
        assert.ok(Math.max(...steps) < heights[0]! / 5 && Math.min(...steps) >= 0, 'it closes smoothly');
      }
    }
    const bare = (poolShown: BoardScene['poolShown']) =>
      layoutBoard(rowsOf([2, 2], { poolShown }), onHd(1728, 972), measure).lanes.length;
    assert.deepEqual([bare('auto'), bare('always')], [2, 3]);
  });

  test('[R11] rows of a shorter stack are no taller than those beside them', () => {
    const scene = rowsOf(Array(7).fill(4), { layout: 'auto' });
    const layout = layoutBoard(scene, onHd(1728, 972), measure);
    assert.equal(layout.rowsPerStack, 4);
    const { lanes } = stillPose(layout, arrangementAfter(scene, []), () => true);
    for (const row of [0, 1, 2]) {
      assert.deepEqual([lanes[4 + row]!.y, lanes[4 + row]!.height], [lanes[row]!.y, lanes[row]!.height]);
    }
  });

  test('[R11] identical input gives identical layout and pose', () => {
    fc.assert(
      fc.property(boards, ({ scene, width, height, layout, absent }) => {
        const again = layoutBoard(
          structuredClone(scene),
          boardRoom({ width, height }, { width, height }, THEME),
          measure,
        );
        assert.deepEqual(again, layout);
        const isShown = (item: number) => !absent.has(item);
        const lanes = arrangementAfter(scene, []);
        assert.deepEqual(stillPose(again, lanes, isShown), stillPose(layout, lanes, isShown));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a board in motion', () => {
  const flights = fc.record({
    board: boards,
    style: fc.constantFrom<BoardEvent['style']>('pop', 'spotlight'),
    progress: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
  });

  /** Where every visible card is; those in flight only count once their room is open. */
  function places(
    { scene, layout }: { scene: BoardScene; layout: BoardLayout },
    shown: ReadonlySet<number>,
    flying: Map<number, number>,
    style: BoardEvent['style'],
  ): BoardPose {
    const inFlight = [...flying]
      .sort(([, a], [, b]) => b - a)
      .map(([item, progress]) => flightOf(item, progress, style));
    return poseAt(layout, { lanes: arrangementAfter(scene, []), shown, inFlight });
  }

  test('[R13] progress 0 is the still board before, progress 1 the still board after, whatever other cards are in flight', () => {
    fc.assert(
      fc.property(flights, ({ board, style, progress }) => {
        const { items, absent } = board;
        const shown = new Set(items.filter((item) => !absent.has(item)));
        const flying = new Map([...absent].map((item, index) => [item, progress[index]!]));
        for (const subject of absent) {
          const others = new Map(flying);
          others.delete(subject);
          const without = places(board, shown, others, style);
          const atZero = places(board, shown, new Map([...others, [subject, 0]]), style);
          assertSamePose(atZero, without, [...shown]);
          const landed = places(board, new Set([...shown, subject]), others, style);
          const atOne = places(board, shown, new Map([...others, [subject, 1]]), style);
          assertSamePose(atOne, landed, [...shown, subject]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('[R13] a small step in time is a small step on the board, for any number of reveals at once', () => {
    fc.assert(
      fc.property(flights, fc.double({ min: 0, max: 1, noNaN: true }), ({ board, style, progress }, when) => {
        const { items, absent, width, height } = board;
        const shown = new Set(items.filter((item) => !absent.has(item)));
        const step = 1e-5;
        const at = (shift: number) =>
          places(
            board,
            shown,
            new Map([...absent].map((item, i) => [item, Math.min(1, progress[i]! * when + shift)])),
            style,
          );
        const [before, after] = [at(0), at(step)];
        // Ease curves are nowhere steeper than 12, and no card travels further than the window's two sides.
        const most = step * 12 * (absent.size + 1) * (width + height) + EPSILON;
        for (const item of shown) {
          const [a, b] = [before.cards.get(item)!, after.cards.get(item)!];
          assert.ok(Math.abs(a.x - b.x) <= most && Math.abs(a.y - b.y) <= most, `card ${item} jumps`);
          // A split card is as large as one, and its parts appear and disappear small.
          const total = (pose: BoardPose) =>
            (pose.wrapping.get(item) ?? [a]).reduce((sum, { width }) => sum + width, 0);
          assert.ok(Math.abs(total(before) - a.width) < 1e-3 && Math.abs(total(after) - a.width) < 1e-3);
        }
        before.lanes.forEach((lane, index) => {
          assert.ok(Math.abs(lane.y - after.lanes[index]!.y) <= most, `lane ${index} jumps`);
        });
      }),
      { numRuns: 100 },
    );
  });

  test('[R13] cards that make room never overlap, not even from line to line', () => {
    fc.assert(
      fc.property(
        boards,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ scene, layout, items }, pick, progress) => {
          if (items.length === 0) return;
          const item = pick % items.length;
          const shown = new Set(items.filter((other) => other !== item));
          const lanes = arrangementAfter(scene, []);
          const pose = poseAt(layout, { lanes, shown, inFlight: [flightOf(item, progress, 'pop')] });
          layout.lanes.forEach((_, laneIndex) => {
            const drawn = lanes[laneIndex]!.filter((other) => other !== item)
              .flatMap((other) => pose.wrapping.get(other) ?? [pose.cards.get(other)!])
              .filter(({ width }) => width > EPSILON);
            drawn.forEach((box, index) => {
              assertInside(box, pose.lanes[laneIndex]!, 'a card making room');
              for (const other of drawn.slice(0, index)) assert.ok(!overlap(box, other), 'two cards overlap');
            });
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  test('[R13] a row that gains a line grows, and the others make room', () => {
    const scene = rowsOf([9, 1, 1]);
    const layout = layoutBoard(scene, onHd(900, 900), measure);
    const { columns } = layout.lanes[0]!;
    assert.ok(columns < 9, 'nine cards need a second line here');
    const lanes = arrangementAfter(scene, []);
    const one = stillPose(layout, lanes, (item) => item < columns);
    const two = stillPose(layout, lanes, (item) => item <= columns);
    assert.ok(two.lanes[0]!.height > one.lanes[0]!.height && two.lanes[1]!.height < one.lanes[1]!.height);
    const shown = new Set(Array.from({ length: columns }, (_, item) => item));
    const half = poseAt(layout, { lanes, shown, inFlight: [flightOf(columns, 0.2, 'pop')] });
    assert.ok(half.lanes[0]!.height > one.lanes[0]!.height && half.lanes[0]!.height < two.lanes[0]!.height);
  });
});

function flightOf(item: number, progress: number, style: BoardEvent['style']): Flight {
  const rate = { num: 1000, den: 1 };
  const event = sampleEvent({ item, style, at: frames(0) }, rate);
  return { event, clock: clockAt(event, (progress * event.end) as Frames, rate, MIDNIGHT.motion) };
}

function rowsOf(counts: readonly number[], change: Partial<BoardScene> = {}): BoardScene {
  let next = 0;
  const rows = counts.map((count) => ({
    label: 'A',
    color: '#ffffff',
    items: Array.from({ length: count }, () => next++),
  }));
  const rate = { num: 30, den: 1 };
  return {
    card: { shape: 'square', names: 'auto' },
    title: '',
    rows,
    pool: [],
    items: [],
    events: [],
    rate,
    layout: 'ladder',
    poolShown: 'auto',
    counter: null,
    ...change,
  };
}

function assertSamePose(actual: BoardPose, expected: BoardPose, items: readonly number[]): void {
  const near = (a: Box, b: Box) =>
    Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.width - b.width) + Math.abs(a.height - b.height) < 1e-3;
  actual.lanes.forEach((lane, index) => {
    assert.ok(near(lane, expected.lanes[index]!), `lane ${index} differs`);
  });
  for (const item of items) {
    const [a, b] = [actual.cards.get(item)!, expected.cards.get(item)!];
    assert.ok(near(a, b), `card ${item}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`);
  }
}
