import { randomUUID } from 'node:crypto';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type BlobPlace, type BlobSettings, backendOf } from '../config/blob-backends.ts';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { ExportError, messageOf } from '../errors.ts';
import { diskRoom } from '../exports/submit/service-status.ts';
import { blobKey } from '../store/blob-store.ts';
import { RESERVE_BYTES } from '../store/nodes/node-store.ts';
import { keptBackBytes } from '../store/sqlite/reserve-file.ts';
import { causeOf, corruptBlob } from '../store/store-error.ts';
import { openBlobs } from './open-files.ts';

/** The result of trying a part of the deployment. `weak` is a warning; with `missing`, nodes do not work. */
interface TriedPart {
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
  const { tryEngine } = await import('../store/postgres/boss-engine.ts');
  const { PostgresDatabase } = await import('../store/postgres/postgres-database.ts');
  const { NODE_CONNECTIONS } = await import('../store/postgres/postgres-store.ts');
  const database = await PostgresDatabase.open(url, { connections: 1, readers: 1 });
  try {
    // Changes nothing, and fails without the permission to write.
    await database.query('update schema_version set version = version where false');
    await tryEngine(database.enginePool);
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

const MEBIBYTE = 2 ** 20;
const GIBIBYTE = 2 ** 30;

type DiskSettings = Pick<Config, 'dataDir' | 'databaseUrl' | 'minFreeDiskBytes' | 'minFreeDiskPercent'>;

/**
 * The disk of the data folder, by the rule that refuses new work, and its reserve for deletes (H27); `reserve` is null
 * if PostgreSQL has the records.
 */
export async function tryDisk(settings: DiskSettings): Promise<{ disk: TriedPart; reserve: TriedPart | null }> {
  const folder = resolve(settings.dataDir);
  const { bsize, blocks, bavail } = await statfs(await nearestFolder(folder));
  const space = { freeBytes: bsize * bavail, totalBytes: bsize * blocks };
  const missingBytes = RESERVE_BYTES - (await keptBackBytes(folder));
  const reserve = settings.databaseUrl === null ? { missingBytes } : null;
  const { enough, neededBytes } = (await diskRoom({ local: { room: async () => space }, reserve, policy: settings }))!;
  const room = `${sizeOf(space.freeBytes)} free of ${sizeOf(space.totalBytes)}; ${sizeOf(neededBytes)} needed`;
  const full = `${room}: the disk is full, and the service refuses new exports (507)`;
  return {
    disk: { state: enough ? 'ok' : 'missing', detail: enough ? room : full },
    reserve: reserve && reserveFinding(missingBytes, space.freeBytes),
  };
}

function reserveFinding(missingBytes: number, freeBytes: number): TriedPart {
  const size = sizeOf(RESERVE_BYTES);
  if (missingBytes === 0) return { state: 'ok', detail: `${size} reserved for deletes on a full disk` };
  if (freeBytes >= 2 * RESERVE_BYTES)
    return { state: 'ok', detail: `not created yet: the next start reserves ${size}` };
  const advice = `deletes may fail (507). Make ${sizeOf(2 * RESERVE_BYTES)} free by hand`;
  return { state: 'missing', detail: `not created, and the disk has no space for it: ${advice}` };
}

/** The folder, or its nearest existing parent. */
async function nearestFolder(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere ? folder : nearestFolder(dirname(folder));
}

function sizeOf(bytes: number): string {
  if (bytes < GIBIBYTE) return `${Math.floor(bytes / MEBIBYTE)} MiB`;
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}

/**
 * Why the database cannot be used, and how to fix it. The text does not contain the address, which has a password in
 * it.
 */
export function databaseFault(error: unknown, url: string): string {
  const cause = causeOf(error);
  const { user, database, where } = partsOf(url);
  switch (codeOf(cause)) {
    case '28P01':
      return `PostgreSQL does not accept the password of user "${user}". See TIERCUT_DATABASE_URL.`;
    case '28000':
      return `PostgreSQL does not let user "${user}" in: ${cause.message}. See TIERCUT_DATABASE_URL and the server's pg_hba.conf.`;
    case '3D000':
      return `There is no database "${database}" on ${where}. Create it, then run \`tiercut migrate\`.`;
    case '42P01':
    case '3F000':
      return `Tables are missing (${cause.message}). Run \`tiercut migrate\`.`;
    case '42501':
      return `User "${user}" may not use the tables (${cause.message}). Let it own them: run \`tiercut migrate\` as this user.`;
    case '25006':
      return `The database "${database}" on ${where} is read-only: a standby, or configured so. Nodes need the primary.`;
    case '53300':
      return `PostgreSQL has no connection left (${cause.message}). Raise max_connections, or run fewer nodes.`;
  }
  // The driver has no code for this error.
  if (cause.message.startsWith('SASL') && cause.message.includes('password'))
    return `PostgreSQL needs a password for user "${user}", and TIERCUT_DATABASE_URL has none.`;
  if (cause.message.includes('does not support SSL'))
    return `The server on ${where} does not support TLS, which TIERCUT_DATABASE_URL requires (sslmode).`;
  if (isUnreachable(error)) return `PostgreSQL cannot be reached on ${where} (${cause.message}).`;
  return withCause(error);
}

/** Why the files cannot be used, and how to fix it. */
export function filesFault(error: unknown, place: BlobPlace, settings: BlobSettings): string {
  return backendOf(place).explainFault(error, place, settings) ?? withCause(error);
}

function partsOf(url: string): { user: string; database: string; where: string } {
  const { username, hostname, port, pathname, searchParams } = new URL(url);
  const [user, database] = [username, pathname.slice(1)].map(decodeURIComponent) as [string, string];
  return { user, database, where: searchParams.get('host') ?? (port === '' ? hostname : `${hostname}:${port}`) };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'store.unreachable';
}

/** The message with its cause, for the operator. */
function withCause(error: unknown): string {
  if (!(error instanceof ExportError)) return messageOf(error);
  const { message, name } = causeOf(error);
  return error.cause instanceof Error ? `${error.message} (${name}: ${message})` : error.message;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
