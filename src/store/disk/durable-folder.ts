import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolders } from '../../platform/make-folders.ts';

/** One after the other: a folder that another is just making is not durable yet, though it is there. */
let making: Promise<unknown> = Promise.resolve();

/** Makes a folder and those above it; each is still there after a power cut. Fine where it is there already. */
export function makeFolder(path: string): Promise<void> {
  const made = making.then(() => make(path));
  making = made.catch(() => {});
  return made;
}

/** Makes the names in a folder durable: a file's own fsync does not cover the name it goes by. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

async function make(path: string): Promise<void> {
  const highestMade = await makeFolders(path);
  if (highestMade === undefined) return;
  const last = dirname(highestMade);
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === last) return;
  }
}
