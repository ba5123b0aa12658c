import type { Deployment } from '../config/deployment.ts';
import type { Database } from '../store/database.ts';
import { requireFolder } from '../store/disk/require-folder.ts';
import type { JobQueue } from '../store/job-queue.ts';

/** Where records and jobs are, opened. Disposing closes it, after all who use it. */
export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** The queue in it; `onCancelled` hears, in every process, which exports nobody wants any more. */
  openJobs(onCancelled: (exportId: string) => void): Promise<JobQueue>;
}

/** Opens what the deployment says; the code for the other is not even read. */
export function openDatabase(deployment: Deployment): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = deployment;
  return databaseUrl === null ? openSqlite(dataDir) : openPostgres(databaseUrl, dataDir);
}

async function openSqlite(dataDir: string): Promise<OpenDatabase> {
  const { SqliteDatabase } = await import('../store/sqlite/sqlite-database.ts');
  const { SqliteJobQueue } = await import('../store/sqlite/sqlite-job-queue.ts');
  const database = await SqliteDatabase.open(dataDir);
  return {
    database,
    openJobs: async (onCancelled) => new SqliteJobQueue(database, { onCancelled }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function openPostgres(url: string, dataDir: string): Promise<OpenDatabase> {
  const { FolderLock } = await import('../store/sqlite/folder-lock.ts');
  const { PgBossJobQueue } = await import('../store/postgres/pg-boss-job-queue.ts');
  const { PostgresDatabase } = await import('../store/postgres/postgres-database.ts');
  const { PostgresNotices } = await import('../store/postgres/postgres-notices.ts');
  await using held = new AsyncDisposableStack();
  await requireFolder(dataDir);
  // What two nodes had in one folder, the next to start would sweep away from under the other.
  held.use(FolderLock.take(dataDir));
  const database = await PostgresDatabase.open(url);
  held.defer(() => database.close());
  const notices = held.use(await PostgresNotices.open(url, database.pool));
  const open = held.move();
  return {
    database,
    openJobs: (onCancelled) => PgBossJobQueue.open(database, notices, { onCancelled }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/**
 * Makes the tables of a release, or brings them up to date: a step of its own, before its nodes start. Nothing to do for
 * SQLite, whose one process does it at its start.
 *
 * @throws `store.newer_schema`, `store.unreachable`
 */
export async function migrateDatabase({ databaseUrl }: Pick<Deployment, 'databaseUrl'>): Promise<boolean> {
  if (databaseUrl === null) return false;
  const { migrateBoss } = await import('../store/postgres/boss-engine.ts');
  const { migratePostgres } = await import('../store/postgres/postgres-schema.ts');
  await migratePostgres(databaseUrl, migrateBoss);
  return true;
}
