import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_EBU3213,
  AVCOL_PRI_RESERVED,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_CHROMA_DERIVED_CL,
  AVCOL_SPC_ICTCP,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_YCGCO,
  AVCOL_TRC_LOG_SQRT,
  AVCOL_TRC_RESERVED,
} from 'node-av/constants';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import { renderVideo } from '../encode/render-video.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { flatPainted, painterOf, resting } from '../test-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { BT709_TRANSFER, BT2020, DISPLAY_P3, inGamut, SRGB_TRANSFER } from './gamuts.ts';
import { p3Photo } from './p3-photo.ts';
import { type PatchOptions, patchClip, type Rgb } from './patch-clip.ts';
import { assertNear, patchesOf, pixel, SIZE, stillOf } from './seen-colors.ts';

const PATCHES: readonly Rgb[] = [
  [255, 255, 255],
  [0, 0, 0],
  [128, 128, 128],
  [200, 30, 40],
  [40, 180, 60],
  [30, 60, 210],
  [230, 200, 30],
  [190, 120, 90],
];
const KINDS: readonly (readonly [string, Omit<PatchOptions, 'patches'>])[] = [
  ['BT.709', {}],
  ['BT.709, full range', { range: AVCOL_RANGE_JPEG }],
  ['BT.601', { matrix: AVCOL_SPC_SMPTE170M }],
  ['BT.601, full range, as in JPEG', { matrix: AVCOL_SPC_SMPTE170M, range: AVCOL_RANGE_JPEG }],
  ['4:4:4', { pixelFormat: 'yuv444p' }],
  ['10 bits', { pixelFormat: 'yuv420p10le' }],
  ['YCgCo', { matrix: AVCOL_SPC_YCGCO, range: AVCOL_RANGE_JPEG, pixelFormat: 'yuv444p' }],
  ['YCgCo, limited range', { matrix: AVCOL_SPC_YCGCO, pixelFormat: 'yuv420p10le' }],
  ['another size', { width: 384, height: 216, matrix: AVCOL_SPC_SMPTE170M }],
];

for (const [name, options] of KINDS) {
  test(`[R7] flat colours stay within 2/255: ${name}`, async () => {
    const still = await stillOf({ ...options, patches: PATCHES });
    assertNear(patchesOf(still, PATCHES.length), PATCHES, 2);
  });
}

for (const [name, gamut, options] of [
  ['Display P3', DISPLAY_P3, { primaries: AVCOL_PRI_SMPTE432 }],
  ['BT.2020', BT2020, { matrix: AVCOL_SPC_BT2020_NCL, primaries: AVCOL_PRI_BT2020 }],
] as const) {
  test(`[R7] flat colours stay within 2/255: ${name} without HDR`, async () => {
    const patches = PATCHES.map((color) => inGamut(gamut, BT709_TRANSFER, color));
    const still = await stillOf({ ...options, patches, pixelFormat: 'yuv420p10le' });
    assertNear(patchesOf(still, PATCHES.length), PATCHES, 2);
  });
}

for (const tags of [
  { matrix: AVCOL_SPC_ICTCP },
  { matrix: AVCOL_SPC_CHROMA_DERIVED_CL },
  { matrix: AVCOL_SPC_BT2020_CL },
  { primaries: AVCOL_PRI_RESERVED },
  { primaries: AVCOL_PRI_EBU3213 },
  { transfer: AVCOL_TRC_RESERVED },
  { transfer: AVCOL_TRC_LOG_SQRT },
]) {
  test(`[R7] pictures with rare colour tags are decoded: ${JSON.stringify(tags)}`, async () => {
    for (const pixelFormat of ['yuv420p', 'yuva444p'] as const) {
      const still = await stillOf({ patches: PATCHES.slice(0, 3), pixelFormat, tags });
      assertNear(patchesOf(still, 3), PATCHES.slice(0, 3), 3);
    }
  });
}

test('[R7] a photograph with a Display P3 profile keeps its colours', async () => {
  const photo = await p3Photo(
    PATCHES.map((color) => inGamut(DISPLAY_P3, SRGB_TRANSFER, color)),
    SIZE.width,
    SIZE.height,
  );
  const clip = fileSource(photo, { ...SIZE, kind: 'still' });
  const planned = videoPlan({ clip }, { videos: [{ file_field: 'clip', start: 0, duration: 1 }] }, SIZE);
  const still = await renderStill({
    ...planned,
    painter: NO_PAINTER,
    limits: DEFAULT_MEDIA_LIMITS,
    frame: frames(0),
  });
  assertNear(patchesOf(still, PATCHES.length), PATCHES, 2);
});

test('[R7] [R17] flat colours stay within 2/255 in the finished MP4, which is tagged BT.709', async () => {
  const clip = fileSource(await patchClip({ patches: PATCHES, matrix: AVCOL_SPC_SMPTE170M }), SIZE);
  const videos = [{ file_field: 'clip', start: 0, duration: 0.5 }];
  const planned = videoPlan({ clip }, { videos }, { ...SIZE, quality: 'high' });
  const video = fileSource(await renderVideo(planned), SIZE);
  const again = videoPlan({ clip: video }, { videos }, SIZE);
  const still = await renderStill({ ...again, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame: frames(3) });
  assertNear(patchesOf(still, PATCHES.length), PATCHES, 2);
});

test('[R10] the background beside a clip and behind everything has the requested colour', async () => {
  const background = '#c86432';
  const beside = await stillOf({ patches: [[10, 20, 30]], width: 96, height: 108 }, { background });
  assertNear(
    [pixel(beside.rgba, 192, 20, 50), pixel(beside.rgba, 192, 96, 50)],
    [
      [200, 100, 50],
      [10, 20, 30],
    ],
    2,
  );

  const planned = videoPlan({}, { subtitles: [{ text: 'x', start: 0, duration: 1 }] }, { ...SIZE, background });
  const empty = await renderStill({ ...planned, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
  assertNear([pixel(empty.rgba, 192, 96, 50)], [[200, 100, 50]], 2);
});

test('[R6] a painted picture blends in its colour, by its alpha, exact to the pixel', async () => {
  const background = '#204060';
  const planned = videoPlan({}, { subtitles: [{ text: 'x', start: 0, duration: 1 }] }, { ...SIZE, background });
  const rect = { x: 21, y: 11, width: 51, height: 40 };
  for (const [alpha, expected] of [
    [255, [220, 160, 40]],
    [128, [126, 112, 68]],
  ] as const) {
    const painter = painterOf({ subtitle: () => resting(flatPainted(rect, [220, 160, 40, alpha])) });
    const still = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
    assertNear([pixel(still.rgba, 192, 40, 30)], [expected], 3);
    // Luma is exact at odd edges; chroma may be shared with the neighbour.
    const brightness = (x: number) => pixel(still.rgba, 192, x, 30).reduce((sum, value) => sum + value, 0);
    assert.ok(brightness(20) < brightness(21) - 60 && brightness(72) < brightness(71) - 60, `alpha ${alpha}`);
  }
});
