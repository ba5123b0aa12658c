import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boardRoom, layoutBoard } from '../../../src/paint/layout/board-layout.ts';
import { poseAt } from '../../../src/paint/layout/board-pose.ts';
import type { Box } from '../../../src/paint/layout/box.ts';
import { spotlightPlaces } from '../../../src/paint/layout/spotlight-place.ts';
import { type LitCard, litCards } from '../../../src/paint/layout/spotlight-pose.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';
import { arrangementAfter, boardStateAt } from '../../../src/plan/board-state.ts';
import type { RenderPlan } from '../../../src/plan/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { plannedTiles, randomTiles } from '../../plan/reveal/random-tiles.ts';

const measure = createSkiaMeasure();

/** Every frame's spotlit cards, with the frame on which each card came. */
function* litFrames({
  board,
  painted,
  totalFrames,
  canvas,
  theme,
}: RenderPlan): Generator<(LitCard & { readonly at: number })[]> {
  const layout = layoutBoard(board!, boardRoom(painted.board[0]!.rect, canvas, theme), measure);
  for (let n = 0; n < totalFrames; n += 1) {
    const state = boardStateAt(board!, frames(n));
    const lights = state.inFlight.filter(({ event, clock }) => event.style === 'spotlight' && !clock.isOver);
    if (lights.length === 0) continue;
    const pose = poseAt(layout, state);
    const told = lights.map(({ event: { item, at } }) => {
      const label = board!.rows[pose.laneOf.get(item)!]?.label ?? '';
      return { group: at, name: board!.items[item]!.name, score: '', note: '', label };
    });
    const places = spotlightPlaces(told, layout, measure);
    const placed = lights.map((flight, index) => ({ ...flight, place: places[index]! }));
    yield litCards(placed, pose, layout.panel).map((lit) => {
      return { ...lit, at: lights.find(({ event }) => event.item === lit.item)!.event.at };
    });
  }
}

const middle = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2] as const;

/** From a point to a box; 0 inside. */
function distance([x, y]: readonly [number, number], box: Box): number {
  const [dx, dy] = [Math.max(box.x - x, x - box.x - box.width, 0), Math.max(box.y - y, y - box.y - box.height, 0)];
  return Math.hypot(dx, dy);
}

/** The row in which the spotlight of an item that starts at `at` leaves it, by the tier list and the tiles alone. */
function rowOf({ board }: RenderPlan, item: number, at: number): number {
  const { events } = board!;
  const own = events.findIndex((event) => event.item === item && event.at === at && event.style === 'spotlight');
  return (
    events[own]!.to?.row ?? arrangementAfter(board!, events.slice(0, own)).findIndex((lane) => lane.includes(item))
  );
}

function assertOwnStamps(plan: RenderPlan): number {
  let stamps = 0;
  for (const cards of litFrames(plan)) {
    for (const [index, { item, at, lane, card, stamp }] of cards.entries()) {
      if (stamp === null) continue;
      stamps += 1;
      assert.equal(lane, rowOf(plan, item, at), 'a stamp is of its card’s row');
      const own = distance(middle(stamp.box), card);
      assert.ok(own <= stamp.box.width + card.width * 0.11, 'a stamp is beside its card');
      for (const [place, other] of cards.entries()) {
        if (place === index || other.alpha === 0) continue;
        if (other.at === at)
          assert.ok(own < distance(middle(stamp.box), other.card) + 1e-6, 'a stamp is nearest to its own card');
        // Another one shows only once the stamp is on its own card, and that card is in front.
        else assert.ok(own === 0 && (at > other.at || index > place), 'no other card is seen beside a stamp');
      }
    }
  }
  return stamps;
}

test('[R26] for any tiles, at every frame, a stamp is of the row of the card it stands at', () => {
  let stamps = 0;
  fc.assert(
    fc.property(randomTiles, fc.constantFrom('landscape', 'portrait', 'square'), (tiles, preset) => {
      stamps += assertOwnStamps(plannedTiles(tiles, { seconds: 16, fps: 12 }, preset));
    }),
    { numRuns: 25 },
  );
  assert.ok(stamps > 100, `${stamps} stamps`);
});

test('[R26] spotlights a second apart, and a slam after one: no verdict beside another card', () => {
  const tiles = [0, 1, 2, 3].map((position, item) => ({ item, position, reveal: item === 2 ? 'slam' : 'spotlight' }));
  assert.ok(assertOwnStamps(plannedTiles(tiles, { seconds: 8, fps: 30 })) > 30);
});

test('[R26] the dim neither lifts nor flickers between spotlights that are close', () => {
  // Each takes off at 2.03 s; the picture would begin to lighten before the next one starts.
  const tiles = [0, 2.25, 4.5].map((position, item) => ({ item, position }));
  const dims = [...litFrames(plannedTiles(tiles, { seconds: 9, fps: 30 }))].map((cards) =>
    Math.max(...cards.map(({ look }) => look.dim)),
  );
  const first = dims.indexOf(1);
  const last = dims.lastIndexOf(1);
  assert.ok(last - first > 120 && dims.slice(first, last).every((dim) => dim === 1));
});
