import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIndex } from '../../src/collections/first-index.ts';

test('the first matching index is found for every count and position, in logarithmic time', () => {
  for (let count = 0; count <= 70; count += 1) {
    for (let first = 0; first <= count; first += 1) {
      const asked: number[] = [];
      const found = firstIndex(count, (index) => {
        asked.push(index);
        return index >= first;
      });
      assert.equal(found, first);
      assert.ok(asked.length <= Math.ceil(Math.log2(count + 1)), `${asked.length} questions for ${count}`);
      assert.ok(asked.every((index) => index >= 0 && index < count));
    }
  }
});
