import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { isDiskFull, renderDiskFull } from '../../platform/disk-full.ts';
import { hasNoWriter } from '../jail/lease.ts';
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
