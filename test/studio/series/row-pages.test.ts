import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchRow } from '../../../packages/client/src/client.ts';
import { RowPages } from '../../../src/studio/series/table/row-pages.ts';

test('[C85] a look at a running batch fetches only the pages with rows that are under way', async () => {
  const states: BatchRow['state'][] = Array(450).fill('waiting');
  const asked: number[] = [];
  const pages = new RowPages(
    {
      async page(_id, { cursor = '-1', limit = 0 } = {}) {
        const from = Number(cursor) + 1;
        asked.push(from);
        const rows = states.slice(from, from + limit).map((state, index) => ({ row: from + index, state }) as BatchRow);
        return { ok: true, rows, next: from + limit < states.length ? String(from + limit - 1) : null };
      },
    },
    'id',
  );
  const look = async () => {
    asked.length = 0;
    const rows = await pages.look(new AbortController().signal);
    assert.deepEqual(
      rows.map(({ state }) => state),
      states,
    );
    return [...asked];
  };
  assert.deepEqual(await look(), [0, 100, 200, 300, 400]);
  states.fill('completed', 0, 120).fill('rendering', 120, 130);
  assert.deepEqual(await look(), [0, 100, 200]);
  states.fill('completed', 0, 250);
  assert.deepEqual(await look(), [100, 200, 300]);
  states.fill('failed', 250);
  assert.deepEqual(await look(), [200, 300, 400]);
  assert.deepEqual(await look(), []);
});
