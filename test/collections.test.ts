import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIndex, RecentMap } from '../src/collections.ts';

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

/** Puts sizes under the keys 0, 1, 2 … and returns a function that says whether a key is still there. */
function filled(map: RecentMap<number, number>, sizes: readonly number[]): (key: number) => boolean {
  for (const [key, size] of sizes.entries()) map.getOrMake(key, () => size);
  return (key) => {
    let isThere = true;
    map.getOrMake(key, () => {
      isThere = false;
      return 0;
    });
    return isThere;
  };
}

const IN_ALL = { sizeOf: (size: number) => size, max: 10 };

test('the entry used longest ago goes first', () => {
  const has = filled(new RecentMap(2), [1, 1, 1]);
  assert.deepEqual([2, 1, 0].map(has), [true, true, false]);
});

test('large values leave room for fewer', () => {
  const has = filled(new RecentMap(4, IN_ALL), [4, 4, 4]);
  assert.deepEqual([2, 1, 0].map(has), [true, true, false]);
});

test('values within the limit all stay', () => {
  const has = filled(new RecentMap(4, IN_ALL), [4, 3, 3]);
  assert.deepEqual([2, 1, 0].map(has), [true, true, true]);
});

test('the last two stay, however large they are', () => {
  const has = filled(new RecentMap(4, IN_ALL), [20, 20, 20]);
  assert.deepEqual([2, 1, 0].map(has), [true, true, false]);
});

test('deleted entries are removed immediately', () => {
  const map = new RecentMap<number, number>(4);
  const has = filled(map, [1, 1, 1]);
  map.keep((key) => key === 1);
  assert.deepEqual([1, 0].map(has), [true, false]);
});
