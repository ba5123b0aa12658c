import type { Database } from '../store/database.ts';
import type { ExportRecords } from '../store/export-records.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { RoomReserve } from '../store/nodes/room-reserve.ts';
import type { ServiceStatus } from './api/exports-api.ts';
import { type DiskReserve, diskRoom } from './submit/disk-room.ts';

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
    detail: room === null ? 'not measured' : `${room.freeBytes} bytes free, ${room.neededBytes} needed`,
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
