import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { makeFolders } from '../../platform/make-folders.ts';
import { onDisk, succeeds } from './disk-call.ts';

/** How often another process may remove a folder between its creation and the move into it. */
const PLACE_TRIES = 100;

/** Writes a stream to a new file and syncs it. Passes on errors of the stream unchanged. */
export async function writeFile(path: string, body: Readable, signal: AbortSignal): Promise<void> {
  // The stream may fail before it is read, which would end the process; reading it reports the error anyway.
  body.on('error', () => {});
  try {
    signal.throwIfAborted();
    await using file = await onDisk(() => open(path, 'wx'));
    await copy(addAbortSignal(signal, body), file);
    await onDisk(() => file.sync());
    signal.throwIfAborted();
  } catch (cause) {
    body.destroy();
    throw signal.aborted ? signal.reason : cause;
  }
}

/** Moves a synced file to its place and replaces an existing one; the move is durable. */
export async function placeFile(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const move = async (): Promise<void> => {
    await makeFolder(folder);
    await rename(from, to);
  };
  let tries = 1;
  while (!(await succeeds(tries < PLACE_TRIES ? ['ENOENT'] : [], move))) tries += 1;
  // The folder is missing only if the file was deleted again.
  await succeeds(['ENOENT'], () => syncFolder(folder));
}

/** Syncs a file that another program has written. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

async function copy(body: Readable, file: FileHandle): Promise<void> {
  for await (const bytes of body) await onDisk(() => file.appendFile(bytes));
}

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
