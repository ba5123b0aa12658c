import { isDiskFull } from '../media/media-folders.ts';

/**
 * Parts of videos that this browser rendered, in the origin private file system: an export that was interrupted continues with them. A
 * part is a file whose name is its key.
 */
const FOLDER = 'rendered';
/** Held, shared, by every page whose exports read from parts. */
const IN_USE = 'tiercut-rendered-parts';
const KEPT_MS = 7 * 86_400_000;
/** The share of the browser's storage that parts may use between exports: the rest is for media. */
const MAX_SHARE = 1 / 8;

/** `none`: the browser has no storage for pages, or writes no file at once, so that a part is complete or absent. */
export async function partFolder(): Promise<FileSystemDirectoryHandle | 'none' | 'full'> {
  try {
    if (!('createWritable' in FileSystemFileHandle.prototype) || navigator.locks === undefined) return 'none';
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
  } catch (error) {
    return isDiskFull(error) ? 'full' : 'none';
  }
}

/** Bytes that this page may still store; infinite if the browser does not say. */
export async function freeBytes(): Promise<number> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return quota === undefined ? Number.POSITIVE_INFINITY : Math.max(0, quota - usage);
}

/** From now on no page deletes parts, until the result is called. */
export async function useParts(): Promise<() => void> {
  if (navigator.locks === undefined) return () => {};
  return new Promise((resolve, reject) => {
    navigator.locks.request(IN_USE, { mode: 'shared' }, () => new Promise<void>((done) => resolve(done))).catch(reject);
  });
}

/**
 * Deletes parts that are old, then the oldest until so many bytes are deleted, but none of `wanted`. Deletes nothing while a page
 * uses parts.
 *
 * @returns how many bytes are deleted.
 */
export async function forgetParts(neededBytes = 0, wanted: ReadonlySet<string> = new Set()): Promise<number> {
  const folder = await partFolder();
  if (typeof folder === 'string') return 0;
  return navigator.locks.request(IN_USE, { ifAvailable: true }, async (lock) => {
    if (lock === null) return 0;
    const parts = (await partsIn(folder)).filter(({ name }) => !wanted.has(name));
    const { quota = 0 } = await navigator.storage.estimate();
    let stored = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    let deleted = 0;
    for (const { name, bytes, writtenMs } of parts) {
      const isOld = Date.now() - writtenMs > KEPT_MS;
      if (!isOld && stored <= quota * MAX_SHARE && deleted >= neededBytes) continue;
      await folder.removeEntry(name);
      stored -= bytes;
      deleted += bytes;
    }
    return deleted;
  });
}

/** The oldest first. */
async function partsIn(folder: FileSystemDirectoryHandle) {
  const parts: { readonly name: string; readonly bytes: number; readonly writtenMs: number }[] = [];
  for await (const [name, handle] of folder.entries()) {
    const file = await (handle as FileSystemFileHandle).getFile().catch(() => null);
    if (file !== null) parts.push({ name, bytes: file.size, writtenMs: file.lastModified });
  }
  return parts.sort((a, b) => a.writtenMs - b.writtenMs);
}
