import { ChangeHub } from '../nodes/change-hub.ts';
import { LiveProgress } from '../nodes/live-progress.ts';
import { LocalBell, type NodeStore, type NodeStoreEvents, SOLE_LEADER } from '../nodes/node-store.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteJobQueue } from './sqlite-job-queue.ts';

/** Records and jobs of one process, in a folder that no other process uses. @throws as `SqliteDatabase.open` does. */
export async function openSqliteStore(folder: string, { onCancelled }: NodeStoreEvents): Promise<NodeStore> {
  const database = await SqliteDatabase.open(folder);
  const jobs = new SqliteJobQueue(database, { onCancelled });
  const changes = new ChangeHub();
  return {
    database,
    jobs,
    changes,
    progress: new LiveProgress(changes),
    leader: SOLE_LEADER,
    draftBell: new LocalBell(),
    alone: true,
    reserve: database.reserve,
    now: Date.now,
    close: async () => {
      await jobs.close();
      await database.close();
    },
  };
}
