import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { FolderLock } from '../store/disk/folder-lock.ts';
import { requireFolder } from '../store/disk/require-folder.ts';
import type { NodeStore, NodeStoreEvents } from '../store/nodes/node-store.ts';

/** Opens the database and queue of the deployment; the code for the other is not loaded. */
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
  // If two nodes shared a folder, the next start of one would sweep the files of the other.
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
 * Creates the tables in PostgreSQL: a separate step before the first node starts. Returns false for SQLite, whose
 * process creates them at its start.
 *
 * @throws `store.schema_mismatch`, `store.unreachable`
 */
export async function migrateDatabase({ databaseUrl }: Pick<Deployment, 'databaseUrl'>): Promise<boolean> {
  if (databaseUrl === null) return false;
  const { migrateStore } = await import('../store/postgres/postgres-store.ts');
  await migrateStore(databaseUrl);
  return true;
}
