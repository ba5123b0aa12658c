import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import fc from 'fast-check';
import type { Frame } from 'node-av/lib';
import { frameAt, type Operation } from '../../../src/plan/frame/frame-at.ts';
import type { Rect } from '../../../src/plan/model/canvas.ts';
import type { MediaFacts } from '../../../src/plan/model/media-facts.ts';
import type { Painter } from '../../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { eventsAt } from '../../../src/plan/reveal/board-state.ts';
import { frames } from '../../../src/time.ts';
import { CLIP_TRANSITIONS, ENTRANCES } from '../../../src/timeline/choices.ts';
import { colorAt, composeFrames } from '../../engine/compose/compose-frames.ts';
import { patchClip } from '../../engine/compose/patch-clip.ts';
import { flatPainted, painterOf, resting } from '../../engine/test-painter.ts';
import { fileSource, type Source } from '../../engine/video-plan.ts';
import { plan } from '../../request-builder.ts';

const SIZE = { width: 192, height: 108 };
const FPS = 10;
const COLORS = { red: [200, 40, 30], green: [40, 190, 60], blue: [50, 60, 210] } as const;
type Color = keyof typeof COLORS;

/** Colours differ by this much at most: the engine rounds to 8 bits of luma and chroma at every step. */
const NEAR = 10;
/** Pixels this close to an edge are not compared: the two scale and smooth edges differently. */
const EDGE = 4;

/** What the preview draws with in a browser, here by Skia. */
interface Composer {
  draw(context: unknown, operations: readonly Operation[], pictures: ReadonlyMap<number, unknown>): void;
}

/** The preview's executor. Its types are those of a browser, so it is imported by its address. */
async function previewOf(made: RenderPlan, painter: Painter): Promise<Composer> {
  const folder = '../../../src/studio/preview/canvas/';
  const { FrameComposer } = await import(`${folder}compose-frame.ts`);
  return new FrameComposer(made, painter, null);
}

before(() => {
  class Offscreen {
    constructor(width: number, height: number) {
      // biome-ignore lint/correctness/noConstructorReturn: it stands for a class of the browser
      return createCanvas(width, height);
    }
  }
  const context = Object.getPrototypeOf(createCanvas(1, 1).getContext('2d'));
  Object.assign(globalThis, {
    OffscreenCanvas: Offscreen,
    ImageData,
    OffscreenCanvasRenderingContext2D: { prototype: context },
  });
});

/** Opaque boards, with a part that moves and a card in front of them while something happens; opaque texts. */
function flatPainter({ board }: RenderPlan): Painter {
  return painterOf({
    board: (rect, frame) => {
      const still = flatPainted(inside(rect, 0), [230, 220, 60, 255]);
      const { started, settled } = eventsAt(board!, frame);
      if (started === settled) return resting(still);
      const moving = flatPainted(inside(rect, 16), [60, 200, 220, 255]);
      return { still, isInPlace: true, moving, front: flatPainted(inside(rect, 24), [220, 60, 200, 255]) };
    },
    title: (rect) => resting(flatPainted(inside(rect, 0), [240, 240, 240, 255])),
    subtitle: (rect) => resting(flatPainted(inside(rect, 0), [20, 20, 20, 255])),
    progress: (rect) => resting(flatPainted(inside(rect, 0), [120, 120, 120, 255])),
  });
}

/** The part of a rectangle on the canvas, smaller by so many pixels, on even edges. */
function inside({ x, y, width, height }: Rect, by: number): Rect {
  const [left, top] = [Math.max(0, x) + by, Math.max(0, y) + by].map((edge) => edge & ~1) as [number, number];
  const right = Math.min(SIZE.width, x + width) - by;
  const bottom = Math.min(SIZE.height, y + height) - by;
  return { x: left, y: top, width: Math.max(2, (right - left) & ~1), height: Math.max(2, (bottom - top) & ~1) };
}

const box = fc.record({
  x_percent: fc.constantFrom(-10, 0, 30, 60),
  y_percent: fc.constantFrom(-10, 10, 40),
  width_percent: fc.constantFrom(40, 70),
  height_percent: fc.constantFrom(40, 70),
  shape: fc.constantFrom('rect', 'rounded'),
});
const passing = fc.record({
  enter: fc.constantFrom(...ENTRANCES),
  exit: fc.constantFrom(...ENTRANCES),
  enter_duration: fc.constant(0.8),
  exit_duration: fc.constant(0.8),
});
const layer = fc.constantFrom({}, { layer: 'above_board' }, { layer: 'below_board' });
const clip = fc
  .tuple(
    fc.record({
      file_field: fc.constantFrom<Color>('red', 'green', 'blue'),
      start: fc.constantFrom(0, 1),
      duration: fc.constantFrom(1, 2, 3),
      fit: fc.constantFrom('cover', 'contain', 'blur'),
    }),
    fc.option(box, { nil: {} }),
    fc.option(passing, { nil: {} }),
    layer,
  )
  .map((parts) => Object.assign({}, ...parts) as object);
/** Two clips that meet, with a transition. */
const cut = fc
  .tuple(fc.constantFrom(...CLIP_TRANSITIONS), fc.constantFrom('cover', 'contain'), layer, fc.boolean())
  .map(([kind, fit, on, isReversed]) => {
    const pair = [
      { file_field: 'red', duration: 1.5, fit, ...on },
      { file_field: 'blue', start: 1.5, duration: 1.5, fit: 'cover', transition: { kind, duration: 1.2 }, ...on },
    ];
    return isReversed ? pair.toReversed() : pair;
  });
interface Lanes {
  readonly videos: readonly object[];
  readonly tier_blocks: readonly object[];
  readonly tier_tiles: readonly object[];
  readonly titles: readonly object[];
  readonly subtitles: readonly object[];
}

const timeline: fc.Arbitrary<Lanes> = fc.record({
  videos: fc
    .tuple(fc.array(clip, { maxLength: 2 }), fc.option(cut, { nil: [] }), fc.array(clip, { maxLength: 1 }))
    .map((parts) => parts.flat()),
  tier_blocks: fc.array(
    fc
      .tuple(fc.constantFrom({}, { x_percent: 10, y_percent: 10, width_percent: 50, height_percent: 60 }))
      .map(([place]) => ({ start: 0, duration: 3, ...place })),
    { maxLength: 1 },
  ),
  tier_tiles: fc.constantFrom(
    [],
    ...['spotlight', 'slam', 'pop'].map((reveal) => [{ tier_item_id: 'a', position: 0.5, reveal }]),
  ),
  titles: fc.constantFrom([], [{ text: 'Round one', start: 0, duration: 3, enter: 'none', exit: 'none' }]),
  subtitles: fc.constantFrom([], [{ text: 'hello', start: 0, duration: 3 }]),
});
const GRADIENT = { kind: 'gradient', colors: ['#104080', '#806010'], angle: 90 };
const background = fc.constantFrom<unknown>('#34405a', GRADIENT);

/** What random timelines seldom have: a shake, and bars that fade over a board. */
const NOTHING: Lanes = {
  videos: [],
  tier_blocks: [{ start: 0, duration: 3 }],
  tier_tiles: [],
  titles: [],
  subtitles: [],
};
const SLAM = { ...NOTHING, tier_tiles: [{ tier_item_id: 'a', position: 0.5, reveal: 'slam' }] };
const BARS = {
  file_field: 'red',
  duration: 3,
  fit: 'contain',
  layer: 'above_board',
  enter: 'fade',
  enter_duration: 0.8,
};
const FADING = { ...NOTHING, videos: [BARS] };
const EXAMPLES: [lanes: Lanes, behind: unknown, at: number][] = [
  [SLAM, '#34405a', 8],
  [FADING, GRADIENT, 4],
  [FADING, GRADIENT, 20],
];

describe('both executors of frames', () => {
  const sources = new Map<string, Source>();

  before(async () => {
    for (const [name, rgb] of Object.entries(COLORS)) {
      sources.set(
        name,
        fileSource(await patchClip({ patches: [rgb], width: 128, height: 96 }), { width: 128, height: 96 }),
      );
    }
  });

  test('[R6] [C58] [C61] [R19] [R20] [R27] [R30] the engine and the preview draw the same picture', async () => {
    await fc.assert(
      fc.asyncProperty(timeline, background, fc.integer({ min: 0, max: 29 }), async (lanes, behind, at) => {
        const media: Record<string, MediaFacts> = Object.fromEntries(
          sources.entries().map(([name, { facts }]) => [name, facts]),
        );
        const used = new Set((lanes.videos as { file_field: string }[]).map(({ file_field }) => file_field));
        const documents = {
          tier_list: { rows: [{ id: 's', label: 'S', item_ids: ['a'] }], items: [{ id: 'a', name: 'a' }] },
          timeline_data: lanes,
          settings: { ...SIZE, fps: FPS, background: behind },
        };
        const made = plan(documents, Object.fromEntries(Object.entries(media).filter(([name]) => used.has(name))));
        const n = frames(Math.min(at, made.totalFrames - 1));
        const canvas = createCanvas(SIZE.width, SIZE.height);
        const painter = flatPainter(made);
        const preview = await previewOf(made, painter);
        const pictures = new Map(
          made.clips.map(({ source }, index) => [index, flatPicture(COLORS[made.sources[source]!.field as Color])]),
        );
        preview.draw(canvas.getContext('2d'), wellShaken(frameAt(made, n)), pictures);
        const files = new Map(made.sources.map(({ field }, index) => [index, sources.get(field)!.clip.file]));
        const compare = (frame: Frame) => assert.deepEqual(unlike(frame, canvas), [], `frame ${n}`);
        await composeFrames({ plan: made, files, painter }, { start: n, end: frames(n + 1) }, compare, wellShaken);
      }),
      { numRuns: 30, examples: EXAMPLES },
    );
  });
});

/** On a small canvas a shake is two pixels. */
function wellShaken(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((each) => (each.draw === 'shake' ? { ...each, x: each.x * 8, y: each.y * 8 } : each));
}

/** A picture of one colour, as the preview's decoders give it. */
function flatPicture(rgb: readonly number[]): unknown {
  const bitmap = createCanvas(128, 96);
  const context = bitmap.getContext('2d');
  context.fillStyle = `rgb(${rgb.join(' ')})`;
  context.fillRect(0, 0, 128, 96);
  return {
    ...{ width: 128, height: 96 },
    draw: (on: typeof context, from: Rect, to: Rect) =>
      on.drawImage(bitmap, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}

/** Where the two differ, away from edges. */
function unlike(frame: Frame, canvas: Canvas): string[] {
  const { data } = canvas.getContext('2d').getImageData(0, 0, SIZE.width, SIZE.height);
  const shown = (x: number, y: number) => [...data.subarray((y * SIZE.width + x) * 4, (y * SIZE.width + x) * 4 + 3)];
  const far = (one: readonly number[], other: readonly number[]) =>
    one.some((channel, i) => Math.abs(channel - other[i]!) > NEAR);
  const found: string[] = [];
  for (let y = EDGE; y < SIZE.height - EDGE; y += 5) {
    for (let x = EDGE; x < SIZE.width - EDGE; x += 5) {
      const here = shown(x, y);
      const around = [-EDGE, 0, EDGE].flatMap((down) => [-EDGE, 0, EDGE].map((across) => shown(x + across, y + down)));
      if (around.some((other) => far(here, other))) continue;
      const there = colorAt(frame, x, y);
      if (far(there, here)) found.push(`${x},${y}: ${there.map(Math.round)} in the export, ${here} in the preview`);
    }
  }
  return found.slice(0, 3);
}
