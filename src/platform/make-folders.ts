import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents. Not Node's own recursive mkdir, which loops endlessly, without a way to interrupt
 * it, in a folder where every creation fails with ENOENT (/proc).
 *
 * @returns the highest created folder; undefined if it existed.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      const isThere = error.code === 'EEXIST' && (await isFolder(folder));
      if (!isThere) throw error;
    });
  }
  return missing[0];
}

/** False if the path does not exist. @throws if it is not a folder. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR', syscall: 'mkdir', path });
}
