import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evenLines, linesTaken, slotAt } from '../../../src/paint/layout/lane-lines.ts';

function lengths(most: number, inLine: number): number[] {
  const lines = evenLines(most, inLine);
  const result: number[] = [];
  for (let place = 0; place < most; place += 1) {
    const { line, column } = slotAt(lines, place);
    assert.equal(column, result[line] ?? 0, 'from the left, one after the other');
    result[line] = column + 1;
  }
  return result;
}

test('[R11] lines are full, unless the last would be too short: then all have about the same length', () => {
  assert.deepEqual(lengths(6, 6), [6]);
  assert.deepEqual(lengths(7, 6), [4, 3]);
  assert.deepEqual(lengths(8, 6), [4, 4]);
  assert.deepEqual(lengths(9, 6), [6, 3]);
  assert.deepEqual(lengths(12, 6), [6, 6]);
  assert.deepEqual(lengths(13, 6), [5, 4, 4]);
  assert.deepEqual(lengths(0, 6), []);
  assert.deepEqual(lengths(3, 1), [1, 1, 1]);
});

test('[R11] no last line has less than half of the cards of the first, and balancing adds no line', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 60 }), (most, inLine) => {
      const all = lengths(most, inLine);
      assert.equal(all.length, Math.ceil(most / inLine));
      assert.equal(linesTaken(evenLines(most, inLine), most), all.length);
      assert.ok(all[0]! <= inLine && all.at(-1)! >= all[0]! / 2, `${most} in lines of ${inLine}: ${all}`);
      assert.deepEqual(
        all,
        all.toSorted((a, b) => b - a),
      );
    }),
  );
});
