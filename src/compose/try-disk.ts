import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { diskRoom } from '../exports/submit/disk-room.ts';
import { RESERVE_BYTES } from '../store/nodes/room-reserve.ts';
import { keptBackBytes } from '../store/sqlite/reserve-file.ts';
import type { TriedPart } from './try-parts.ts';

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
