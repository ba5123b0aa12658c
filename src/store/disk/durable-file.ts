import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { onDisk, succeeds } from './disk-call.ts';
import { makeFolder, syncFolder } from './durable-folder.ts';

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
