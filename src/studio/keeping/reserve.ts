import { RESERVE_BYTES } from './reserve-size.ts';

/**
 * A file that takes up space in the browser's storage, so that the project can always be saved: when the storage is full, it is
 * removed first. Media do not get this space while the file is there.
 */
const NAME = 'reserve';
/** A storage with less room than this stays without a new reserve: it would be full at once. */
const MIN_ROOM_BYTES = 3 * RESERVE_BYTES;
const PART_BYTES = 1 << 20;

/** Whether the reserve is there, as far as this page or worker knows. */
let isHeld = false;

/** Writes the reserve, unless it is there or there is too little room. */
export async function holdReserve(): Promise<void> {
  if (isHeld) return;
  try {
    const root = await navigator.storage.getDirectory();
    const before = await (await root.getFileHandle(NAME).catch(() => null))?.getFile();
    if (before?.size !== RESERVE_BYTES) {
      const { quota = 0, usage = 0 } = await navigator.storage.estimate();
      if (quota - usage < MIN_ROOM_BYTES) return;
      await write(root);
    }
    isHeld = true;
  } catch {
    // Without a reserve, a full storage is reported.
  }
}

/** @returns whether there was a reserve. */
export async function releaseReserve(): Promise<boolean> {
  isHeld = false;
  try {
    await (await navigator.storage.getDirectory()).removeEntry(NAME);
    return true;
  } catch {
    return false;
  }
}

/** Real bytes: a file system keeps no space for an empty part of a file. A file that does not fit is removed. */
async function write(root: FileSystemDirectoryHandle): Promise<void> {
  const writer = await (await root.getFileHandle(NAME, { create: true })).createWritable();
  try {
    for (let at = 0; at < RESERVE_BYTES; at += PART_BYTES) await writer.write(new Uint8Array(PART_BYTES).fill(1));
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {});
    await root.removeEntry(NAME).catch(() => {});
    throw error;
  }
}
