import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { blobKey } from '../store/blob-store.ts';
import { openBlobs } from './open-files.ts';

/** What a part of the deployment has answered with. */
export interface TriedPart {
  readonly name: string;
  readonly detail: string;
}

/** Asks the database that nodes share; null where it is a file of one process. @throws what it lacks, told to its operator. */
export async function tryDatabase({ databaseUrl }: Deployment): Promise<TriedPart | null> {
  if (databaseUrl === null) return null;
  const { PostgresDatabase } = await import('../store/postgres/postgres-database.ts');
  const database = await PostgresDatabase.open(databaseUrl, { connections: 1, readers: 1 });
  try {
    const beganMs = performance.now();
    const [row] = await database.committed.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    return { name: 'database', detail: `PostgreSQL ${row!.version}, answers in ${milliseconds(beganMs)}` };
  } finally {
    await database.close();
  }
}

/** Puts a file where nodes share them, reads it back, removes it; null where that is the data folder. */
export async function tryBlobs(deployment: Deployment, config: Config): Promise<TriedPart | null> {
  const { blobs: place, dataDir } = deployment;
  if (place.kind === 'folder' && place.path === dataDir) return null;
  const blobs = await openBlobs(deployment, config);
  const [key, content] = [blobKey('doctor', randomUUID()), randomUUID()];
  const beganMs = performance.now();
  await blobs.put(key, Readable.from([Buffer.from(content)]), AbortSignal.timeout(30_000));
  const found = await buffer(await blobs.read(key));
  await blobs.delete(key);
  if (found.toString() !== content) throw new Error('what was read back is not what was put there');
  const where = place.kind === 's3' ? `s3://${place.bucket}/${place.prefix}` : place.path;
  return { name: 'files', detail: `${where}: written, read and removed in ${milliseconds(beganMs)}` };
}

function milliseconds(sinceMs: number): string {
  return `${Math.round(performance.now() - sinceMs)} ms`;
}
