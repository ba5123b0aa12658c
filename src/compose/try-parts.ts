import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { backendOf } from '../store/blob-backends.ts';
import { blobKey } from '../store/blob-store.ts';
import { corruptBlob } from '../store/store-error.ts';
import { openBlobs } from './open-files.ts';
import { databaseFault, filesFault } from './part-faults.ts';

/** The result of trying a part of the deployment. `weak` is a warning; with `missing`, nodes do not work. */
export interface TriedPart {
  readonly state: 'ok' | 'weak' | 'missing';
  readonly detail: string;
}

/** Nodes use the database's clock, but S3, sessions and logs use that of each machine. */
const MAX_APART_MS = 2_000;

/** Tries the database that nodes share; null for SQLite. */
export async function tryDatabase({ databaseUrl }: Deployment, now = Date.now): Promise<TriedPart | null> {
  if (databaseUrl === null) return null;
  try {
    return await useDatabase(databaseUrl, now);
  } catch (error) {
    return { state: 'missing', detail: databaseFault(error, databaseUrl) };
  }
}

async function useDatabase(url: string, now: () => number): Promise<TriedPart> {
  const { TRY_TO_CHANGE_JOBS } = await import('../store/postgres/boss-inside.ts');
  const { PostgresDatabase } = await import('../store/postgres/postgres-database.ts');
  const { NODE_CONNECTIONS } = await import('../store/postgres/postgres-store.ts');
  const database = await PostgresDatabase.open(url, { connections: 1, readers: 1 });
  try {
    // Changes nothing, and fails without the permission to write.
    await database.query('update schema_version set version = version where false');
    await database.query(TRY_TO_CHANGE_JOBS);
    const [askedMs, beganMs] = [performance.now(), now()];
    const [row] = await database.committed.query<{ version: string; now_ms: number; free: number }>(
      `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
         current_setting('max_connections')::integer - (select count(*) from pg_stat_activity where backend_type = 'client backend') as free`,
    );
    const tookMs = performance.now() - askedMs;
    const answer = `PostgreSQL ${row!.version}, responds in ${milliseconds(tookMs)}`;
    const apartMs = row!.now_ms - (beganMs + tookMs / 2);
    const weak: string[] = [];
    if (Math.abs(apartMs) > MAX_APART_MS) {
      const which = apartMs > 0 ? 'ahead of' : 'behind';
      weak.push(
        `its clock is ${(Math.abs(apartMs) / 1000).toFixed(0)} s ${which} this machine's: set both, for example by NTP`,
      );
    }
    if (row!.free < NODE_CONNECTIONS)
      weak.push(`${row!.free} connections are left, and a node takes up to ${NODE_CONNECTIONS}: raise max_connections`);
    return { state: weak.length === 0 ? 'ok' : 'weak', detail: [answer, ...weak].join('; ') };
  } finally {
    await database.close();
  }
}

/** Writes a file to the shared store, reads it back and removes it; null if that is the data folder. */
export async function tryBlobs({ blobs: place, dataDir }: Deployment, config: Config): Promise<TriedPart | null> {
  if (place === null) return null;
  const [key, content] = [blobKey('doctor', randomUUID()), randomUUID()];
  try {
    const beganMs = performance.now();
    const { blobs } = await openBlobs(place, dataDir, config, Date.now);
    await blobs.put(key, Readable.from([Buffer.from(content)]), AbortSignal.timeout(30_000));
    const found = await buffer(await blobs.read(key));
    if (found.toString() !== content) throw corruptBlob(new Error('other bytes than were stored'));
    await blobs.delete(key);
    const took = milliseconds(performance.now() - beganMs);
    return { state: 'ok', detail: `${backendOf(place).describe(place)}: written, read and removed in ${took}` };
  } catch (error) {
    return { state: 'missing', detail: filesFault(error, place, config) };
  }
}

function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}
