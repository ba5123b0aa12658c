import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../src/platform/sha256.ts';
import { POSTGRES_SCHEMA } from '../../src/store/postgres/postgres-schema.ts';
import { SCHEMA_VERSION } from '../../src/store/schema.ts';
import { SQLITE_SCHEMA } from '../../src/store/sqlite/sqlite-schema.ts';

/** The version, and the tables that it covers. */
const KEPT = { version: 19, sqlite: 'ca6261e1f700a52a', postgres: '69d2aa5f8294cf5a' };

/** Of what the database reads: neither layout nor comments. */
function digest(sql: string): string {
  return sha256(sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()).slice(0, 16);
}

test('tables and their version change together', () => {
  assert.deepEqual(
    { version: SCHEMA_VERSION, sqlite: digest(SQLITE_SCHEMA.sql), postgres: digest(POSTGRES_SCHEMA.sql) },
    KEPT,
    'raise SCHEMA_VERSION when tables change, and write both down here',
  );
});
