import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import type { Frame } from 'node-av/lib';
import { storedCrop } from '../../../src/engine/picture/orientation.ts';
import { clipTime } from '../../../src/plan/frame/clip-at-frame.ts';
import { enterExitEdges, presenceAt } from '../../../src/plan/frame/picture-envelope.ts';
import { frames, micros } from '../../../src/time.ts';
import { type Area, readFrameNumber } from '../../fixtures/frame-number.ts';
import { outFolder, type Render } from '../encode/render-video.ts';
import { fileSource, type Source, source, videoPlan } from '../video-plan.ts';
import { composeFrames } from './compose-frames.ts';

/** The number seen in a part of the canvas at frame `n`, and the mean brightness of another part. */
async function lookAt<T>(render: Render, n: number, look: (frame: Frame) => T): Promise<T> {
  let seen: T | undefined;
  await composeFrames(render, { start: frames(n), end: frames(n + 1) }, (frame) => {
    seen = look(frame);
  });
  return seen!;
}

function numberIn(area?: Area): (frame: Frame) => number | null {
  return (frame) => readFrameNumber(luma(frame), area);
}

function brightnessOf({ x, y, width, height }: Area): (frame: Frame) => number {
  return (frame) => {
    const { data, stride } = luma(frame);
    let sum = 0;
    for (let row = y; row < y + height; row++) for (let at = x; at < x + width; at++) sum += data[row * stride + at]!;
    return sum / (width * height);
  };
}

function luma(frame: Frame) {
  return { data: frame.data![0]!, stride: frame.linesize[0]!, width: frame.width, height: frame.height };
}

function oneClip(clip: Source, entry: Record<string, unknown> = {}, settings: Record<string, unknown> = {}): Render {
  return videoPlan({ clip }, { videos: [{ file_field: 'clip', start: 0, duration: 2, ...entry }] }, settings);
}

/** Background in these tests, as luma. */
const WHITE = '#ffffff';
const WHITE_LUMA = 235;

test('[R10] contain: the whole picture in the middle, background beside it', async () => {
  const wide = await source({ frames: 60, width: 128, height: 64 });
  const render = oneClip(wide, {}, { width: 128, height: 128, background: WHITE });
  assert.equal(await lookAt(render, 33, numberIn({ x: 0, y: 32, width: 128, height: 64 })), 33);
  assert.equal(await lookAt(render, 33, brightnessOf({ x: 0, y: 0, width: 128, height: 31 })), WHITE_LUMA);
  assert.equal(await lookAt(render, 33, brightnessOf({ x: 0, y: 97, width: 128, height: 31 })), WHITE_LUMA);
});

test('[R10] cover: the canvas is filled with the middle of the picture', async () => {
  const wide = await source({ frames: 60, width: 256, height: 64 });
  const covered = await lookAt(oneClip(wide, { fit: 'cover' }, { width: 64, height: 64 }), 9, copyOf);
  const cropped = { crop_x: 96, crop_y: 0, crop_w: 64, crop_h: 64, crop_unit: 'pixel' };
  const cut = await lookAt(oneClip(wide, cropped, { width: 64, height: 64, crop_unit: 'pixel' }), 9, copyOf);
  assert.deepEqual(covered, cut);
});

test('[R10] blur: the whole picture over a blurred copy that fills the canvas', async () => {
  const wide = await source({ frames: 60, width: 128, height: 64, firstNumber: 0xffff - 60 });
  const render = oneClip(wide, { fit: 'blur' }, { width: 128, height: 128 });
  assert.equal(await lookAt(render, 12, numberIn({ x: 0, y: 32, width: 128, height: 64 })), 0xffff - 48);
  // Nearly all cells of that number are white, so its blurred copy is bright where bars would be black.
  assert.ok((await lookAt(render, 12, brightnessOf({ x: 20, y: 2, width: 60, height: 20 }))) > 150);
  assert.equal(await lookAt(render, 12, numberIn()), null);
});

test('[C36] a picture-in-picture is in its box, over the layers below', async () => {
  const back = await source({ frames: 60 });
  const front = await source({ frames: 60, firstNumber: 1000, rate: { num: 60, den: 1 } });
  const box = { x_percent: 50, y_percent: 25, width_percent: 50, height_percent: 50 };
  const videos = [
    { file_field: 'back', start: 0, duration: 2 },
    { file_field: 'front', start: 0.5, duration: 0.5, ...box },
  ];
  const render = videoPlan({ back, front }, { videos }, { width: 256, height: 256 });
  const inset = { x: 128, y: 64, width: 128, height: 128 };
  assert.equal(await lookAt(render, 14, numberIn()), 14);
  assert.equal(await lookAt(render, 20, numberIn(inset)), 1010);
  assert.equal(await lookAt(render, 20, numberIn()), null);
  assert.equal(await lookAt(render, 30, numberIn()), 30);
});

for (const quarterTurns of [0, 1, 2, 3] as const) {
  for (const mirrored of [false, true]) {
    test(`[R7] a picture stored ${quarterTurns * 90}° rotated${mirrored ? ' and mirrored' : ''} is upright`, async () => {
      const clip = await source({ frames: 30, width: 120, height: 64, orientation: { quarterTurns, mirrored } });
      assert.equal(await lookAt(oneClip(clip, {}, { width: 120, height: 64 }), 17, numberIn()), 17);
      // A crop refers to the upright picture: its left half holds the left cells.
      const halves = oneClip(
        clip,
        { crop_x: 0, crop_w: 0.5, crop_y: 0, crop_h: 1 },
        { width: 64, height: 64, fit: 'cover' },
      );
      const whole = await lookAt(
        oneClip(clip, {}, { width: 120, height: 64 }),
        17,
        brightnessOf({ x: 30, y: 40, width: 8, height: 6 }),
      );
      const half = await lookAt(halves, 17, brightnessOf({ x: 31, y: 40, width: 8, height: 6 }));
      assert.ok(Math.abs(whole - half) < 30, `${whole} against ${half}`);
    });
  }
}

test('[R7] non-square pixels are made square', async () => {
  const clip = await source({ frames: 30, width: 64, height: 64, sampleAspect: { num: 2, den: 1 } }, { width: 128 });
  const render = oneClip(clip, {}, { width: 128, height: 128, background: WHITE });
  assert.equal(await lookAt(render, 5, numberIn({ x: 0, y: 32, width: 128, height: 64 })), 5);
  assert.equal(await lookAt(render, 5, brightnessOf({ x: 0, y: 0, width: 128, height: 31 })), WHITE_LUMA);
});

test('[R7] alpha in sources blends: transparent parts show the layers below', async () => {
  const clear = await source({ frames: 30, codec: 'png', container: 'mov', alpha: true });
  const render = oneClip(clear, {}, { background: WHITE });
  const opaque = oneClip(await source({ frames: 30 }));
  const left = { x: 2, y: 2, width: 28, height: 60 };
  assert.ok(
    Math.abs((await lookAt(render, 3, brightnessOf(left))) - (await lookAt(opaque, 3, brightnessOf(left)))) < 4,
  );
  assert.ok((await lookAt(render, 3, brightnessOf({ x: 34, y: 0, width: 30, height: 64 }))) > WHITE_LUMA - 2);
});

test('[R7] transparent edges stay clean when scaled', async () => {
  const canvas = createCanvas(64, 64);
  const context = canvas.getContext('2d');
  context.fillStyle = WHITE;
  context.fillRect(0, 0, 32, 64);
  const file = join(outFolder(), 'half.png');
  writeFileSync(file, canvas.toBuffer('image/png'));
  // White on the left, and on the right nothing, which is stored as black.
  const clear = fileSource(file, { kind: 'still', duration: 0, alpha: true });
  const half = { x_percent: 0, y_percent: 0, width_percent: 70, height_percent: 70 };
  const seen = await lookAt(oneClip(clear, half, { width: 128, height: 128 }), 0, edgeOf);
  const onWhite = await lookAt(oneClip(clear, half, { width: 128, height: 128, background: WHITE }), 0, edgeOf);
  // Over black the edge shows, over white it must not.
  assert.ok(Math.min(...seen) < 30 && Math.max(...seen) > 220, `${seen}`);
  assert.ok(Math.min(...onWhite) > 228, `${onWhite}`);
});

/** Luma along a row, across the middle of a picture 90 pixels wide. */
function edgeOf(frame: Frame): number[] {
  const { data, stride } = luma(frame);
  return Array.from({ length: 20 }, (_, x) => data[8 * stride + 36 + x]!);
}

test('[C36] a fade is linear from frame to frame, in and out', async () => {
  const black = await source({ frames: 90, firstNumber: 0 });
  const render = oneClip(black, { duration: 2, fade_in: 0.5, fade_out: 0.4 }, { background: WHITE });
  // The top left cell of small numbers is black: its brightness is what the fade lets through of the white below.
  const cell = { x: 2, y: 2, width: 8, height: 10 };
  for (const [n, opacity] of [
    [0, 0.5 / 15],
    [7, 7.5 / 15],
    [14, 14.5 / 15],
    [15, 1],
    [40, 1],
    [47, 1],
    [48, 11.5 / 12],
    [59, 0.5 / 12],
  ] as const) {
    const expected = WHITE_LUMA - opacity * (WHITE_LUMA - 16);
    const seen = await lookAt(render, n, brightnessOf(cell));
    assert.ok(Math.abs(seen - expected) < 2.5, `frame ${n}: ${seen} instead of ${expected}`);
  }
});

test('[C36] opacity is symmetric, never 0, and 1 between the fades', () => {
  const fades = { fadeIn: frames(10), fadeOut: frames(10), enter: null, exit: null };
  const clip = { shows: { start: frames(100), end: frames(160) }, ...fades };
  const canvas = { x: 0, y: 0, width: 320, height: 180 };
  const opacityAt = (n: number) => presenceAt(clip, frames(n), canvas, canvas)?.opacity ?? 1;
  for (let k = 0; k < 60; k++) {
    const opacity = opacityAt(100 + k);
    assert.equal(opacity, opacityAt(159 - k));
    assert.ok(opacity > 0 && opacity <= 1);
    assert.equal(opacity === 1, k >= 10 && k < 50);
  }
  assert.deepEqual(enterExitEdges(clip), [110, 150]);
});

test('[C16] a clip’s time never reaches its out-point', () => {
  const clip = {
    shows: { start: frames(10), end: frames(500) },
    trim: { start: micros(1000), end: micros(2_001_000) },
    lead: frames(0),
    speed: 2_000_000,
    loop: false,
  };
  const rate = { num: 30, den: 1 };
  // A millisecond before the middle of the frame, which lasts 66,666 µs of the source.
  assert.equal(clipTime(clip, frames(10), rate), 33_333);
  assert.equal(clipTime(clip, frames(25), rate), 1_033_333);
  assert.equal(clipTime(clip, frames(39), rate), 1_966_666);
  assert.equal(clipTime(clip, frames(40), rate), 2_000_999);
  assert.equal(clipTime({ ...clip, loop: true }, frames(40), rate), 33_333);
});

test('a crop of the upright picture maps to the stored one', () => {
  const crop = { x: 10, y: 20, width: 30, height: 40 };
  const upright = { width: 100, height: 200 };
  const stored = { width: 200, height: 100 };
  const at = (quarterTurns: 1 | 3, mirrored: boolean) =>
    storedCrop(crop, upright, { x: 0, y: 0, ...stored }, { quarterTurns, mirrored });
  assert.deepEqual(at(1, false), { x: 20, y: 60, width: 40, height: 30 });
  assert.deepEqual(at(3, false), { x: 140, y: 10, width: 40, height: 30 });
  assert.deepEqual(at(1, true), { x: 140, y: 60, width: 40, height: 30 });
});

function copyOf(frame: Frame): Buffer {
  return Buffer.from(frame.toBuffer());
}
