import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { isDiskFull, renderDiskFull } from '../../platform/disk-full.ts';
import { setLease } from '../jail/libc.ts';
import { requirePlainFile } from './work-folder.ts';

/**
 * Takes a finished file from a child and puts it at `to`, on the same disk, where the child can no longer change it.
 *
 * The child is not trusted: it may hold the file open, have it mapped, or replace it. It cannot open the file at its
 * new place, since Landlock judges a file by its current place. If the kernel then reports that no process has it open
 * for writing, none ever will; otherwise a copy replaces it.
 *
 * @throws `render.output_missing`
 */
export async function takeFile(path: string, to: string): Promise<void> {
  await rename(path, to).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
  });
  await requirePlainFile(to);
  if (await isUnwritten(to)) return;
  const copy = `${to}.copy`;
  try {
    await cloneFile(to, copy);
    await rename(copy, to);
  } finally {
    await rm(copy, { force: true });
  }
}

/** A second file of the same content, sharing its blocks where the disk can do that. @throws `render.disk_full` */
export async function cloneFile(file: string, to: string): Promise<void> {
  try {
    await copyFile(file, to, constants.COPYFILE_FICLONE);
  } catch (cause) {
    throw isDiskFull(cause) ? renderDiskFull(cause) : cause;
  }
}

async function isUnwritten(path: string): Promise<boolean> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  return hasNoWriter(file.fd);
}

/**
 * Whether no process has the file open for writing, by a descriptor or by a mapping: only then does the kernel grant a
 * read lease. Also false if that is unknown: not on Linux, on file systems without leases, for files of other users.
 *
 * @param fd open for reading.
 */
function hasNoWriter(fd: number): boolean {
  if (process.platform !== 'linux') return false;
  // If a process opens the file for writing during the lease, the kernel sends this signal to the holder, which would
  // end it.
  if (process.listenerCount('SIGIO') === 0) process.on('SIGIO', () => {});
  if (!setLease(fd, true)) return false;
  setLease(fd, false);
  return true;
}
