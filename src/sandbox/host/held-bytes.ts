import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eachEntry } from './each-entry.ts';

const BLOCK_BYTES = 512;

/** No render has more than some hundred files. A file without content has no blocks, but costs an inode and a name. */
const MAX_ENTRIES = 10_000;

/**
 * The disk space of a child: the files of its folder, and those it has removed but still holds open, which are in no
 * folder. Counts allocated blocks, so holes count nothing. Infinite if there are too many files to count.
 */
export async function heldBytes(folder: string, pid: number | undefined): Promise<number> {
  const [present, removed] = await Promise.all([folderBytes(folder), pid === undefined ? 0 : removedBytes(pid)]);
  return present + removed;
}

async function folderBytes(folder: string): Promise<number> {
  return sum(folder, async (name) => (await lstat(join(folder, name))).blocks);
}

async function removedBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const counted = new Set<string>();
  return sum(`/proc/${pid}/fd`, async (fd) => {
    const { dev, ino, nlink, blocks, isFile } = await openFile(pid, fd);
    const file = `${dev} ${ino}`;
    if (!isFile || nlink > 0 || counted.has(file)) return 0;
    counted.add(file);
    return blocks;
  });
}

/** Through the process that has it open: the file may have no name any more. */
async function openFile(pid: number, fd: string) {
  const stats = await stat(`/proc/${pid}/fd/${fd}`);
  return { dev: stats.dev, ino: stats.ino, nlink: stats.nlink, blocks: stats.blocks, isFile: stats.isFile() };
}

async function sum(folder: string, blocksOf: (name: string) => Promise<number>): Promise<number> {
  let entries = 0;
  let blocks = 0;
  // A file that was removed meanwhile counts nothing.
  await eachEntry(folder, async (name) => {
    if (++entries > MAX_ENTRIES) return false;
    blocks += await blocksOf(name).catch(() => 0);
    return true;
  }).catch(() => {});
  return entries > MAX_ENTRIES ? Number.POSITIVE_INFINITY : blocks * BLOCK_BYTES;
}
