import type { LocalFiles } from '../../store/local-files.ts';
import { RESERVE_BYTES, type RoomReserve } from '../../store/nodes/room-reserve.ts';

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
