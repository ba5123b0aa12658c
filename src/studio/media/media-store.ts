import { signal } from '@preact/signals';

/**
 * The bytes of all media, by content: in the browser's own file system, and where there is none (an address that is not
 * secure, a private window) or no room, in this page for as long as it is open.
 */

/** `kept`: survives a reload. `memory`: there is nowhere to keep anything. `full`: the newest files were not kept. */
export const keeping = signal<'kept' | 'memory' | 'full'>('kept');

const inMemory = new Map<string, Blob>();
const thumbs = new Map<string, Blob>();
let folders: Promise<Folders | null> | null = null;

interface Folders {
  readonly media: FileSystemDirectoryHandle;
  readonly thumbs: FileSystemDirectoryHandle;
}

const listeners: ((sha256: string) => void)[] = [];

/** Tells of every file that is kept from now on: one that was missed may be among them. */
export function onMediaCame(tell: (sha256: string) => void): void {
  listeners.push(tell);
}

function openFolders(): Promise<Folders | null> {
  folders ??= (async () => {
    try {
      const root = await navigator.storage.getDirectory();
      const create = { create: true };
      return {
        media: await root.getDirectoryHandle('media', create),
        thumbs: await root.getDirectoryHandle('thumbs', create),
      };
    } catch {
      keeping.value = 'memory';
      return null;
    }
  })();
  return folders;
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

/** Keeps a file, and its small picture. What cannot be kept stays in memory, and `keeping` says so. */
export async function keepMedia(sha256: string, file: Blob, thumb: Blob | null): Promise<void> {
  const place = await openFolders();
  if (thumb !== null && !(await writeInto(place?.thumbs, sha256, thumb))) thumbs.set(sha256, thumb);
  if (!(await writeInto(place?.media, sha256, file))) {
    inMemory.set(sha256, file);
    if (place !== null) keeping.value = 'full';
  }
  for (const tell of listeners) tell(sha256);
}

/** Lets go of everything that no project has. */
export async function forgetMediaBut(used: ReadonlySet<string>): Promise<void> {
  for (const kept of [inMemory, thumbs]) for (const hash of kept.keys()) if (!used.has(hash)) kept.delete(hash);
  const place = await openFolders();
  if (place === null) return;
  for (const folder of [place.media, place.thumbs]) {
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    for (const name of names) if (!used.has(name)) await folder.removeEntry(name).catch(() => {});
  }
  if (keeping.value === 'full') keeping.value = 'kept';
}

/** Asks that the browser does not clear it away by itself; it may say no, and then keeps it as long as it likes. */
export async function askToStay(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false);
}

async function readFrom(folder: FileSystemDirectoryHandle | undefined, name: string): Promise<Blob | null> {
  try {
    const handle = await folder?.getFileHandle(name);
    return (await handle?.getFile()) ?? null;
  } catch {
    return null;
  }
}

/** All or nothing: a file that is written shows under its name when it is closed. */
async function writeInto(folder: FileSystemDirectoryHandle | undefined, name: string, file: Blob): Promise<boolean> {
  if (folder === undefined) return false;
  const before = await readFrom(folder, name);
  if (before?.size === file.size) return true;
  let writer: FileSystemWritableFileStream | null = null;
  try {
    const handle = await folder.getFileHandle(name, { create: true });
    writer = await handle.createWritable();
    await writer.write(file);
    await writer.close();
    return true;
  } catch {
    await writer?.abort().catch(() => {});
    await folder.removeEntry(name).catch(() => {});
    return false;
  }
}
