import { lstat, opendir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ExportError } from '../../errors.ts';
import { isOutOfDescriptors, outOfDescriptors } from './out-of-descriptors.ts';

/**
 * Only the child may use the folder, which is emptied when the child fails: it must be empty before.
 *
 * @throws Error: handing over a used folder is a bug of the caller; `render.busy`.
 */
export async function requireEmptyFolder(folder: string): Promise<void> {
  let found: string | null = null;
  const look = eachEntry(folder, async (name) => {
    found ??= name;
    return false;
  });
  await look.catch((cause: unknown) => {
    throw isOutOfDescriptors(cause) ? outOfDescriptors(cause) : cause;
  });
  if (found !== null) throw new Error(`a work folder must be empty; this one holds ${JSON.stringify(found)}`);
}

/** Removes the content of the folder, never the targets of links. */
export async function emptyFolder(folder: string): Promise<void> {
  const removal = eachEntry(folder, async (name) => {
    await rm(join(folder, name), { recursive: true, force: true });
    return true;
  });
  await removal.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** @throws Error for a path that is not directly in the folder: the child could not write it. */
export function requireInside(folder: string, path: string): void {
  if (dirname(path) !== folder) throw new Error('an operation may only write directly into its work folder');
}

/**
 * Checks a file that the child reports as written, before it is opened.
 *
 * @throws `render.output_missing` if it does not exist, is empty, or is not a regular file with a single link.
 */
export async function requirePlainFile(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isFile() && stats.nlink === 1 && stats.size > 0) return;
  const found =
    stats === null ? 'nothing' : `mode ${stats.mode.toString(8)}, ${stats.nlink} links, ${stats.size} bytes`;
  throw new ExportError('internal', 'render.output_missing', 'The render process ended without its output file.', {
    cause: new Error(`${path}: ${found}`),
  });
}

/** How many entries are worked on at once: the thread pool for files has other users too. */
const AT_ONCE = 16;

/**
 * Calls `work` for each name in a folder, a few at a time, until one call returns false. A hostile child decides how many
 * names there are, so they are never all in memory.
 */
export async function eachEntry(folder: string, work: (name: string) => Promise<boolean>): Promise<void> {
  let batch: Promise<boolean>[] = [];
  for await (const { name } of await opendir(folder)) {
    const done = work(name);
    // Awaited below, but perhaps not before it fails.
    done.catch(() => {});
    batch.push(done);
    if (batch.length < AT_ONCE) continue;
    if ((await Promise.all(batch)).includes(false)) return;
    batch = [];
  }
  await Promise.all(batch);
}
