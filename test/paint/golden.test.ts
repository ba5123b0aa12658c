import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import type { Rect } from '../../src/plan/model/canvas.ts';
import { frames } from '../../src/time.ts';
import { onCanvas } from './golden.ts';
import { differenceOf, type Picture } from './picture-difference.ts';
import { samplePlan, sampleScene } from './sample-plan.ts';

const CANVAS = { width: 960, height: 540 };
/** The last character of the first card's name. */
const LETTER: Rect = { x: 152, y: 106, width: 7, height: 12 };

async function board(change: Parameters<typeof sampleScene>[1] = {}, x = 48): Promise<Picture> {
  const scene = sampleScene([8, 12, 10, 14, 7, 5, 4], { pictures: 0, ...change });
  const plan = samplePlan(CANVAS, scene, [], { x, y: 27, width: 864, height: 486 });
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  return onCanvas(CANVAS, [painter.paint('board', plan.painted.board[0]!, frames(0))]);
}

/** Other processors round differently: a fifth of all channels by one, and here and there a pixel by more. */
function noisy({ rgba, ...size }: Picture): Picture {
  return {
    ...size,
    rgba: rgba.map((value, at) => {
      if (at % 4 === 3) return value;
      const off = at % 10_007 === 0 ? 12 : ([1, -1][(at * 7919) % 10] ?? 0);
      return Math.min(255, Math.max(0, value + off));
    }),
  };
}

/** With another colour in a few of its pixels. */
function patched(picture: Picture, width: number, height: number, off: number): Picture {
  const rgba = Uint8Array.from(picture.rgba);
  for (let y = 100; y < 100 + height; y += 1) {
    for (let x = 200; x < 200 + width; x += 1) {
      const at = (y * picture.width + x) * 4;
      rgba[at] = rgba[at]! > 127 ? rgba[at]! - off : rgba[at]! + off;
    }
  }
  return { ...picture, rgba };
}

/** With a part of it one pixel further right: a letter, say. */
function nudged(picture: Picture, { x, y, width, height }: Rect): Picture {
  const rgba = Uint8Array.from(picture.rgba);
  for (let row = y; row < y + height; row += 1) {
    const from = (row * picture.width + x) * 4;
    rgba.copyWithin(from + 4, from, from + width * 4);
  }
  return { ...picture, rgba };
}

test('the comparison of pictures ignores rounding', async () => {
  const picture = await board();
  assert.equal(differenceOf(picture, noisy(picture)), null);
  assert.equal(differenceOf(picture, patched(picture, 3, 2, 40)), null);
});

test('the comparison of pictures detects a patch of 6×6 pixels, a letter one pixel off, a colour that is off by one', async () => {
  const picture = await board();
  const changed = {
    'a patch': patched(picture, 6, 6, 10),
    'a letter': nudged(picture, LETTER),
    'a colour': { ...picture, rgba: picture.rgba.map((value, at) => (at % 4 === 0 && value > 0 ? value - 1 : value)) },
  };
  for (const [how, other] of Object.entries(changed)) assert.notEqual(differenceOf(picture, other), null, how);
});

test('the comparison of pictures detects a board one pixel off, one missing card, another row colour, another name', async () => {
  const picture = await board();
  const changed = {
    moved: await board({}, 49),
    'without a card': await board({ reveals: [{ item: 3, at: frames(50) }] }),
    'in another colour': await board({
      colors: ['#ff7f7f', '#ffbf7f', '#ffdf7f', '#ffff7f', '#bfff7f', '#7fff7f', '#5fffff'],
    }),
    'with another name': await board({ names: ['Half-Life 1', ...'ABCDEFGHIJK'] }),
  };
  for (const [how, other] of Object.entries(changed)) assert.notEqual(differenceOf(picture, other), null, how);
});
