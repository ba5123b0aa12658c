import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE432,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { BT2020, DISPLAY_P3, inGamut } from './gamuts.ts';
import type { Rgb } from './patch-clip.ts';
import { assertNear, patchesOf, stillOf } from './seen-colors.ts';

for (const [name, transfer, white] of [
  ['PQ', AVCOL_TRC_SMPTE2084, 0.58],
  ['HLG', AVCOL_TRC_ARIB_STD_B67, 0.75],
] as const) {
  test(`[R7] ${name} becomes SDR: greys stay grey and in order, white is white, black is black`, async () => {
    const shades = [0, 0.2, 0.35, 0.5, white].map((signal): Rgb => [signal * 255, signal * 255, signal * 255]);
    const still = await stillOf({
      patches: shades,
      width: 200,
      height: 112,
      matrix: AVCOL_SPC_BT2020_NCL,
      transfer,
      pixelFormat: 'yuv420p10le',
    });
    const seen = patchesOf(still, shades.length);
    for (const [red, green, blue] of seen) assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) <= 3);
    const greens = seen.map(([, green]) => green);
    assert.deepEqual(
      greens,
      [...greens].sort((a, b) => a - b),
      `${greens}`,
    );
    assert.ok(greens[0]! <= 3 && greens.at(-1)! >= 175, `${greens}`);
  });

  test(`[R7] ${name} red, green and blue keep their hue`, async () => {
    const still = await stillOf({
      patches: [
        [120, 20, 20],
        [20, 120, 20],
        [20, 20, 120],
      ],
      matrix: AVCOL_SPC_BT2020_NCL,
      transfer,
      pixelFormat: 'yuv420p10le',
    });
    for (const [index, color] of patchesOf(still, 3).entries()) {
      assert.equal(color.indexOf(Math.max(...color)), index, `${color}`);
    }
  });
}

/** SMPTE ST 2084: the signal of so many nits. */
function pq(nits: number): number {
  const light = (nits / 10_000) ** (2610 / 16_384);
  return ((3424 / 4096 + (2413 / 128) * light) / (1 + (2392 / 128) * light)) ** (2523 / 32);
}

/** ARIB STD-B67: the signal of a scene's light, 1 being the brightest. */
function hlg(light: number): number {
  return light <= 1 / 12 ? Math.sqrt(3 * light) : 0.17883277 * Math.log(12 * light - 0.28466892) + 0.55991073;
}

/** For colours of BT.709's gamut that are given in nits, of 255 at the most. */
const PQ_TRANSFER = { toLight: (value: number) => value, toSignal: (light: number) => pq(255 * light) };

const STEPS = 40;
const HUES: Readonly<Record<string, Rgb>> = {
  grey: [1, 1, 1],
  red: [1, 0.1, 0.1],
  yellow: [1, 1, 0.1],
  blue: [0.1, 0.1, 1],
  skin: [1, 0.6, 0.45],
};

for (const [name, transfer, signal, brightest] of [
  ['PQ, to 10,000 nits', AVCOL_TRC_SMPTE2084, pq, 10_000],
  ['HLG', AVCOL_TRC_ARIB_STD_B67, hlg, 1],
] as const) {
  for (const [hue, share] of Object.entries(HUES)) {
    test(`[R23] brighter input is never darker in the output: ${hue} in ${name}`, async () => {
      const ramp = Array.from({ length: STEPS }, (_, step) => brightest * 10 ** (-3 * (1 - step / (STEPS - 1))));
      const still = await stillOf(
        {
          patches: ramp.map((light) => share.map((part) => 255 * signal(light * part)) as unknown as Rgb),
          width: STEPS * 8,
          height: 64,
          matrix: AVCOL_SPC_BT2020_NCL,
          transfer,
          pixelFormat: 'yuv420p10le',
        },
        { width: STEPS * 8, height: 64 },
      );
      const seen = patchesOf(still, STEPS);
      const lights = seen.map(
        ([red, green, blue]) => 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2,
      );
      for (const [step, light] of lights.entries()) {
        // Rounding to whole levels may reverse one of them.
        const before = Math.max(...lights.slice(0, step), 0);
        assert.ok(light >= before * 0.98, `step ${step}: ${seen.slice(Math.max(0, step - 2), step + 1).join(' → ')}`);
      }
      if (hue !== 'grey') return;
      for (const [red, green, blue] of seen) assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) <= 2);
      assert.ok(seen.at(-1)![1] >= 250, `${seen.at(-1)}`);
    });
  }
}

test('[R7] PQ in Display P3 looks like the same light in BT.2020', async () => {
  const light: Rgb[] = [
    [90, 20, 20],
    [20, 90, 20],
    [20, 20, 90],
    [80, 60, 45],
  ];
  const hdr10 = { matrix: AVCOL_SPC_BT2020_NCL, transfer: AVCOL_TRC_SMPTE2084, pixelFormat: 'yuv420p10le' } as const;
  const [wide, narrower] = await Promise.all(
    (
      [
        [BT2020, AVCOL_PRI_BT2020],
        [DISPLAY_P3, AVCOL_PRI_SMPTE432],
      ] as const
    ).map(async ([gamut, primaries]) => {
      const patches = light.map((color) => inGamut(gamut, PQ_TRANSFER, color));
      return patchesOf(await stillOf({ ...hdr10, primaries, patches }), light.length);
    }),
  );
  assertNear(narrower!, wide!, 4);
});
