import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndedSessionRecords } from '../../../src/store/records/ended-session-records.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { fastFolder } from '../temp-folder.ts';

test('[C51] an ended session stays ended after a restart, and is removed after its expiry', async (t) => {
  const folder = fastFolder(t);
  let nowMs = 1000;
  const before = await SqliteDatabase.open(folder);
  const ended = new EndedSessionRecords(before, () => nowMs);
  await ended.add('one', 2000);
  await ended.add('one', 2000);
  assert.deepEqual([await ended.has('one'), await ended.has('two')], [true, false]);
  await before.close();
  const after = await SqliteDatabase.open(folder);
  t.after(() => after.close());
  const again = new EndedSessionRecords(after, () => nowMs);
  assert.equal(await again.has('one'), true);
  nowMs = 2000;
  await again.add('two', 3000);
  assert.deepEqual(await after.query('select id from ended_sessions'), [{ id: 'two' }]);
});
