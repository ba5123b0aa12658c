import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Box } from '../../../src/paint/boxes.ts';
import { type SlammedCard, slammedCards } from '../../../src/paint/draw/motion/slammed-cards.ts';
import { boardRoom, layoutBoard } from '../../../src/paint/layout/board-layout.ts';
import { type BoardPose, poseAt } from '../../../src/paint/layout/board-pose.ts';
import { spotlightPlaces } from '../../../src/paint/layout/spotlight-place.ts';
import { type LitCard, litCards } from '../../../src/paint/layout/spotlight-pose.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { arrangementAfter, boardStateAt } from '../../../src/plan/reveal/board-state.ts';
import { dimAt, hasLanded } from '../../../src/plan/reveal/event-styles.ts';
import { lookOf } from '../../../src/plan/theme/theme-looks.ts';
import { frames } from '../../../src/time.ts';
import { plannedTiles, randomTiles } from '../../plan/reveal/random-tiles.ts';

const measure = createSkiaMeasure();

/** What is in front of the board at a frame: spotlit cards, with the frame on which each came, and slammed ones. */
interface FrontFrame {
  readonly lit: readonly (LitCard & { readonly at: number })[];
  readonly slammed: readonly SlammedCard[];
  readonly pose: BoardPose;
  readonly panel: Box;
}

/** Every frame on which a spotlight is under way. */
function* litFrames({ board, painted, totalFrames, canvas, theme, rate }: RenderPlan): Generator<FrontFrame> {
  const layout = layoutBoard(board!, boardRoom(painted.board[0]!.rect, canvas, theme), measure);
  for (let n = 0; n < totalFrames; n += 1) {
    const state = boardStateAt(board!, frames(n), lookOf(theme).motion);
    const lights = state.inFlight.filter(({ event, clock }) => event.style === 'spotlight' && !clock.isOver);
    if (lights.length === 0) continue;
    const pose = poseAt(layout, state);
    const reported = lights.map(({ event: { item, at } }) => {
      const label = board!.rows[pose.laneOf.get(item)!]?.label ?? '';
      return { group: at, name: board!.items[item]!.name, score: '', note: '', label };
    });
    const places = spotlightPlaces(reported, { ...layout, ...layout.held }, measure);
    const placed = lights.map((flight, index) => ({ ...flight, place: places[index]! }));
    const slams = state.inFlight.filter(({ event }) => event.style === 'slam');
    const lit = litCards(placed, slams, pose, layout.panel).map((card) => {
      return { ...card, at: lights.find(({ event }) => event.item === card.item)!.event.at };
    });
    const falling = slams.filter(({ clock }) => !hasLanded(clock));
    yield { lit, slammed: slammedCards(falling, lights, pose, layout, rate), pose, panel: layout.panel };
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

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** A stamp stays inside the panel. */
function assertWithin({ box }: NonNullable<LitCard['stamp']>, panel: Box): void {
  const [x, y] = middle(box);
  const [across, down] = [box.width / 2, box.height / 2];
  const over = Math.max(panel.x - x + across, x + across - panel.x - panel.width);
  const above = Math.max(panel.y - y + down, y + down - panel.y - panel.height);
  assert.ok(over < 1e-6 && above < 1e-6, `a stamp is inside the panel, not ${over} and ${above} px outside`);
}

function assertOwnStamps(plan: RenderPlan): number {
  let stamps = 0;
  for (const { lit: cards, panel } of litFrames(plan)) {
    for (const [index, { item, at, lane, look, place: still, card, stamp }] of cards.entries()) {
      if (stamp === null) continue;
      stamps += 1;
      if (look.flight === 0) assertWithin(stamp, panel);
      assert.equal(lane, rowOf(plan, item, at), 'a stamp is of its card’s row');
      const own = distance(middle(stamp.box), card);
      const { card: rests, note } = still;
      const below = note === null ? 0 : note.box.y + note.box.height - rests.y - rests.height;
      // One that falls is still above the picture.
      if (look.stamp <= 1) assert.ok(!overlap(stamp.box, card), '[R41] a stamp is never over its card');
      assert.ok(own <= stamp.box.width + card.width * 0.11 + below, 'a stamp is beside its card, or below its note');
      for (const [place, other] of cards.entries()) {
        // Without its glow a card has not come onto the stage yet, or waits on the board.
        if (place === index || other.alpha === 0 || other.glow === 0) continue;
        if (other.at === at)
          assert.ok(own < distance(middle(stamp.box), other.card) + 1e-6, 'a stamp is nearest to its own card');
        // One that is on its way to its slot may still be seen when the next verdict falls at once.
        else if (other.look.flight > 0 && at > other.at) continue;
        else assert.fail('no other card is seen while a stamp fades');
      }
    }
  }
  return stamps;
}

test('[R26, R41] for any tiles, at every frame, a stamp shows the row of its own card, and is not over it', () => {
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

test('[R26] a card that waits on the board never blinks when its spotlight starts while another card takes off', () => {
  const tiles = [
    { item: 0, position: 0 },
    { item: 3, position: 1, to_row: 'f', reveal: 'spotlight' },
    { item: 4, position: 2, to_row: 's', reveal: 'spotlight' },
  ];
  const fronts = [...litFrames(plannedTiles(tiles, { seconds: 8, fps: 30 }))];
  for (const item of [3, 4]) {
    const seen = fronts.flatMap(({ lit, pose }) => {
      return lit.filter((card) => card.item === item).map((card) => ({ card, origin: pose.origins.get(item)! }));
    });
    assert.ok(seen.length > 30);
    assert.ok(seen.every(({ card }) => card.alpha === 1));
    const waiting = seen.filter(({ card }) => card.glow === 0);
    assert.ok(waiting.length >= 3, 'it waits until the stamp before has faded');
    for (const { card, origin } of waiting) assert.partialDeepStrictEqual(origin, card.card);
  }
});

/** A card that is held for that long, and one that is slammed at 1 s. */
function slamAfter(hold: number): FrontFrame[] {
  const tiles = [
    { item: 0, position: 0, hold },
    { item: 4, position: 1, reveal: 'slam' },
  ];
  return [...litFrames(plannedTiles(tiles, { seconds: 6, fps: 30 }))];
}

test('[R26, R30] a held card has set out when a slammed one comes, if its verdict has the time for it', () => {
  for (const [hold, cleared] of [
    [0.1, true],
    [0.39, false],
  ] as const) {
    // biome-ignore format: a table
    const first = slamAfter(hold).find(({ slammed }) => slammed.some(({ alpha }) => alpha > 0))!;
    assert.equal(first.lit[0]!.look.flight > 0.4, cleared, `${hold} s: ${first.lit[0]!.look.flight}`);
  }
});

test('[R26, R30] a slammed card falls in front of one that leaves: no stamp shows after that', () => {
  const fronts = slamAfter(0.39);
  const first = fronts.findIndex(({ slammed }) => slammed.some(({ alpha }) => alpha > 0));
  assert.ok(fronts[first - 3]!.lit[0]!.stamp !== null, 'until then it does');
  assert.ok(fronts.slice(first).every(({ lit }) => lit.every(({ stamp }) => stamp === null || stamp.alpha === 0)));
  assert.ok(fronts.filter(({ slammed }) => slammed.some(({ alpha }) => alpha === 1)).length >= 5, 'it is seen to fall');
});

test('[R30] a card that jumps up from its slot is sharp, and blurred only as it falls', () => {
  const tiles = [
    { item: 0, position: 0 },
    { item: 4, position: 1, to_row: 'f', reveal: 'slam' },
  ];
  const moments = [...litFrames(plannedTiles(tiles, { seconds: 6, fps: 30 }))].flatMap(({ slammed }) =>
    slammed.map((card) => ({ card, isSharp: card.moments.every((box) => box.y === card.moments[0]!.y) })),
  );
  const falls = moments.findIndex(({ isSharp }) => !isSharp);
  assert.equal(falls, 4, 'it hangs for 0.12 s');
  assert.ok(moments.slice(falls).every(({ isSharp }) => !isSharp));
  const leaps = moments.slice(0, falls).map(({ card }) => card.moments[0]!.y);
  assert.ok(new Set(leaps).size >= 3, 'it is on its way meanwhile');
});

test('[R26] the dim neither brightens nor flickers between close spotlights', () => {
  // Each takes off at 2.03 s; the picture would begin to lighten before the next one starts.
  const tiles = [0, 2.25, 4.5].map((position, item) => ({ item, position }));
  const plan = plannedTiles(tiles, { seconds: 9, fps: 30 });
  const dims = Array.from({ length: plan.totalFrames }, (_, n) => {
    const flights = boardStateAt(plan.board!, frames(n), lookOf(plan.theme).motion).inFlight;
    return Math.max(0, ...flights.map(({ event, clock }) => dimAt(event.style, clock)));
  });
  const first = dims.indexOf(1);
  const last = dims.lastIndexOf(1);
  assert.ok(last - first > 120 && dims.slice(first, last).every((dim) => dim === 1));
});
