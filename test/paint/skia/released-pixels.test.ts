import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaintedFrames } from '../../../src/engine/compose/painted-frames.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { Painter, Painting } from '../../../src/plan/model/painter.ts';
import { frames } from '../../../src/time.ts';
import { samplePlan, sampleScene } from '../sample-plan.ts';

const AT = frames(10);
const PLAN = samplePlan(
  { width: 320, height: 240 },
  sampleScene([2, 2], { reveals: [{ item: 1, at: AT, style: 'spotlight', to: null }] }),
);
const WINDOW = PLAN.painted.board[0]!;
const LAST = PLAN.board!.events[0]!.end;

function bytesOf({ moving, front }: Painting): number {
  return (moving?.rgba.byteLength ?? 0) + (front?.rgba.byteLength ?? 0);
}

test('[R22] a painting that was released has no pixels left, and its frame is painted again', async () => {
  const painter = await SkiaPainter.create({ plan: PLAN, files: new Map() });
  const painting = painter.paint('board', WINDOW, frames(AT + 5))!;
  const pixels = new Uint8Array(painting.front!.rgba);
  assert.ok(bytesOf(painting) > 0);
  painting.release!();
  assert.equal(bytesOf(painting), 0);
  assert.ok(painting.still.rgba.byteLength > 0);
  assert.deepEqual(new Uint8Array(painter.paint('board', WINDOW, frames(AT + 5))!.front!.rgba), pixels);
});

test('[R22] of the frames of a reveal, only the last one keeps its pixels', async () => {
  const painter = await SkiaPainter.create({ plan: PLAN, files: new Map() });
  const painted = new Set<Painting>();
  const counting: Painter = {
    paint: (kind, layer, frame) => {
      const painting = painter.paint(kind, layer, frame);
      if (painting !== null) painted.add(painting);
      return painting;
    },
    clipFrame: (look) => painter.clipFrame(look),
    ground: () => painter.ground(),
  };
  const pool = new FramePool();
  {
    using shown = new PaintedFrames(PLAN, counting, pool);
    for (let n = AT; n < LAST; n = frames(n + 1)) {
      const { front, patch } = shown.at({ kind: 'board', index: 0, started: 1, settled: 0, changes: true }, n, true)!;
      for (const part of [front, patch]) assert.notEqual(part?.rgba.byteLength, 0, `frame ${n}`);
      assert.ok([...painted].filter((painting) => bytesOf(painting) > 0).length <= 1, `frame ${n}`);
    }
  }
  assert.ok(painted.size > 10);
  pool[Symbol.dispose]();
});
