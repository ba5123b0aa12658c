import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AVCOL_PRI_SMPTE432, AVCOL_SPC_YCGCO } from 'node-av/constants';
import { renderStill, type Still } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { painterOf, resting } from '../test-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { BT709_TRANSFER, DISPLAY_P3, inGamut } from './gamuts.ts';
import { type PatchOptions, patchClip, type Rgb } from './patch-clip.ts';
import { assertNear, patchesOf, SIZE } from './seen-colors.ts';

const RED: Rgb = [200, 30, 40];
const GREEN: Rgb = [40, 180, 60];
const BLUE: Rgb = [30, 60, 210];
const BLACK: Rgb = [0, 0, 0];

/** A transparent clip on a background. */
async function over(background: Rgb, options: PatchOptions, entry: Record<string, unknown> = {}): Promise<Still> {
  const size = { width: options.width ?? SIZE.width, height: options.height ?? SIZE.height };
  const clip = fileSource(await patchClip({ pixelFormat: 'yuva420p', ...options }), { ...size, alpha: true });
  const hex = `#${background.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  const videos = [{ file_field: 'clip', start: 0, duration: 1, ...entry }];
  const planned = videoPlan({ clip }, { videos }, { ...SIZE, background: hex });
  return renderStill({ ...planned, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
}

function mixed(color: Rgb, share: number, background: Rgb): Rgb {
  return color.map((value, n) => value * share + background[n]! * (1 - share)) as unknown as Rgb;
}

/** The pixel that differs most from the expected colour of the picture, and by how much. */
function furthest({ rgba, width }: Still, color: Rgb): { readonly off: number; readonly at: string } {
  let worst = { off: 0, at: '' };
  for (let at = 0; at < rgba.length; at += 4) {
    const off = Math.max(...color.map((value, n) => Math.abs(value - rgba[at + n]!)));
    const pixel = at / 4;
    if (off > worst.off)
      worst = { off, at: `${pixel % width}, ${Math.floor(pixel / width)}: ${rgba.subarray(at, at + 3)}` };
  }
  return worst;
}

const PATCHES = [RED, GREEN, BLUE, RED, GREEN, BLUE];
const ALPHAS = [255, 255, 255, 128, 64, 0];

for (const [name, options] of [
  ['at its own size', {}],
  ['enlarged', { width: 96, height: 54 }],
  ['reduced', { width: 576, height: 324 }],
  ['in 4:4:4', { width: 288, height: 162, pixelFormat: 'yuva444p' }],
  ['of odd sides', { width: 203, height: 115, pixelFormat: 'yuva444p' }],
  ['in YCgCo', { width: 288, height: 162, pixelFormat: 'yuva444p', matrix: AVCOL_SPC_YCGCO }],
] as const) {
  test(`[R7] a transparent clip keeps its colours: ${name}`, async () => {
    for (const background of [BLACK, GREEN]) {
      const still = await over(background, { patches: PATCHES, alphas: ALPHAS, ...options });
      const expected = PATCHES.map((color, n) => mixed(color, ALPHAS[n]! / 255, background));
      assertNear(patchesOf(still, PATCHES.length), expected, 3);
    }
  });
}

test('[R7] a transparent clip with a wide gamut keeps its colours', async () => {
  const patches = PATCHES.map((color) => inGamut(DISPLAY_P3, BT709_TRANSFER, color));
  for (const size of [SIZE, { width: 287, height: 161 }]) {
    const options = {
      patches,
      alphas: ALPHAS,
      pixelFormat: 'yuva444p',
      primaries: AVCOL_PRI_SMPTE432,
      ...size,
    } as const;
    const expected = PATCHES.map((color, n) => mixed(color, ALPHAS[n]! / 255, BLACK));
    assertNear(patchesOf(await over(BLACK, options), PATCHES.length), expected, 3);
  }
});

test('[R7] [R10] a transparent clip keeps its colours over a blurred copy of itself', async () => {
  const still = await over(BLACK, { patches: [RED], alphas: [255], width: 90, height: 90 }, { fit: 'blur' });
  const { off, at } = furthest(still, RED);
  assert.ok(off <= 3, at);
});

test('[R7] hidden parts of a clip do not bleed into its edges', async () => {
  const hidden = {
    patches: [RED, GREEN, RED, BLACK, RED],
    alphas: [255, 0, 255, 0, 128],
    pixelFormat: 'yuva444p',
  } as const;
  for (const size of [
    { width: 95, height: 54 },
    { width: 305, height: 170 },
  ]) {
    const { off, at } = furthest(await over(RED, { ...hidden, ...size }), RED);
    // Scaling overshoots at edges, as it does between any two colours.
    assert.ok(off <= 10, `${size.width} wide: ${at}`);
  }
});

test('[R6] transparent parts of a painted picture do not bleed into its edges, even at odd positions', async () => {
  const background = '#c81e28';
  const planned = videoPlan({}, { subtitles: [{ text: 'x', start: 0, duration: 1 }] }, { ...SIZE, background });
  const rect = { x: 20, y: 10, width: 61, height: 47 };
  const rgba = new Uint8Array(rect.width * rect.height * 4);
  for (let pixel = 0; pixel < rgba.length / 4; pixel++) {
    const [x, y] = [pixel % rect.width, Math.floor(pixel / rect.width)];
    // Strokes of one and two pixels at odd and even places, opaque and half so; black and unseen in between.
    const alpha = x % 7 === 1 || y % 5 === 2 ? 255 : x % 7 === 4 || x % 7 === 5 ? 128 : 0;
    rgba.set([...RED.map((channel) => Math.round((channel * alpha) / 255)), alpha], pixel * 4);
  }
  const painter = painterOf({ subtitle: () => resting({ rect, rgba }) });
  const still = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
  const { off, at } = furthest(still, RED);
  assert.ok(off <= 4, at);
});

test('[R6] the last column of a red picture on black is as red as the others', async () => {
  const planned = videoPlan(
    {},
    { subtitles: [{ text: 'x', start: 0, duration: 1 }] },
    { ...SIZE, background: '#000000' },
  );
  const rect = { x: 20, y: 10, width: 41, height: 40 };
  const rgba = new Uint8Array(rect.width * rect.height * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set([220, 20, 20, 255], at);
  const painter = painterOf({ subtitle: () => resting({ rect, rgba }) });
  const still = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
  const red = still.rgba[(30 * SIZE.width + 60) * 4]!;
  assert.ok(red >= 165, `${red}`);
});
