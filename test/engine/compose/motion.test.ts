import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import { viewAt } from '../../../src/plan/frame/clip-at-frame.ts';
import { frames } from '../../../src/time.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { fileSource, source, videoPlan } from '../video-plan.ts';
import { composeFrames, frameHashes } from './compose-frames.ts';

const CANVAS = { width: 192, height: 108, fps: 30 };

/** A picture whose brightness is a function of the position, as a PNG. */
function still(
  name: string,
  width: number,
  height: number,
  shade: (x: number, y: number) => number,
  alphaOf?: (x: number, y: number) => number,
) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  for (let at = 0; at < width * height; at += 1) {
    const place = [(at % width) + 0.5, Math.floor(at / width) + 0.5] as const;
    const grey = Math.round(shade(...place));
    image.data.set([grey, grey, grey, alphaOf?.(...place) ?? 255], 4 * at);
  }
  context.putImageData(image, 0, 0);
  const file = join(clipFolder(), `${name}.png`);
  writeFileSync(file, canvas.toBuffer('image/png'));
  return fileSource(file, { kind: 'still', duration: 0, width, height, alpha: alphaOf !== undefined });
}

/** Slow waves: the value between two pixels is known. */
const waves = (x: number, y: number) => 128 + 50 * Math.sin(x / 9) + 50 * Math.sin(y / 7);
const luma = (grey: number) => 16 + (grey * 219) / 255;

for (const [name, size, motion] of [
  ['enlarged', [192, 108], { from: { scale: 1 }, to: { x: 60, y: 45, scale: 1.7 } }],
  ['made smaller', [768, 432], { from: { scale: 1 }, to: { x: 40, y: 55, scale: 3 }, ease: 'linear' }],
] as const) {
  test(`[C59] a picture that is ${name} shows its view at every position`, async () => {
    const [width, height] = size;
    const grain = width / CANVAS.width;
    const shade = (x: number, y: number) => waves(x / grain, y / grain);
    const render = videoPlan(
      { p: still(`waves-${width}`, width, height, shade) },
      { videos: [{ file_field: 'p', duration: 1, motion }] },
      CANVAS,
    );
    const clip = render.plan.clips[0]!;
    const worst: number[] = [];
    await composeFrames(render, { start: frames(0), end: frames(30) }, (frame, n, { isRepeat }) => {
      assert.equal(isRepeat, false);
      const view = viewAt(clip.motion!, n);
      let most = 0;
      for (let y = 2; y < CANVAS.height - 2; y += 5) {
        for (let x = 2; x < CANVAS.width - 2; x += 5) {
          const sx = view.x + ((x + 0.5) * view.width) / CANVAS.width;
          const sy = view.y + ((y + 0.5) * view.height) / CANVAS.height;
          most = Math.max(most, Math.abs(frame.data![0]![y * frame.linesize[0]! + x]! - luma(shade(sx, sy))));
        }
      }
      worst.push(most);
    });
    assert.equal(worst.length, 30);
    assert.ok(Math.max(...worst) < 3, worst.map((each) => each.toFixed(1)).join());
  });
}

test('[C59] a slow zoom over a fine grid does not step: every line moves a little in every frame', async () => {
  // Lines eight pixels apart, soft enough that their edges are found between pixels.
  const grid = (x: number) => 130 + 70 * Math.sin((x * Math.PI) / 8);
  const render = videoPlan(
    { p: still('grid', 384, 216, grid) },
    { videos: [{ file_field: 'p', duration: 2, motion: { from: { scale: 1 }, to: { scale: 1.02 }, ease: 'linear' } }] },
    { width: 384, height: 216 },
  );
  const places: number[] = [];
  await composeFrames(render, { start: frames(0), end: frames(60) }, (frame) => {
    const row = frame.data![0]!.subarray(100 * frame.linesize[0]!, 100 * frame.linesize[0]! + 384);
    // Where brightness crosses the middle, near the right edge.
    const middle = luma(130);
    let at = 346;
    while (!(row[at]! <= middle && row[at + 1]! > middle)) at += 1;
    places.push(at + (middle - row[at]!) / (row[at + 1]! - row[at]!));
  });
  const steps = places.slice(1).map((place, index) => place - places[index]!);
  const even = (places.at(-1)! - places[0]!) / steps.length;
  assert.ok(even > 0.04 && even < 0.07, `it moves by ${even} px a frame`);
  assert.ok(
    steps.every((step) => step > 0.01 && Math.abs(step - even) < 0.05),
    steps.map((step) => step.toFixed(3)).join(),
  );
});

test('[C59] every frame of a clip that moves is the due one; a range equals the whole video to the pixel', async () => {
  const film = await source({ frames: 60, width: 192, height: 108 });
  const videos = [
    { file_field: 'p', duration: 1, trim_start: 0.5, motion: { from: { scale: 1 }, to: { scale: 1.06 } } },
  ];
  const render = videoPlan({ p: film }, { videos }, CANVAS);
  const shown: (number | null)[] = [];
  await composeFrames(render, { start: frames(0), end: frames(30) }, (frame) => {
    shown.push(readFrameNumber({ data: frame.data![0]!, stride: frame.linesize[0]!, ...CANVAS }));
  });
  assert.deepEqual(
    shown,
    Array.from({ length: 30 }, (_, n) => 15 + n),
  );
  const whole = await frameHashes(render, { start: frames(0), end: frames(30) });
  const part = await frameHashes(render, { start: frames(17), end: frames(30) });
  assert.deepEqual(part, whole.slice(17));
});

test('[C59] bars and backdrop stay still around a picture that moves', async () => {
  const picture = still('upright', 216, 432, waves);
  for (const fit of ['contain', 'blur']) {
    const videos = [{ file_field: 'p', duration: 1, fit, motion: { to: { scale: 2 } } }];
    const render = videoPlan({ p: picture }, { videos }, { ...CANVAS, background: '#102030' });
    const { dest } = render.plan.clips[0]!;
    const beside: string[] = [];
    const inside: string[] = [];
    await composeFrames(render, { start: frames(0), end: frames(4) }, (frame) => {
      const at = 50 * frame.linesize[0]!;
      beside.push(frame.data![0]!.subarray(at, at + dest.x).join());
      inside.push(frame.data![0]!.subarray(at + dest.x, at + dest.x + dest.width).join());
    });
    assert.equal(new Set(beside).size, 1, fit);
    assert.equal(new Set(inside).size, 4, fit);
  }
});

/** Luma of frame 0, row by row. */
async function firstLuma(render: ReturnType<typeof videoPlan>): Promise<Uint8Array> {
  const luma = new Uint8Array(CANVAS.width * CANVAS.height);
  await composeFrames(render, { start: frames(0), end: frames(1) }, ({ data, linesize }) => {
    for (let y = 0; y < CANVAS.height; y += 1) {
      luma.set(data![0]!.subarray(y * linesize[0]!, y * linesize[0]! + CANVAS.width), y * CANVAS.width);
    }
  });
  return luma;
}

const BOX = { x_percent: 10, y_percent: 10, width_percent: 80, height_percent: 80 };

for (const [name, entry] of [
  ['in a circle', { ...BOX, fit: 'cover', shape: 'circle' }],
  ['over its backdrop', { fit: 'blur' }],
  ['over its backdrop in a box with round corners', { ...BOX, fit: 'blur', shape: 'rounded' }],
] as const) {
  for (const clear of [true, false]) {
    const kind = clear ? 'a see-through picture' : 'an opaque picture';
    test(`[C59] [C48] ${kind} ${name} begins to move from what it looks like at rest`, async () => {
      // Nothing of the middle is visible, half of the right part, and all of the rest.
      const alphaOf = (x: number, y: number) => (Math.hypot(x - 108, y - 108) < 50 ? 0 : x > 180 ? 128 : 255);
      const picture = still(`clear-${clear}`, 216, 216, () => 40, clear ? alphaOf : undefined);
      const [resting, moving] = await Promise.all(
        [{}, { motion: { to: { scale: 1.01 }, ease: 'linear' } }].map((motion) => {
          const videos = [{ file_field: 'p', duration: 1, ...entry, ...motion }];
          return firstLuma(videoPlan({ p: picture }, { videos }, { ...CANVAS, background: '#ffffff' }));
        }),
      );
      let off = 0;
      for (const [at, value] of resting!.entries()) off += Math.abs(value - moving![at]!);
      assert.ok(off / resting!.length < 0.5, `${off / resting!.length} off`);
    });
  }
}
