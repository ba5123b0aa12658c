import type { LocalFiles } from '../../store/local-files.ts';

/** How much of the disk stays free whatever is asked of us: the greater of the two. */
export interface DiskReserve {
  readonly minFreeDiskBytes: number;
  readonly minFreeDiskPercent: number;
}

/** Whether there is room for another export, and what that was judged by; null where it cannot be measured. */
export async function diskRoom(
  local: Pick<LocalFiles, 'room'>,
  { minFreeDiskBytes, minFreeDiskPercent }: DiskReserve,
): Promise<{ readonly enough: boolean; readonly freeBytes: number; readonly neededBytes: number } | null> {
  const space = await local.room();
  if (space === null) return null;
  const { freeBytes, totalBytes } = space;
  const neededBytes = Math.max(minFreeDiskBytes, (totalBytes * minFreeDiskPercent) / 100);
  return { enough: freeBytes >= neededBytes, freeBytes, neededBytes };
}
