import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptCards } from '../../../src/paint/draw/card/kept-cards.ts';
import { CanvasPainter } from '../../../src/paint/draw/layer/canvas-painter.ts';
import { type PaintTools, preparePainting } from '../../../src/paint/draw/layer/prepare-painting.ts';
import { fontCoverage } from '../../../src/paint/fonts/font-coverage.ts';
import { createSkiaMeasure, createSkiaSurface } from '../../../src/paint/skia/skia.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { drawLandscape } from '../sample-pictures.ts';
import { samplePlan, sampleScene } from '../sample-plan.ts';

const CANVAS = { width: 640, height: 360 };
const names = Array.from({ length: 60 }, (_, item) => `Game ${item}`);
const scene = sampleScene([30, 30], { names, pictures: 6, nameCard: (item) => item % 2 === 0 });
const before = samplePlan(CANVAS, scene);

/** Paints the board, and counts the surfaces and the decoded pictures that it takes. */
async function painted(plan: RenderPlan, kept: PaintTools['kept']) {
  const count = { surfaces: 0, pictures: 0 };
  const painter = new CanvasPainter(
    await preparePainting(plan, {
      createSurface(width, height) {
        count.surfaces += 1;
        return createSkiaSurface(width, height);
      },
      measure: createSkiaMeasure(),
      async loadPicture(field) {
        count.pictures += 1;
        const seed = Number(plan.sources.find((source) => source.field === field)!.hash);
        return { bitmap: drawLandscape(seed).bitmap, release: () => {} };
      },
      coverage: fontCoverage,
      kept,
    }),
  );
  const { rgba } = painter.paint('board', plan.painted.board[0]!, frames(0))!.still;
  return { ...count, rgba };
}

test('after an edit, only changed cards and pictures are drawn, and the board looks as if all were', async () => {
  const kept = { cards: new KeptCards(), pictures: new Map() };
  const first = await painted(before, kept);
  assert.ok(first.surfaces > 60 && first.pictures === 3, `${first.surfaces} surfaces, ${first.pictures} pictures`);

  // Two cards change places, one has another name, one file has other content.
  const items = scene.items.map((item, index) => (index === 4 ? { ...item, name: 'Chess' } : item));
  const [top, bottom] = scene.rows.map((row) => [...row.items]) as [number[], number[]];
  [top[0], bottom[0]] = [bottom[0]!, top[0]!];
  const rows = scene.rows.map((row, index) => ({ ...row, items: index === 0 ? top : bottom }));
  const moved = { ...before, board: { ...scene, items, rows } };
  const again = await painted(moved, kept);
  assert.ok(again.surfaces < 10, `${again.surfaces} surfaces for three cards`);
  assert.equal(again.pictures, 0);
  assert.ok(Buffer.from(again.rgba).equals((await painted(moved, undefined)).rgba));

  const sources = before.sources.map((source, index) => (index === 1 ? { ...source, hash: '11' } : source));
  const other = { ...moved, sources };
  const last = await painted(other, kept);
  assert.equal(last.pictures, 1);
  assert.ok(last.surfaces < 30, `${last.surfaces} surfaces for ten cards with one picture`);
  assert.ok(Buffer.from(last.rgba).equals((await painted(other, undefined)).rgba));
});
