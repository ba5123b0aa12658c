import type { Database } from '../../store/database.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import { RESERVE_BYTES, type RoomReserve } from '../../store/nodes/node-store.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { ServiceStatus } from '../api/exports-api.ts';

/** How much of the disk stays free: the greater of the two. */
export interface DiskReserve {
  readonly minFreeDiskBytes: number;
  readonly minFreeDiskPercent: number;
}

interface DiskRoomPorts {
  readonly local: Pick<LocalFiles, 'room'>;
  readonly reserve: Pick<RoomReserve, 'missingBytes'> | null;
  readonly policy: DiskReserve;
}

/** Whether there is space for another export, and the measured values; null if they cannot be measured. */
export async function diskRoom({
  local,
  reserve,
  policy: { minFreeDiskBytes, minFreeDiskPercent },
}: DiskRoomPorts): Promise<{
  readonly enough: boolean;
  readonly freeBytes: number;
  readonly neededBytes: number;
} | null> {
  const space = await local.room();
  if (space === null) return null;
  const { freeBytes, totalBytes } = space;
  // The released reserve is for deletes; new work must not use it.
  const forRecords = reserve === null ? 0 : RESERVE_BYTES + reserve.missingBytes;
  const neededBytes = Math.max(minFreeDiskBytes, (totalBytes * minFreeDiskPercent) / 100, forRecords);
  return { enough: freeBytes >= neededBytes, freeBytes, neededBytes };
}

interface ServiceStatusPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'countByState'>;
  readonly local: Pick<LocalFiles, 'room'>;
  readonly reserve: Pick<RoomReserve, 'missingBytes'> | null;
  readonly jobs: Pick<JobQueue, 'count'>;
  readonly policy: DiskReserve;
  /** The readiness checks besides the disk; the composition root provides them. */
  readonly checks: () => Promise<ServiceStatus['checks']>;
}

/** The health of the service, for operators. */
export async function serviceStatus(ports: ServiceStatusPorts): Promise<ServiceStatus> {
  // Removed exports are not counted, though their records may stay until their webhooks are delivered.
  const [{ expired: _, cancelled: __, ...exportsByState }, jobs, room, checks] = await Promise.all([
    ports.records.countByState(ports.database),
    ports.jobs.count(),
    diskRoom(ports),
    ports.checks(),
  ]);
  const disk = {
    name: 'disk',
    ok: room?.enough ?? true,
    detail: room === null ? 'not measured' : `${room.freeBytes} bytes free, ${Math.ceil(room.neededBytes)} needed`,
  };
  return {
    takesIn: disk.ok && checks.every(({ ok }) => ok),
    checks: [...checks, disk],
    exportsByState,
    jobsWaiting: jobs.waiting,
    jobsRunning: jobs.running,
    freeDiskBytes: room?.freeBytes ?? null,
  };
}
