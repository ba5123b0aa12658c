import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { frames } from '../../../src/time.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import type { Render } from '../encode/render-video.ts';
import { fileSource, source, videoPlan } from '../video-plan.ts';
import { composeFrames, frameHashes } from './compose-frames.ts';

const SIZE = { width: 128, height: 128 };
const GRADIENT = { kind: 'gradient', colors: ['#000000', '#ffffff'], angle: 180 };

async function columnOf(render: Render, n: number, x: number): Promise<number[]> {
  let levels: number[] = [];
  await composeFrames(render, { start: frames(n), end: frames(n + 1) }, ({ data, linesize, height }: Frame) => {
    levels = Array.from({ length: height }, (_, y) => data![0]![y * linesize[0]! + x]!);
  });
  return levels;
}

test('[C61] a gradient fills the canvas from black to white, and shows in the bars beside a clip', async () => {
  const wide = await source({ frames: 60, width: 128, height: 64 });
  const videos = [{ file_field: 'clip', start: 1, duration: 1 }];
  const render = videoPlan({ clip: wide }, { videos }, { ...SIZE, background: GRADIENT });
  const alone = await columnOf(render, 3, 40);
  for (const [y, level] of alone.entries()) {
    assert.ok(Math.abs(level - (16 + (219 * (y + 0.5)) / 128)) < 1.5, `${level} at ${y}`);
  }
  const beside = await columnOf(render, 33, 40);
  assert.deepEqual([...beside.slice(0, 32), ...beside.slice(96)], [...alone.slice(0, 32), ...alone.slice(96)]);
  await composeFrames(render, { start: frames(33), end: frames(34) }, ({ data, linesize, width, height }) => {
    const luma = { data: data![0]!, stride: linesize[0]!, width, height };
    assert.equal(readFrameNumber(luma, { x: 0, y: 32, width: 128, height: 64 }), 3);
  });
});

test('[C61, R22] a gradient that moves changes ten times a second; the frames between repeat, and each frame is the same wherever a render starts', async () => {
  const nothing = { soundtracks: [], subtitles: [{ text: ' ', start: 0, duration: 2 }] };
  const render = videoPlan({}, nothing, { ...SIZE, background: { ...GRADIENT, moving: true } });
  const repeats: boolean[] = [];
  await composeFrames(render, { start: frames(0), end: frames(12) }, (_, __, { isRepeat }) => repeats.push(isRepeat));
  assert.deepEqual(repeats, [false, true, true, false, true, true, false, true, true, false, true, true]);
  const all = await frameHashes(render, { start: frames(0), end: frames(12) });
  assert.equal(new Set(all).size, 4);
  assert.deepEqual(await frameHashes(render, { start: frames(5), end: frames(9) }), all.slice(5, 9));
});

test('[C61] an image without blur is the image; blurred, its edges are gone', async () => {
  const numbered = await source({ frames: 1, ...SIZE, firstNumber: 0x5555 }, { kind: 'still', duration: 0 });
  const wall = fileSource(numbered.clip.file, { kind: 'still', duration: 0, ...SIZE });
  const timeline = { subtitles: [{ text: ' ', start: 0, duration: 1 }] };
  const seen = async (blur: number) => {
    const render = videoPlan({ wall }, timeline, { ...SIZE, background: { kind: 'image', file_field: 'wall', blur } });
    const column = await columnOf(render, 5, 12);
    return Math.max(...column.slice(1).map((level, y) => Math.abs(level - column[y]!)));
  };
  const [sharp, soft, softest] = [await seen(0), await seen(30), await seen(100)];
  assert.ok(sharp > 100 && soft < sharp / 2 && softest < soft, `steps of ${sharp}, ${soft} and ${softest}`);
});
