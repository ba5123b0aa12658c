import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from 'node-av/lib';
import type { CanvasFrame } from '../../../src/engine/compose/compositor.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { Rect } from '../../../src/plan/model/canvas.ts';
import { frames } from '../../../src/time.ts';
import { videoPlan } from '../video-plan.ts';
import { composeFrames } from './compose-frames.ts';

const SIZE = { width: 320, height: 180 };

const timeline = {
  tier_blocks: [{ start: 0, duration: 4 }],
  tier_tiles: [
    { tier_item_id: 'a', position: 0.5 },
    { tier_item_id: 'b', position: 2.2 },
  ],
  subtitles: [{ text: 'What is said meanwhile', start: 1, duration: 2 }],
};

/** Luma and both differences, row by row. */
function planes(frame: Frame): Uint8Array[][] {
  return [0, 1, 2].map((plane) => {
    const shift = plane === 0 ? 0 : 1;
    const stride = frame.linesize[plane]!;
    return Array.from({ length: SIZE.height >> shift }, (_, row) =>
      Uint8Array.from(frame.data![plane]!.subarray(row * stride, row * stride + (SIZE.width >> shift))),
    );
  });
}

/** How many samples of two pictures differ, outside the parts. */
function otherSamples(one: Uint8Array[][], other: Uint8Array[][], parts: readonly Rect[]): number {
  let count = 0;
  for (const [plane, rows] of one.entries()) {
    const shift = plane === 0 ? 0 : 1;
    for (const [row, samples] of rows.entries()) {
      const y = row << shift;
      const across = parts.filter((part) => y >= part.y && y < part.y + part.height);
      for (const [column, sample] of samples.entries()) {
        const x = column << shift;
        if (sample === other[plane]![row]![column]) continue;
        if (!across.some((part) => x >= part.x && x < part.x + part.width)) count += 1;
      }
    }
  }
  return count;
}

for (const reveal of ['spotlight', 'slam'] as const) {
  test(`[R19] ${reveal}: outside the parts reported as changed, a frame equals the previous one`, async () => {
    const render = videoPlan({}, timeline, { ...SIZE, reveal });
    const painter = await SkiaPainter.create({ plan: render.plan, files: new Map() });
    let before: Uint8Array[][] | null = null;
    let reported = 0;
    const look = (frame: Frame, n: number, { isRepeat, changed }: CanvasFrame) => {
      const now = planes(frame);
      if (before !== null && changed !== null) {
        assert.equal(otherSamples(now, before, changed), 0, `frame ${n}`);
        const area = changed.reduce((sum, { width, height }) => sum + width * height, 0);
        if (!isRepeat && area < SIZE.width * SIZE.height) reported += 1;
      }
      before = now;
    };
    await composeFrames({ ...render, painter }, { start: frames(0), end: render.plan.totalFrames }, look);
    assert.ok(reported >= 10, `only ${reported} frames reported a part as changed`);
  });
}
