import { signal } from '@preact/signals';
import { type Kept, type MediaFolders, mediaFolders, readFrom, writeMedia } from './media-folders.ts';

/**
 * The bytes of all media, by content hash. They are in the origin private file system. Without one (an insecure origin, a private
 * window) they are in memory while the page is open.
 */

/** `kept`: survives a reload. `memory`: there is no storage. `full`: files that are in use could not be stored. */
export const keeping = signal<'kept' | 'memory' | 'full'>('kept');

const inMemory = new Map<string, Blob>();
const thumbs = new Map<string, Blob>();
let folders: Promise<MediaFolders | null> | null = null;

const listeners: ((sha256: string) => void)[] = [];

/** Reports every file that is stored from now on; a missing file may be among them. */
export function onMediaCame(listener: (sha256: string) => void): void {
  listeners.push(listener);
}

async function openFolders(): Promise<MediaFolders | null> {
  folders ??= mediaFolders();
  const found = await folders;
  if (found === null) keeping.value = 'memory';
  return found;
}

/** Whether there is storage for files. */
export async function canKeep(): Promise<boolean> {
  return (await openFolders()) !== null;
}

/** The file with that SHA-256; null if it is not here. */
export async function mediaFile(sha256: string): Promise<Blob | null> {
  const file = inMemory.get(sha256) ?? (await readFrom((await openFolders())?.media, sha256));
  return file === null ? null : withType(file);
}

/** Stored files have no type. An SVG needs one, because a browser recognizes it only by its type. */
async function withType(file: Blob): Promise<Blob> {
  if (file.type !== '') return file;
  const head = await file.slice(0, 512).text();
  return /^\s*(?:<\?xml|<!--|<svg)/i.test(head) ? new Blob([file], { type: 'image/svg+xml' }) : file;
}

/** The thumbnail of a file; null if there is none. */
export async function thumbFile(sha256: string): Promise<Blob | null> {
  return thumbs.get(sha256) ?? (await readFrom((await openFolders())?.thumbs, sha256));
}

/**
 * Stores a file and its thumbnail. Without storage, they are in memory.
 *
 * @param before the result of an earlier attempt to store it.
 * @returns false if there is no space for it: then it is not here.
 */
export async function keepMedia(
  sha256: string,
  file: Blob,
  thumb: Blob | null,
  before?: Kept | null,
): Promise<boolean> {
  const place = await openFolders();
  const kept = before ?? (place === null ? NOTHING_KEPT : await writeMedia(place, sha256, file, thumb));
  if (place !== null && !kept.media) return false;
  if (thumb !== null && !kept.thumb) thumbs.set(sha256, thumb);
  if (!kept.media) inMemory.set(sha256, file);
  for (const listener of listeners) listener(sha256);
  return true;
}

/** Stores a file that is in use already, or can be had again. Without space it is in memory, and `keeping` reports it. */
export async function keepOrHold(sha256: string, file: Blob, thumb: Blob | null): Promise<void> {
  if (await keepMedia(sha256, file, thumb)) return;
  if (thumb !== null) thumbs.set(sha256, thumb);
  inMemory.set(sha256, file);
  keeping.value = 'full';
  for (const listener of listeners) listener(sha256);
}

/** Stores the files that are in memory for lack of space, if there is space now. */
export async function keepHeld(): Promise<void> {
  const place = keeping.value === 'full' ? await openFolders() : null;
  if (place === null) return;
  for (const [sha256, file] of [...inMemory]) {
    if (!(await writeMedia(place, sha256, file, thumbs.get(sha256) ?? null)).media) return;
    inMemory.delete(sha256);
  }
  keeping.value = 'kept';
}

const NOTHING_KEPT: Kept = { media: false, thumb: false };

/** A file this new may belong to a project that is not saved yet, here or in another tab. */
const NEW_MS = 3_600_000;

/** Deletes every file that no project uses. */
export async function forgetMediaBut(used: ReadonlySet<string>): Promise<void> {
  const place = await openFolders();
  if (place === null) return;
  for (const folder of [place.media, place.thumbs]) {
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    for (const name of names) {
      const file = used.has(name) ? null : await readFrom(folder, name);
      if (file !== null && Date.now() - file.lastModified > NEW_MS) await folder.removeEntry(name).catch(() => {});
    }
  }
}

/** Asks the browser for persistent storage. If it refuses, it may evict the files at any time. */
export async function askToStay(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false);
}

/** The progress of an import; null if none is running. */
export const importing = signal<{ readonly done: number; readonly of: number } | null>(null);
