import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { FolderLock } from '../store/disk/folder-lock.ts';
import { requireFolder } from '../store/disk/require-folder.ts';
import { stepName } from '../store/migration/schema-state.ts';
import type { NodeStore, NodeStoreEvents } from '../store/nodes/node-store.ts';
import { BatchRecords } from '../store/records/batch-records.ts';
import { CaptionRecords } from '../store/records/caption-records.ts';
import { ContentRecords } from '../store/records/content-records.ts';
import { DeliveryRecords } from '../store/records/delivery-records.ts';
import { DestinationRecords } from '../store/records/destination-records.ts';
import { DraftRecords } from '../store/records/draft-records.ts';
import { EventRecords } from '../store/records/event-records.ts';
import { ExportRecords } from '../store/records/export-records.ts';
import { AddressRecords, FetchRecords } from '../store/records/fetch-records.ts';
import { MediaRecords } from '../store/records/media-records.ts';
import { OutputRecords } from '../store/records/output-records.ts';
import { LinkRecords, ProjectRecords } from '../store/records/project-records.ts';
import { StorageRecords } from '../store/records/storage-records.ts';
import { UnfinishedMedia } from '../store/records/unfinished-media.ts';
import { UsageRecords } from '../store/records/usage-records.ts';
import { WebhookRecords } from '../store/records/webhook-records.ts';

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

/** What `tiercut migrate` has done: names of steps. */
interface DatabaseMigration {
  readonly database: 'sqlite' | 'postgres';
  readonly applied: readonly string[];
  /** Steps that wait until older nodes have stopped. */
  readonly waiting: readonly string[];
  /** The copy of the database as it was before; null if there is none. */
  readonly copy: string | null;
}

/**
 * Brings the tables to this release: in PostgreSQL a separate step before its first node starts; on one machine, what
 * every start does.
 *
 * @throws `store.schema_mismatch`, `store.older_nodes`, `store.unreachable`, `store.locked`, `store.disk_full`
 */
export async function migrateDatabase({
  databaseUrl,
  dataDir,
}: Pick<Deployment, 'databaseUrl' | 'dataDir'>): Promise<DatabaseMigration> {
  if (databaseUrl === null) {
    const { SqliteDatabase } = await import('../store/sqlite/sqlite-database.ts');
    const database = await SqliteDatabase.open(dataDir);
    await database.close();
    const { applied, copy } = database.migration;
    return { database: 'sqlite', applied: applied.map(stepName), waiting: [], copy };
  }
  const { migrateStore } = await import('../store/postgres/postgres-store.ts');
  const { applied, waiting } = await migrateStore(databaseUrl);
  return { database: 'postgres', applied: applied.map(stepName), waiting: waiting.map(stepName), copy: null };
}

/** The same SQL for both databases. */
export function recordsOfExports() {
  return {
    records: new ExportRecords(),
    outputs: new OutputRecords(),
    events: new EventRecords(),
    hooks: new WebhookRecords(),
    deliveries: new DeliveryRecords(),
    media: new MediaRecords(),
    contents: new ContentRecords(),
    unfinished: new UnfinishedMedia(),
    projects: new ProjectRecords(),
    batches: new BatchRecords(),
    drafts: new DraftRecords(),
    links: new LinkRecords(),
    fetched: new AddressRecords(),
    fetches: new FetchRecords(),
    captions: new CaptionRecords(),
    destinations: new DestinationRecords(),
    usage: new UsageRecords(),
    storage: new StorageRecords(),
  };
}
