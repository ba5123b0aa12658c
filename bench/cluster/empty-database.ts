import pg from 'pg';
import { migrateStore } from '../../src/store/postgres/postgres-store.ts';
import type { PostgresServer } from '../../test/postgres/postgres-server.ts';

/** The address of a new database with our tables. */
export async function emptyDatabase(server: PostgresServer, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = server.url(name);
  await migrateStore(url);
  return url;
}
