import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Orientation, orientationOf, UPRIGHT } from '../../../src/engine/picture/orientation.ts';
import { uprightSize } from '../../../src/engine/picture/picture-facts.ts';
import { displayMatrix } from '../../fixtures/clips.ts';

const ALL: readonly Orientation[] = ([0, 1, 2, 3] as const).flatMap((quarterTurns) => [
  { quarterTurns, mirrored: false },
  { quarterTurns, mirrored: true },
]);

test('[R7] each of the eight orientations is read back from its matrix', () => {
  for (const orientation of ALL) assert.deepEqual(orientationOf(displayMatrix(orientation)), orientation);
});

test('[R7] no matrix, a zero matrix and a truncated matrix mean upright', () => {
  for (const matrix of [null, Buffer.alloc(36), Buffer.alloc(8)]) assert.deepEqual(orientationOf(matrix), UPRIGHT);
});

test('[R7] a slant is rounded to the nearest quarter turn', () => {
  const slanted = Buffer.alloc(36);
  for (const [index, value] of [0.1, 0.99, 0, -0.99, 0.1].entries()) slanted.writeInt32LE(value * 65_536, index * 4);
  assert.deepEqual(orientationOf(slanted), { quarterTurns: 1, mirrored: false });
});

test('[R7] pixels are stretched to squares, never squeezed, and sides swap with a quarter turn', () => {
  const stored = { width: 720, height: 576 };
  assert.deepEqual(uprightSize(stored, { num: 16, den: 11 }, UPRIGHT), { width: 1047, height: 576 });
  assert.deepEqual(uprightSize(stored, { num: 8, den: 9 }, UPRIGHT), { width: 720, height: 648 });
  const turned = { quarterTurns: 3, mirrored: false } as const;
  assert.deepEqual(uprightSize(stored, { num: 16, den: 11 }, turned), { width: 576, height: 1047 });
});
