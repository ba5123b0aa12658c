import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manyKeys } from '../../src/exports/export-keys.ts';
import { blobKey } from '../../src/store/blob-store.ts';
import { inList, MAX_IN_LIST } from '../../src/store/database.ts';

test('files are queried in batches that fit one statement, and each wanted file once', async () => {
  async function* listed() {
    for (let n = 0; n < 4 * MAX_IN_LIST + 3; n += 1) yield { key: blobKey('parts', `${n}`), bytes: 1, modifiedAtMs: n };
  }
  const found: string[][] = [];
  for await (const keys of manyKeys(listed(), ({ modifiedAtMs }) => modifiedAtMs % 2 === 1)) found.push(keys);
  assert.deepEqual(
    found.map(({ length }) => length),
    [MAX_IN_LIST, MAX_IN_LIST, 1],
  );
  assert.equal(new Set(found.flat()).size, 2 * MAX_IN_LIST + 1);
});

test('a statement for few files has the same text as one for many', () => {
  const few = inList(['a', 'b']);
  assert.equal(few.parameters.length, MAX_IN_LIST);
  assert.deepEqual([...new Set(few.parameters)].toSorted(), ['a', 'b']);
  assert.equal(few.places.split(', ').length, MAX_IN_LIST);
  assert.throws(() => inList([]));
});
