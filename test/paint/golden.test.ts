import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaOverlayPainter } from '../../src/paint/skia/skia-overlay-painter.ts';
import { frames } from '../../src/time.ts';
import { differenceOf, onCanvas, type Picture } from './golden.ts';
import { samplePlan, sampleScene } from './sample-plan.ts';

const CANVAS = { width: 960, height: 540 };

async function board(change: Parameters<typeof sampleScene>[1] = {}, x = 48): Promise<Picture> {
  const scene = sampleScene([8, 12, 10, 14, 7, 5, 4], { pictures: 0, ...change });
  const plan = samplePlan(CANVAS, scene, [], { x, y: 27, width: 864, height: 486 });
  const painter = await SkiaOverlayPainter.create({ plan, files: new Map() });
  return onCanvas(CANVAS, [painter.paint('board', plan.painted.board[0]!, frames(0))]);
}

/** Other processors round differently: by a little, everywhere. */
function noisy({ rgba, ...size }: Picture): Picture {
  return { ...size, rgba: rgba.map((value, at) => Math.min(255, Math.max(0, value + ((at * 7919) % 9) - 4))) };
}

test('the comparison of pictures overlooks rounding', async () => {
  const picture = await board();
  assert.equal(differenceOf(picture, noisy(picture)), null);
});

test('the comparison of pictures sees a board one pixel off, one missing card, another row colour, another name', async () => {
  const picture = await board();
  const changed = {
    moved: await board({}, 49),
    'without a card': await board({ reveals: [{ item: 3, at: frames(50), end: frames(60) }] }),
    'in another colour': await board({
      colors: ['#ff7f7f', '#ffbf7f', '#ffdf7f', '#ffff7f', '#bfff7f', '#7fff7f', '#5fffff'],
    }),
    'with another name': await board({ names: ['Half-Life 1', ...'ABCDEFGHIJK'] }),
  };
  for (const [how, other] of Object.entries(changed)) assert.notEqual(differenceOf(picture, other), null, how);
});
