import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { exportRecordsSuite } from '../export-records-suite.ts';
import { fastFolder } from '../temp-folder.ts';

exportRecordsSuite('sqlite', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  return database;
});
