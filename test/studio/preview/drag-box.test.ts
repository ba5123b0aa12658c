import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DragRules, dragBox, type Grip } from '../../../src/studio/preview/drag-box.ts';

const BOX = { x: 10, y: 20, width: 40, height: 30 };
const FREE: DragRules = { guides: { x: [], y: [] }, reach: { x: 0, y: 0 }, inProportion: false };
const HELD: DragRules = { guides: { x: [0, 50, 100], y: [0, 50, 100] }, reach: { x: 2, y: 2 }, inProportion: false };

test('a box follows the drag; it snaps to edges, centre and other named lines when it is near', () => {
  assert.deepEqual(dragBox(BOX, 'move', { x: 3.333, y: -1 }, FREE).box, { ...BOX, x: 13.33, y: 19 });
  // Its right edge comes near the middle, its lower one does not.
  assert.deepEqual(dragBox(BOX, 'move', { x: 1.4, y: 5 }, HELD), { box: { ...BOX, y: 25 }, heldX: 50, heldY: null });
  // Its own middle counts as an edge does.
  assert.deepEqual(dragBox(BOX, 'move', { x: 5, y: 16 }, HELD), {
    box: { ...BOX, x: 15, y: 35 },
    heldX: null,
    heldY: 50,
  });
  assert.deepEqual(dragBox(BOX, 'e', { x: 49, y: 9 }, HELD), { box: { ...BOX, width: 90 }, heldX: 100, heldY: null });
  assert.deepEqual(dragBox(BOX, 'nw', { x: -9, y: -19 }, HELD).box, { x: 0, y: 0, width: 50, height: 50 });
});

test('a corner dragged in proportion keeps the aspect ratio and the opposite corner', () => {
  const grown = dragBox(BOX, 'se', { x: 20, y: 0 }, { ...FREE, inProportion: true }).box;
  assert.deepEqual(grown, { x: 10, y: 20, width: 60, height: 45 });
  const up = dragBox(BOX, 'nw', { x: -9, y: -1 }, { ...HELD, inProportion: true });
  assert.deepEqual(up, { box: { x: 0, y: 12.5, width: 50, height: 37.5 }, heldX: 0, heldY: null });
});

test('after any drag, a box has a minimum size, can still be caught, and is valid for the schema', () => {
  const grips: readonly Grip[] = ['move', 'n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw'];
  const far = fc.double({ min: -300, max: 300, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...grips), far, far, fc.boolean(), (grip, x, y, inProportion) => {
      const { box } = dragBox(BOX, grip, { x, y }, { ...HELD, inProportion });
      assert.ok(box.width >= 2 && box.height >= 2 && box.width <= 1000 && box.height <= 1000);
      if (grip !== 'move') return;
      assert.ok(box.x <= 98 && box.y <= 98 && box.x + box.width >= 1.99 && box.y + box.height >= 1.99);
      assert.deepEqual([box.width, box.height], [BOX.width, BOX.height]);
    }),
  );
});
