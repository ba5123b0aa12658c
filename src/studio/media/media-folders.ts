/** The origin private file system, for pages and workers. */
export interface MediaFolders {
  readonly media: FileSystemDirectoryHandle;
  readonly thumbs: FileSystemDirectoryHandle;
}

/** Which files were stored. */
export interface Kept {
  readonly media: boolean;
  readonly thumb: boolean;
}

/** Null if the browser has no storage for pages. */
export async function mediaFolders(): Promise<MediaFolders | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const create = { create: true };
    return {
      media: await root.getDirectoryHandle('media', create),
      thumbs: await root.getDirectoryHandle('thumbs', create),
    };
  } catch {
    return null;
  }
}

/** Whether there was no space for a write. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Stores a file and its thumbnail under its hash. */
export async function writeMedia(
  { media, thumbs }: MediaFolders,
  sha256: string,
  file: Blob,
  thumb: Blob | null,
): Promise<Kept> {
  const isThumbKept = thumb !== null && (await writeInto(thumbs, sha256, thumb));
  return { thumb: isThumbKept, media: await writeInto(media, sha256, file) };
}

/** A file of a folder; null if there is none. */
export async function readFrom(folder: FileSystemDirectoryHandle | undefined, name: string): Promise<File | null> {
  try {
    const handle = await folder?.getFileHandle(name);
    return (await handle?.getFile()) ?? null;
  } catch {
    return null;
  }
}

/** Atomic: a written file appears under its name when it is closed. */
async function writeInto(folder: FileSystemDirectoryHandle, name: string, file: Blob): Promise<boolean> {
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
