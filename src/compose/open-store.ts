import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { FolderLock } from '../store/disk/folder-lock.ts';
import { requireFolder } from '../store/disk/require-folder.ts';
import type { NodeStore, NodeStoreEvents } from '../store/nodes/node-store.ts';

/** Opens where records and jobs are, as the deployment says; the code for the other is not even read. */
export function openStore(
  { databaseUrl, dataDir }: Deployment,
  events: NodeStoreEvents,
  { leaseSeconds }: Pick<Config, 'leaseSeconds'>,
): Promise<NodeStore> {
  if (databaseUrl === null) return openSqlite(dataDir, events);
  return openPostgres(databaseUrl, dataDir, events, leaseSeconds);
}

async function openSqlite(dataDir: string, events: NodeStoreEvents): Promise<NodeStore> {
  const { openSqliteStore } = await import('../store/sqlite/sqlite-store.ts');
  return openSqliteStore(dataDir, events);
}

async function openPostgres(
  url: string,
  dataDir: string,
  events: NodeStoreEvents,
  leaseSeconds: number,
): Promise<NodeStore> {
  const { openPostgresStore } = await import('../store/postgres/postgres-store.ts');
  using held = new DisposableStack();
  await requireFolder(dataDir);
  // What two nodes had in one folder, the next to start would sweep away from under the other.
  held.use(FolderLock.take(dataDir));
  const store = await openPostgresStore(url, events, { leaseSeconds });
  const lock = held.move();
  const close = async () => {
    await store.close();
    lock.dispose();
  };
  return { ...store, close };
}

/**
 * Makes the tables in PostgreSQL: a step of its own, before the first node starts. False, and nothing to do, for SQLite,
 * whose one process makes them at its start.
 *
 * @throws `store.schema_mismatch`, `store.unreachable`
 */
export async function migrateDatabase({ databaseUrl }: Pick<Deployment, 'databaseUrl'>): Promise<boolean> {
  if (databaseUrl === null) return false;
  const { migrateStore } = await import('../store/postgres/postgres-store.ts');
  await migrateStore(databaseUrl);
  return true;
}
