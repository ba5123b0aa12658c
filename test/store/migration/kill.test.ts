import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { STEPS } from '../../../src/store/migration/steps.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SQLITE_SCHEMA } from '../../../src/store/sqlite/sqlite-schema.ts';
import { LATER, migrated, releasedFolder, restrictedTo, sqliteRecords } from './released.ts';

const LATER_SCHEMA = {
  ...SQLITE_SCHEMA,
  version: LATER.removes.number,
  steps: [...STEPS, LATER.adds, LATER.replaces, LATER.removes],
};

/** `KILL_EVERY=1` is every statement. */
const KILL_EVERY = Number(process.env.KILL_EVERY ?? 3);

test('[H62] sqlite: killed before statements, the old program opens the database, and a second migration succeeds', async (t) => {
  const { folder: first } = releasedFolder(19, t);
  const before = sqliteRecords(join(first, 'tiercut.db'));
  const program = join(import.meta.dirname, 'migrate-until-killed.ts');
  let [killed, done] = [0, false];
  for (let statement = 1; !done; statement += KILL_EVERY) {
    const { folder, file } = releasedFolder(19, t);
    const { status, signal, stderr } = spawnSync(process.execPath, [program, folder, `${statement}`], {
      encoding: 'utf8',
    });
    assert.ok(signal === 'SIGKILL' || status === 0, stderr);
    done = status === 0;
    if (!done) killed += 1;
    const left = sqliteRecords(file);
    if (left.has('schema_steps')) {
      assert.ok(left.get('schema_steps')!.length === LATER_SCHEMA.steps.length, 'all steps or none');
    } else {
      const { user_version: version } = new DatabaseSync(file).prepare('pragma user_version').get()!;
      assert.equal(version, 19);
      assert.deepEqual(left, before);
    }
    await (await SqliteDatabase.open(folder, LATER_SCHEMA)).close();
    assert.deepEqual(restrictedTo(migrated(before), sqliteRecords(file)), migrated(before));
    assert.ok(!readdirSync(folder).some((name) => name.endsWith('.part')));
  }
  t.diagnostic(`killed before ${killed} statements`);
  assert.ok(killed > 60 / KILL_EVERY, `${killed}`);
});
