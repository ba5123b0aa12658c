import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeToRgba } from '../../../src/engine/compose/decode-picture.ts';
import { renderStill, type Still } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { frames } from '../../../src/time.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { cicp, iccp, type PngOptions, pngFile } from '../../fixtures/png-file.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { DISPLAY_P3, inGamut, SRGB_TRANSFER } from './gamuts.ts';
import { p3Profile } from './p3-photo.ts';
import type { Rgb } from './patch-clip.ts';
import { assertNear, pixel } from './seen-colors.ts';

const limits = DEFAULT_MEDIA_LIMITS;
let made = 0;

async function saved(options: PngOptions): Promise<string> {
  const file = join(clipFolder(), `${made++}.png`);
  await writeFile(file, pngFile(options));
  return file;
}

/** What the file looks like as a clip on black, at its own size; the canvas has 64 lines at least. */
async function shown(file: string, frame = 0): Promise<Still> {
  const { facts } = await probe(file, limits);
  const clip = fileSource(file, facts);
  const { width, height } = facts;
  const videos = [{ file_field: 'clip', start: 0, duration: 1 }];
  const planned = videoPlan(
    { clip },
    { videos },
    { width, height: Math.max(64, height), fps: 10, background: '#000000' },
  );
  return renderStill({ ...planned, painter: NO_PAINTER, limits, frame: frames(frame) });
}

const GREY: Rgb = [120, 120, 120];
/** Grey, half-transparent grey, and fully transparent, from left to right. */
const thirds = (x: number) => [...GREY, [255, 128, 0][Math.floor(x / 32)]!] as [number, number, number, number];
const opaque = () => [...GREY, 255] as [number, number, number, number];

const KINDS = ['palette', 'greyAlpha', 'greyAlpha16', 'rgba', 'rgba16'] as const;

for (const [space, chunks] of Object.entries({
  sRGB: [],
  'Display P3': [cicp(12, 13)],
  'Display P3 by a profile': [iccp(p3Profile())],
  PQ: [cicp(9, 16)],
})) {
  test(`[R7] [R8] PNGs with alpha in ${space} blend where they are transparent, and hide the layers below elsewhere`, async () => {
    for (const kind of KINDS) {
      const file = await saved({ width: 96, height: 64, frames: [thirds], kind, chunks });
      assert.equal((await probe(file, limits)).facts.alpha, true, kind);
      const { rgba, width } = await shown(file);
      const [left, middle, right] = [16, 48, 80].map((x) => pixel(rgba, width, x, 32));
      // Grey has the same numbers in every gamut, and twice the light of paper in PQ.
      if (space !== 'PQ') assertNear([left!], [GREY], 3);
      assertNear([middle!, right!], [left!.map((value) => value / 2) as unknown as Rgb, [0, 0, 0]], 4);

      const hiding = await saved({ width: 96, height: 64, frames: [opaque], kind, chunks });
      assert.equal((await probe(hiding, limits)).facts.alpha, false, kind);
      assertNear([pixel((await shown(hiding)).rgba, width, 48, 32)], [left!], 3);
      const card = await decodeToRgba(file, { limits, maxPx: 64 });
      assert.ok(Math.abs(card.rgba[(32 * 96 + 48) * 4 + 3]! - 128) <= 1, kind);
    }
  });
}

test('[R7] sixteen bits and a palette of Display P3 keep their colours', async () => {
  const red: Rgb = [200, 60, 40];
  const [r, g, b] = inGamut(DISPLAY_P3, SRGB_TRANSFER, red).map(Math.round) as [number, number, number];
  for (const kind of ['rgb16', 'rgba16', 'palette'] as const) {
    const at = (x: number) => [r, g, b, x < 48 || kind === 'rgb16' ? 255 : 0] as [number, number, number, number];
    const { rgba, width } = await shown(
      await saved({ width: 96, height: 64, frames: [at], kind, chunks: [cicp(12, 13)] }),
    );
    assertNear([pixel(rgba, width, 16, 32)], [red], 4);
  }
});

/** Lines that a deinterlacer would take for two moments. */
const lines = (n: number) => (_: number, y: number) =>
  (y + n) % 2 === 0 ? ([220, 220, 220, 255] as const) : ([40, 40, 40, 255] as const);

/** The colour of each line that is not background. */
function linesOf({ rgba, width, height }: Still): Rgb[] {
  return Array.from({ length: height }, (_, y) => pixel(rgba, width, 32, y)).filter(([red]) => red > 10);
}

test('[R7] [R23] an interlaced PNG (Adam7) keeps all its lines, even if there are only two', async () => {
  for (const kind of ['grey', 'rgb', 'rgba', 'palette', 'rgb16'] as const) {
    for (const height of [2, 4, 64]) {
      const file = await saved({ width: 64, height, frames: [lines(0)], kind, adam7: true });
      const seen = linesOf(await shown(file));
      assert.equal(seen.length, height);
      const expected = Array.from({ length: height }, (_, y): Rgb => (y % 2 === 0 ? [220, 220, 220] : [40, 40, 40]));
      assertNear(seen, expected, 2);
    }
  }
});

test('[R7] [R23] so does an interlaced APNG, in each of its frames', async () => {
  const file = await saved({ width: 64, height: 64, frames: [lines(0), lines(1)], kind: 'rgb', adam7: true });
  for (const frame of [0, 1, 2]) {
    const seen = linesOf(await shown(file, frame));
    assert.equal(seen.length, 64);
    const expected = seen.map((_, y): Rgb => ((y + frame) % 2 === 0 ? [220, 220, 220] : [40, 40, 40]));
    assertNear(seen, expected, 2);
  }
});
