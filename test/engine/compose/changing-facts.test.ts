import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import type { Render } from '../encode/render-video.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { combedClip } from './combed-clip.ts';
import { composeFrames, frameHashes } from './compose-frames.ts';
import { joinedPatches } from './joined-patches.ts';
import type { Rgb } from './patch-clip.ts';
import { assertNear, patchesOf, SIZE } from './seen-colors.ts';

/** One clip from its beginning, at a rate. */
function played(file: string, fps: number, entry: Record<string, unknown> = {}): Render {
  const clip = fileSource(file, { ...SIZE, duration: 2 });
  const videos = [{ file_field: 'clip', start: 0, duration: 2, ...entry }];
  return videoPlan({ clip }, { videos }, { ...SIZE, fps });
}

/** What each output frame shows: its luma, or `combed` if lines differ. */
async function shades(render: Render, start: number, end: number): Promise<(number | 'combed')[]> {
  const seen: (number | 'combed')[] = [];
  await composeFrames(render, { start: frames(start), end: frames(end) }, (frame) => {
    const column = Array.from({ length: 40 }, (_, line) => frame.data![0]![(30 + line) * frame.linesize[0]! + 96]!);
    seen.push(Math.max(...column) - Math.min(...column) > 4 ? 'combed' : column[0]!);
  });
  return seen;
}

/** What the fields of frame `n` show, as luma. */
const first = (n: number) => 40 + 2 * n;
const second = (n: number) => 141 + 2 * n;

test('[R23] interlacing that starts in mid-file is detected from its first frame, and its end too', async () => {
  const file = await combedClip({ ...SIZE, frames: 40, interlaced: (n) => n >= 10 && n < 30, first, second });
  const seen = await shades(played(file, 25), 0, 40);
  assert.deepEqual(seen.slice(0, 10), Array(10).fill('combed'));
  assert.deepEqual(
    seen.slice(10, 30),
    Array.from({ length: 20 }, (_, n) => first(n + 10)),
  );
  assert.deepEqual(seen.slice(30), Array(10).fill('combed'));
});

for (const topFieldFirst of [true, false]) {
  test(`[R23] 50i becomes 50p at 50 frames a second, ${topFieldFirst ? 'top' : 'bottom'} field first`, async () => {
    const file = await combedClip({ ...SIZE, frames: 30, interlaced: () => true, topFieldFirst, first, second });
    const expected = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? first : second)(Math.floor(n / 2)));
    assert.deepEqual(await shades(played(file, 50), 0, 60), expected);
  });
}

test('[R23] [R5] at 60 frames a second every field of 50i is shown at its time', async () => {
  const file = await combedClip({ ...SIZE, frames: 30, interlaced: () => true, first, second });
  const expected = Array.from({ length: 60 }, (_, n) => {
    const field = Math.floor(((n + 0.5) * 50) / 60);
    return (field % 2 === 0 ? first : second)(Math.floor(field / 2));
  });
  assert.deepEqual(await shades(played(file, 60), 0, 60), expected);
});

test('[R23] at 25 and 30 frames a second 50i shows one picture per frame; slowed down it shows its fields', async () => {
  const file = await combedClip({ ...SIZE, frames: 30, interlaced: () => true, first, second });
  assert.deepEqual(
    await shades(played(file, 25), 0, 20),
    Array.from({ length: 20 }, (_, n) => first(n)),
  );
  const at30 = await shades(played(file, 30), 0, 24);
  assert.deepEqual(
    at30,
    Array.from({ length: 24 }, (_, n) => first(Math.floor(((n + 0.5) * 25) / 30))),
  );
  const slow = await shades(played(file, 25, { speed: 0.5 }), 0, 20);
  assert.deepEqual(
    slow,
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second)(Math.floor(n / 2))),
  );
});

test('[R4] frames of a file that changes do not depend on where rendering starts', async () => {
  const file = await combedClip({ ...SIZE, frames: 40, interlaced: (n) => n % 7 > 2, first, second });
  const render = played(file, 50);
  const whole = await frameHashes(render, { start: frames(0), end: frames(80) });
  for (const start of [1, 17, 33, 64]) {
    const range = { start: frames(start), end: frames(start + 9) };
    assert.deepEqual(await frameHashes(render, range), whole.slice(start, start + 9), `from ${start}`);
  }
});

test('[R23] colours follow the tags of each frame: matrix and range can change inside a file', async () => {
  const patches: Rgb[] = [
    [255, 255, 255],
    [200, 30, 40],
    [40, 180, 60],
    [30, 60, 210],
  ];
  const parts = [
    { matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG },
    { matrix: AVCOL_SPC_SMPTE170M, range: AVCOL_RANGE_MPEG },
    { matrix: AVCOL_SPC_SMPTE170M, range: AVCOL_RANGE_JPEG },
    { matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_JPEG },
  ];
  const file = await joinedPatches({ ...SIZE, patches, parts, framesEach: 10 });
  const planned = played(file, 25);
  for (const part of parts.keys()) {
    const frame = frames(part * 10 + 5);
    const still = await renderStill({ ...planned, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame });
    assertNear(patchesOf(still, patches.length), patches, 4);
  }
});

test('[R23] a stream that changes its size keeps its box, and a crop shows the same part of every frame', async () => {
  const patches: Rgb[] = [
    [255, 255, 255],
    [200, 30, 40],
    [40, 180, 60],
    [30, 60, 210],
  ];
  const color = { matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG };
  const sizes = [SIZE, { width: 96, height: 54 }, { width: 384, height: 216 }, { width: 108, height: 192 }];
  const parts = sizes.map((size) => ({ ...color, size }));
  const file = await joinedPatches({ ...SIZE, patches, parts, framesEach: 10 });
  const cropped = { crop_x: 0.25, crop_y: 0, crop_w: 0.5, crop_h: 1, fit: 'cover' };
  for (const [entry, seen] of [
    [{}, patches],
    [cropped, patches.slice(1, 3)],
  ] as const) {
    const planned = played(file, 25, entry);
    for (const part of parts.keys()) {
      const frame = frames(part * 10 + 5);
      const still = await renderStill({ ...planned, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame });
      assertNear(patchesOf(still, seen.length), seen, 4);
    }
  }
});

test('[R23] a file that becomes HDR is tone-mapped from that frame on, and only until HDR ends', async () => {
  const sdr = { matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG };
  const hdr = { matrix: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG, transfer: AVCOL_TRC_SMPTE2084 };
  // As a signal of PQ, this grey is white paper: 203 nits.
  const patches: Rgb[] = [[148, 148, 148]];
  const file = await joinedPatches({ ...SIZE, patches, parts: [sdr, hdr, sdr], framesEach: 10 });
  const seen: number[] = [];
  await composeFrames(played(file, 25), { start: frames(0), end: frames(30) }, (frame) => {
    seen.push(frame.data![0]![50 * frame.linesize[0]! + 96]!);
  });
  for (const [n, luma] of seen.entries()) {
    const isHdr = n >= 10 && n < 20;
    assert.ok(isHdr ? luma > 185 : Math.abs(luma - 143) <= 2, `frame ${n}: ${luma}`);
  }
});
