import { signal } from '@preact/signals';
import { type Kept, type MediaFolders, mediaFolders, readFrom, writeMedia } from './media-folders.ts';

/**
 * The bytes of all media, by content: in the browser's own file system, and where there is none (an address that is not
 * secure, a private window) or no room, in this page for as long as it is open.
 */

/** `kept`: survives a reload. `memory`: there is nowhere to keep anything. `full`: the newest files were not kept. */
export const keeping = signal<'kept' | 'memory' | 'full'>('kept');

const inMemory = new Map<string, Blob>();
const thumbs = new Map<string, Blob>();
let folders: Promise<MediaFolders | null> | null = null;

const listeners: ((sha256: string) => void)[] = [];

/** Tells of every file that is kept from now on: one that was missed may be among them. */
export function onMediaCame(tell: (sha256: string) => void): void {
  listeners.push(tell);
}

async function openFolders(): Promise<MediaFolders | null> {
  folders ??= mediaFolders();
  const found = await folders;
  if (found === null) keeping.value = 'memory';
  return found;
}

/** Whether there is anywhere to keep files. */
export async function canKeep(): Promise<boolean> {
  return (await openFolders()) !== null;
}

/** The file of that SHA-256; null where it is not here. */
export async function mediaFile(sha256: string): Promise<Blob | null> {
  const file = inMemory.get(sha256) ?? (await readFrom((await openFolders())?.media, sha256));
  return file === null ? null : withType(file);
}

/** Kept files have no type of their own; a drawing must be known as one, since a browser reads it by its type alone. */
async function withType(file: Blob): Promise<Blob> {
  if (file.type !== '') return file;
  const head = await file.slice(0, 512).text();
  return /^\s*(?:<\?xml|<!--|<svg)/i.test(head) ? new Blob([file], { type: 'image/svg+xml' }) : file;
}

/** A small picture of it; null where there is none. */
export async function thumbFile(sha256: string): Promise<Blob | null> {
  return thumbs.get(sha256) ?? (await readFrom((await openFolders())?.thumbs, sha256));
}

/**
 * Keeps a file, and its small picture. What cannot be kept stays in memory, and `keeping` says so.
 *
 * @param before what somebody else has tried to keep of it.
 */
export async function keepMedia(sha256: string, file: Blob, thumb: Blob | null, before?: Kept | null): Promise<void> {
  const place = await openFolders();
  const kept = before ?? (place === null ? NOTHING_KEPT : await writeMedia(place, sha256, file, thumb));
  if (thumb !== null && !kept.thumb) thumbs.set(sha256, thumb);
  if (!kept.media) {
    inMemory.set(sha256, file);
    if (place !== null) keeping.value = 'full';
  }
  for (const tell of listeners) tell(sha256);
}

const NOTHING_KEPT: Kept = { media: false, thumb: false };

/** Kept that lately, a file may be of a project that is not saved yet, here or in another tab. */
const NEW_MS = 3_600_000;

/** Lets go of everything that no project has. */
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

/** Asks that the browser does not clear it away by itself; it may say no, and then keeps it as long as it likes. */
export async function askToStay(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false);
}
