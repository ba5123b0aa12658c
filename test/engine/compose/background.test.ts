import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import type { Frame } from 'node-av/lib';
import type { Painter } from '../../../src/plan/model/painter.ts';
import { frames } from '../../../src/time.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import type { Render } from '../encode/render-video.ts';
import { NO_PAINTER } from '../no-painter.ts';
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

test('[C61, R22] a moving gradient changes ten times a second; the frames between repeat, and no frame depends on where a render starts', async () => {
  const nothing = { soundtracks: [], subtitles: [{ text: ' ', start: 0, duration: 2 }] };
  const render = videoPlan({}, nothing, { ...SIZE, background: { ...GRADIENT, moving: true } });
  const repeats: boolean[] = [];
  await composeFrames(render, { start: frames(0), end: frames(12) }, (_, __, { isRepeat }) => repeats.push(isRepeat));
  assert.deepEqual(repeats, [false, true, true, false, true, true, false, true, true, false, true, true]);
  const all = await frameHashes(render, { start: frames(0), end: frames(12) });
  assert.equal(new Set(all).size, 4);
  assert.deepEqual(await frameHashes(render, { start: frames(5), end: frames(9) }), all.slice(5, 9));
});

test('[R22, R37] the ground of a theme is behind everything and beside clips, and is encoded once', async () => {
  const wide = await source({ frames: 60, width: 128, height: 64 });
  const rgba = new Uint8Array(128 * 128 * 4).map((_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 512) * 2));
  const rect = { x: 0, y: 0, ...SIZE };
  let painted = 0;
  const painter: Painter = {
    ...NO_PAINTER,
    ground: () => {
      painted += 1;
      return { rect, rgba };
    },
  };
  const settings = { ...SIZE, background: { kind: 'theme' } };
  const videos = [{ file_field: 'clip', start: 1, duration: 1 }];
  const render = { ...videoPlan({ clip: wide }, { videos }, settings), painter };
  const alone = await columnOf(render, 3, 40);
  for (const [y, level] of alone.entries()) {
    assert.ok(Math.abs(level - (16 + (219 * 2 * y) / 255)) < 1.5, `${level} at ${y}`);
  }
  const beside = await columnOf(render, 33, 40);
  assert.deepEqual([...beside.slice(0, 32), ...beside.slice(96)], [...alone.slice(0, 32), ...alone.slice(96)]);
  painted = 0;
  const repeats: boolean[] = [];
  await composeFrames(render, { start: frames(0), end: frames(12) }, (_, __, { isRepeat }) => repeats.push(isRepeat));
  assert.deepEqual(repeats, [false, ...Array<boolean>(11).fill(true)]);
  assert.equal(painted, 1);
});

test('[C61] an image without blur is unchanged; a blurred one has no sharp edges', async () => {
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

/** A picture of one shade. */
function plain(name: string, width: number, height: number, color: string) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  const file = join(clipFolder(), `${name}.png`);
  writeFileSync(file, canvas.toBuffer('image/png'));
  return fileSource(file, { kind: 'still', duration: 0, width, height });
}

for (const [name, background] of [
  ['a gradient', GRADIENT],
  ['an image', { kind: 'image', file_field: 'wall' }],
] as const) {
  test(`[C61] ${name} in the bars beside a clip fades with the clip, over the clip below`, async () => {
    const sources = { white: plain('white', 128, 128, '#ffffff'), wide: plain('wide', 128, 64, '#808080') };
    const wall = plain('wall', 128, 128, '#303030');
    const videos = [
      { file_field: 'white', duration: 3 },
      { file_field: 'wide', start: 1, duration: 2, fade_in: 1 },
    ];
    const settings = { ...SIZE, background };
    const render = videoPlan({ ...sources, wall }, { videos }, settings);
    const shown = await columnOf(render, 80, 40);
    for (const n of [30, 45, 59, 60]) {
      const opacity = Math.min(1, (n - 30 + 0.5) / 30);
      for (const [y, level] of (await columnOf(render, n, 40)).entries()) {
        const mixed = opacity * shown[y]! + (1 - opacity) * 235;
        assert.ok(Math.abs(level - mixed) < 2.5, `frame ${n}: ${level} at ${y}, not ${mixed}`);
      }
    }
  });

  test(`[C58] [C61] ${name} is in the bars beside clips that cross, above a board and below`, async () => {
    const sources = { one: plain('one', 128, 64, '#808080'), other: plain('other', 128, 64, '#a0a0a0') };
    const wall = plain('wall', 128, 128, '#303030');
    for (const layer of ['above_board', 'below_board']) {
      const videos = [
        { file_field: 'one', duration: 1, layer },
        { file_field: 'other', start: 1, duration: 1, layer, transition: { kind: 'crossfade', duration: 0.6 } },
      ];
      const below = layer === 'above_board' ? [] : [{ file_field: 'white', duration: 2 }];
      const all = { ...sources, wall, white: plain('white', 128, 128, '#ffffff') };
      const render = videoPlan(all, { videos: [...below, ...videos] }, { ...SIZE, background });
      const [alone, crossing] = [await columnOf(render, 5, 40), await columnOf(render, 30, 40)];
      assert.ok(Math.max(...alone.slice(0, 30)) < 90);
      assert.deepEqual([...crossing.slice(0, 32), ...crossing.slice(96)], [...alone.slice(0, 32), ...alone.slice(96)]);
    }
  });
}
