import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { luminance } from '../../../src/paint/draw/color.ts';
import { flattenedBoard } from '../../../src/paint/pixels/flattened-board.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { boardEffects } from '../../../src/plan/frame/frame-at.ts';
import type { Canvas } from '../../../src/plan/model/canvas.ts';
import type { Painting } from '../../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { EFFECTS, THEMES } from '../../../src/timeline/choices.ts';
import { plannedTiles } from '../../plan/reveal/random-tiles.ts';

const [WIDTH, HEIGHT, FPS] = [128, 72, 30];
/** Every so many pixels are looked at, both ways. */
const CELL = 4;
/** As WCAG 2 defines a general flash: by how much luminance changes, below which the darker one is, and where on how much of the picture. */
const [CHANGE, DARKER, AREA] = [0.1, 0.8, 0.25];
const MAX_FLASHES = 3;

/** Luminances of one place over time → the frames at which it has changed by a tenth, one way and then the other. */
function opposingChanges(levels: readonly number[]): number[] {
  const changes: number[] = [];
  let [low, high, direction] = [levels[0]!, levels[0]!, 0];
  for (const [frame, level] of levels.entries()) {
    [low, high] = [Math.min(low, level), Math.max(high, level)];
    const rises = level - low >= CHANGE && low < DARKER;
    const falls = high - level >= CHANGE && level < DARKER;
    if (rises && direction <= 0) {
      changes.push(frame);
      [direction, high] = [1, level];
    } else if (falls && direction >= 0) {
      changes.push(frame);
      [direction, low] = [-1, level];
    }
    if (direction > 0) low = high;
    if (direction < 0) high = low;
  }
  return changes;
}

/** The largest part of the picture that flashes more often than it may within one and the same second. */
function flashingPart(places: readonly (readonly number[])[]): number {
  const changes = places.map(opposingChanges);
  const starts = new Set(changes.flat());
  const parts = [...starts].map((start) => {
    const tooMany = changes.filter((each) => {
      return each.filter((frame) => frame >= start && frame < start + FPS).length > 2 * MAX_FLASHES;
    });
    return tooMany.length / places.length;
  });
  return Math.max(0, ...parts);
}

/** The luminance of each place at every frame, over a background of one colour. */
async function luminances(plan: RenderPlan, background: number): Promise<number[][]> {
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  const { width, height } = plan.canvas;
  const places: number[][] = Array.from({ length: (width / CELL) * (height / CELL) }, () => []);
  let last = null as { readonly painting: Painting; readonly levels: readonly number[] } | null;
  for (let n = 0; n < plan.totalFrames; n += 1) {
    const painting = painter.paint('board', plan.painted.board[0]!, frames(n))!;
    if (last?.painting !== painting) {
      const effects = boardEffects(plan, plan.painted.board[0]!, frames(n));
      last = { painting, levels: levelsOf(painting, effects, background, plan.canvas) };
    }
    for (const [place, level] of last.levels.entries()) places[place]!.push(level);
  }
  return places;
}

function levelsOf(
  painting: Painting,
  { dim, shake }: ReturnType<typeof boardEffects>,
  background: number,
  { width, height }: Pick<Canvas, 'width' | 'height'>,
): number[] {
  const { rgba } = flattenedBoard(painting, { x: 0, y: 0, width, height }, dim);
  const { x: byX, y: byY } = shake ?? { x: 0, y: 0 };
  const levels: number[] = [];
  for (let y = 0; y < height; y += CELL) {
    for (let x = 0; x < width; x += CELL) {
      const row = Math.min(height - 1, Math.max(0, y - byY));
      const at = 4 * (row * width + Math.min(width - 1, Math.max(0, x - byX)));
      const under = background * (1 - rgba[at + 3]! / 255);
      const [red, green, blue] = [0, 1, 2].map((channel) => rgba[at + channel]! + under) as [number, number, number];
      levels.push(luminance([red, green, blue]));
    }
  }
  return levels;
}

/** As close to each other as tiles get: hardly held, slammed, popped, on a board that nearly fills the picture. */
const tiles = fc.array(
  fc.record({
    item: fc.nat(9),
    position: fc.integer({ min: 0, max: 30 }).map((n) => n / 10),
    reveal: fc.constantFrom('spotlight', 'spotlight', 'slam', 'slam', 'pop', 'none'),
    hold: fc.constantFrom(0, 0, 0.25),
    effect: fc.constantFrom(...EFFECTS),
  }),
  { minLength: 4, maxLength: 12 },
);

/** Spotlights as close as they get: each is held for no time at all. */
const CLOSEST = Array.from({ length: 9 }, (_, item) => {
  return { item, position: item * 0.6, reveal: 'spotlight', hold: 0 };
});

for (const theme of THEMES) {
  test(`[R19, R37] no list of tiles makes a quarter of the picture flash more than three times in a second: ${theme}`, async () => {
    const partOf = async (list: typeof CLOSEST, background: number, width: number, height: number) => {
      const plan = plannedTiles(list, { seconds: 6, fps: FPS, width, height, theme });
      return flashingPart(await luminances(plan, background));
    };
    const most = fc.asyncProperty(tiles, fc.constantFrom(0, 255), async (list, background) => {
      const part = await partOf(list, background, WIDTH, HEIGHT);
      assert.ok(part < AREA, `${part} of the picture`);
    });
    await fc.assert(most, { numRuns: 1 });
    // A square is where a card takes up most of the picture.
    const part = await partOf(CLOSEST, 0, 96, 96);
    assert.ok(part < AREA, `${part} of a square`);
  });
}

test('[R19] flashes are counted as WCAG counts them: pairs of opposing changes of a tenth, below 0.8', () => {
  const blinking = (low: number, high: number, every: number) =>
    Array.from({ length: 90 }, (_, n) => (Math.floor(n / every) % 2 === 0 ? low : high));
  assert.equal(flashingPart([blinking(0.2, 0.4, 3)]), 1, 'five times a second');
  assert.equal(flashingPart([blinking(0.2, 0.4, 5)]), 0, 'three times a second');
  assert.equal(flashingPart([blinking(0.2, 0.28, 3)]), 0, 'by less than a tenth');
  assert.equal(flashingPart([blinking(0.85, 1, 3)]), 0, 'bright all the time');
  assert.equal(flashingPart([blinking(0.2, 0.4, 3), blinking(0, 0, 1)]), 0.5);
  const ramp = Array.from({ length: 90 }, (_, n) => Math.abs(((n * 0.05) % 1) - 0.5));
  assert.equal(flashingPart([ramp]), 0, 'up and down within a second and a third');
});
