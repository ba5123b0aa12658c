import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it. Not Node's own recursive mkdir, which tries without end, and cannot be interrupted, where a
 * folder is there and the system says of all that is made in it that there is no such file (/proc).
 *
 * @returns the highest that was made; undefined where it was there already.
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

/** False where there is nothing; whatever else there is cannot become one. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null || stats.isDirectory()) return stats !== null;
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR', syscall: 'mkdir', path });
}
