import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { clipMask } from '../../../src/engine/compose/clip-mask.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { frames } from '../../../src/time.ts';
import type { Render } from '../encode/render-video.ts';
import { source, videoPlan } from '../video-plan.ts';
import { composeFrames } from './compose-frames.ts';

const CANVAS = { width: 160, height: 160, background: '#ffffff' };
const BOX = { x_percent: 25, y_percent: 25, width_percent: 50, height_percent: 50, fit: 'cover' };

/** Luma at some places of frame `n`: white is 235, the clip is darker. */
async function lumaAt(render: Render, n: number, places: readonly (readonly [number, number])[]): Promise<number[]> {
  let seen: number[] = [];
  const painter = await SkiaPainter.create({ plan: render.plan, files: new Map() });
  await composeFrames({ ...render, painter }, { start: frames(n), end: frames(n + 1) }, (frame: Frame) => {
    seen = places.map(([x, y]) => frame.data![0]![y * frame.linesize[0]! + x]!);
  });
  return seen;
}

const dark = async () => source({ frames: 90, width: 64, height: 64 });

test('[C48] a circle is cut from the middle of its box; the layers below show around it', async () => {
  const render = videoPlan(
    { clip: await dark() },
    {
      videos: [
        {
          file_field: 'clip',
          start: 0,
          duration: 2,
          ...BOX,
          shape: 'circle',
          border_color: '#000000',
          border_width: 60,
        },
      ],
    },
    CANVAS,
  );
  assert.equal(render.plan.clips[0]!.look!.radiusPx, 40);
  const [corner, insideCorner, border] = await lumaAt(render, 9, [
    [41, 41],
    [50, 50],
    [80, 43],
  ]);
  assert.equal(corner, 235);
  assert.equal(insideCorner, 235);
  assert.ok(border! < 30, `the border is ${border}`);
});

test('[C48] a picture-in-picture is rounded beside a board and not otherwise; the mask covers its content', async () => {
  const videos = [{ file_field: 'clip', start: 0, duration: 2, ...BOX }];
  const beside = videoPlan({ clip: await dark() }, { videos, tier_blocks: [{ start: 1, duration: 1 }] }, CANVAS);
  const alone = videoPlan({ clip: await dark() }, { videos }, CANVAS);
  assert.equal(alone.plan.clips[0]!.look, null);
  const look = beside.plan.clips[0]!.look!;
  assert.ok(look.radiusPx > 0);
  const circle = { ...look, rect: { x: 0, y: 0, width: 80, height: 80 }, radiusPx: 40 };
  const mask = clipMask(circle, { x: 0, y: 0, width: 80, height: 80 });
  const covered = mask.reduce((sum, alpha) => sum + alpha / 255, 0);
  assert.ok(Math.abs(covered - Math.PI * 40 * 40) < 8, `${covered} pixels`);
});

test('[C48, R20] a clip that slides in starts outside and ends in its box', async () => {
  const videos = [
    {
      file_field: 'clip',
      start: 0,
      duration: 3,
      ...BOX,
      x_percent: 0,
      enter: 'slide',
      exit: 'fade',
      enter_duration: 1,
    },
  ];
  const render = videoPlan({ clip: await dark() }, { videos }, CANVAS);
  const edgeOf = async (n: number) => {
    const row = await lumaAt(
      render,
      n,
      Array.from({ length: 160 }, (_, x) => [x, 80] as const),
    );
    return row.findLastIndex((luma) => luma !== 235) + 1;
  };
  const edges = [await edgeOf(2), await edgeOf(10), await edgeOf(40)];
  assert.ok(edges[0]! < edges[1]! && edges[1]! < 80, String(edges));
  assert.equal(edges[2], 80);
  const [half] = await lumaAt(render, 75, [[10, 80]]);
  const [whole] = await lumaAt(render, 40, [[10, 80]]);
  assert.ok(half! > whole! || whole! > 200, `${half} against ${whole}`);
});
