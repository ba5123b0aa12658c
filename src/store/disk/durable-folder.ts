import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolders } from '../../platform/make-folders.ts';

/** One at a time: a folder that another call is creating exists before it is durable. */
let making: Promise<unknown> = Promise.resolve();

/** Creates a folder and its parents durably. No error if it exists. */
export function makeFolder(path: string): Promise<void> {
  const made = making.then(() => make(path));
  making = made.catch(() => {});
  return made;
}

/** Makes the names in a folder durable: the fsync of a file does not cover its name. */
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
