import { DatabaseSync } from 'node:sqlite';
import { STEPS } from '../../../src/store/migration/steps.ts';
import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { SQLITE_SCHEMA } from '../../../src/store/sqlite/sqlite-schema.ts';
import { LATER } from './released.ts';

// Migrates the database of a folder, and dies before the given statement.
const [folder, last] = process.argv.slice(2);
let statement = 0;
for (const name of ['exec', 'prepare'] as const) {
  const real = DatabaseSync.prototype[name] as (sql: string) => never;
  DatabaseSync.prototype[name] = function (this: DatabaseSync, sql: string): never {
    statement += 1;
    if (statement === Number(last)) process.kill(process.pid, 'SIGKILL');
    return real.call(this, sql);
  };
}
const steps = [...STEPS, LATER.adds, LATER.replaces, LATER.removes];
const database = await SqliteDatabase.open(folder!, { ...SQLITE_SCHEMA, version: LATER.removes.number, steps });
await database.close();
