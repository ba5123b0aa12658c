import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipLayer } from '../../../src/plan/model/clip-layer.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import type { Frames } from '../../../src/time.ts';
import type { ClipOptions } from '../../fixtures/clips.ts';
import { numbersIn, renderVideo } from '../encode/render-video.ts';
import { type Source, source, videoPlan } from '../video-plan.ts';

/** Number ranges of the clips of one plan, so that a frame identifies its clip too. */
const CLIP_NUMBERS = 10_000;

/**
 * The number output frame `n` must show, computed from the clips and not by the engine: the last frame that the
 * container says begins a millisecond before the middle of the output frame, on the topmost clip.
 */
function expectedNumber(plan: RenderPlan, sources: Readonly<Record<string, Source>>, n: number): number {
  const clip = plan.clips.findLast(({ shows }) => shows.start <= n && n < shows.end)!;
  const { field } = plan.sources[clip.source]!;
  const {
    clip: { times },
    tick,
  } = sources[field]!;
  const wanted = wantedSeconds(plan, clip, n) + 2e-6;
  return (
    Object.keys(sources).indexOf(field) * CLIP_NUMBERS +
    Math.max(
      0,
      times.findLastIndex((time) => Math.round(time / tick + 1e-6) * tick <= wanted),
    )
  );
}

function wantedSeconds({ rate }: RenderPlan, { shows, trim, speed }: ClipLayer, n: number): number {
  const step = (rate.den * speed) / (rate.num * 1e6);
  const middle = trim.start / 1e6 + (n - shows.start + 0.5) * step - Math.min(0.001, step / 16);
  return Math.min(middle, trim.end / 1e6 - 3e-6);
}

async function numbered(options: readonly ClipOptions[]): Promise<Record<string, Source>> {
  const made = await Promise.all(options.map((each, index) => source({ ...each, firstNumber: index * CLIP_NUMBERS })));
  return Object.fromEntries(made.map((each, index) => [`clip${index}`, each]));
}

let looked = 0;

/** Renders to MP4, reads every frame back and compares. */
async function assertEveryFrame(
  sources: Record<string, Source>,
  videos: readonly Record<string, unknown>[],
  settings: Record<string, unknown> = {},
): Promise<void> {
  const { plan, files } = videoPlan(sources, { videos }, settings);
  const { numbers, micros } = await numbersIn(await renderVideo({ plan, files }));
  const expected = Array.from({ length: plan.totalFrames }, (_, n) => expectedNumber(plan, sources, n));
  assert.deepEqual(numbers, expected);
  for (const [n, at] of micros.entries()) {
    assert.ok(Math.abs(at - (n * plan.rate.den * 1e6) / plan.rate.num) < 1, `frame ${n} is shown at ${at} µs`);
  }
  looked += numbers.length;
}

const PAL = { num: 25, den: 1 };
const FILM = { num: 24, den: 1 };
const NTSC = { num: 30_000, den: 1001 };
const SIXTY = { num: 60, den: 1 };

const RATES: readonly (readonly [string, ClipOptions, number])[] = [
  ['24 in 30', { frames: 700, rate: FILM, bFrames: 2 }, 30],
  ['25 in 29.97', { frames: 900, rate: PAL, bFrames: 2 }, 29.97],
  ['29.97 in 30', { frames: 1100, rate: NTSC, gop: 250 }, 30],
  ['60 in 24', { frames: 1500, rate: SIXTY }, 24],
  ['30 in 60', { frames: 500 }, 60],
  [
    '23.976 in 25, from WebM',
    { frames: 600, rate: { num: 24_000, den: 1001 }, container: 'webm', codec: 'libvpx' },
    25,
  ],
];

for (const [name, clip, fps] of RATES) {
  test(`[R5] every frame of a video shows the source frame of its time: ${name}`, async () => {
    const sources = await numbered([clip]);
    await assertEveryFrame(sources, [{ file_field: 'clip0', start: 0 }], { fps });
  });
}

test('[R5] variable frame rate: the last frame that starts before the middle is shown', async () => {
  const timeOf = (n: number) => n / 40 + 0.3 * Math.floor(n / 17) + (n % 5) * 0.003;
  const sources = await numbered([{ frames: 900, timeOf, bFrames: 2 }]);
  await assertEveryFrame(sources, [
    { file_field: 'clip0', start: 0, duration: 20 },
    { file_field: 'clip0', start: 20, duration: 10, trim_start: 3.333, speed: 1.7 },
  ]);
});

test('[R5] speeds from 0.1 to 10, each from its in-point', async () => {
  const sources = await numbered([
    { frames: 3000, bFrames: 2, gop: 60 },
    { frames: 1500, rate: PAL },
  ]);
  const speeds = [0.1, 0.25, 0.5, 0.9, 1, 1.1, 1.5, 2, 3.3, 7, 10];
  const videos = speeds.flatMap((speed, index) => [
    { id: `a${index}`, file_field: 'clip0', start: index * 6, duration: 3, trim_start: 1.05, speed },
    { id: `b${index}`, file_field: 'clip1', start: index * 6 + 3, duration: 3, trim_start: index * 0.9, speed },
  ]);
  await assertEveryFrame(sources, videos);
});

test('[R2] [R6] 150 cuts, trims and overlaps: the topmost clip, to the frame', async () => {
  const sources = await numbered([
    { frames: 900, bFrames: 2 },
    { frames: 700, rate: PAL },
    { frames: 1200, rate: SIXTY },
  ]);
  const videos = Array.from({ length: 150 }, (_, index) => ({
    id: `v${index}`,
    file_field: `clip${index % 3}`,
    start: index * 0.4 + (index % 7) * 0.011,
    duration: 0.4 + (index % 5) * 0.05,
    trim_start: (index * 0.37) % 17,
  }));
  const last = 149 * 0.4 + 1;
  const all = [{ id: 'under', file_field: 'clip0', start: 0, duration: last, speed: 0.1 }, ...videos];
  await assertEveryFrame(sources, all, { fps: 29.97 });
});

test('[C16] a trim shorter than its slot holds its last frame', async () => {
  const sources = await numbered([{ frames: 60 }]);
  await assertEveryFrame(sources, [
    { file_field: 'clip0', start: 0, duration: 4 },
    { file_field: 'clip0', start: 4, duration: 3, trim_start: 0.5, trim_end: 1.25 },
  ]);
});

test('[R5] an animation restarts at the end of its trim', async () => {
  const gif = await source(
    { frames: 10, rate: { num: 10, den: 1 }, codec: 'gif', container: 'gif' },
    { kind: 'animation' },
  );
  const { plan, files } = videoPlan({ gif }, { videos: [{ file_field: 'gif', start: 0, duration: 3.5 }] }, { fps: 20 });
  const { numbers } = await numbersIn(await renderVideo({ plan, files }));
  assert.deepEqual(
    numbers,
    Array.from({ length: 70 }, (_, n) => Math.floor(n / 2) % 10),
  );
});

test('[C19] a still lasts as long as its duration', async () => {
  const still = await source(
    { frames: 1, codec: 'png', container: 'image2', firstNumber: 77 },
    { kind: 'still', duration: 0 },
  );
  const { plan, files } = videoPlan({ still }, { videos: [{ file_field: 'still', start: 0, duration: 2 }] });
  const { numbers } = await numbersIn(await renderVideo({ plan, files }));
  assert.deepEqual(
    numbers,
    Array.from({ length: 60 as Frames }, () => 77),
  );
});

test('10,000 frames are compared one by one', () => {
  assert.ok(looked >= 10_000, `only ${looked}`);
});
