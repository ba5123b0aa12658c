import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from './download.ts';
import type { MediaSource } from './media-source.ts';

/** A file on disk, to be uploaded without being in memory as a whole. */
export async function fileSource(path: string): Promise<MediaSource> {
  const { size } = await stat(path);
  return {
    size,
    read: async (start, end) => {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        if (bytesRead < end - start) throw new Error(`${path} has become shorter while it was read.`);
        return buffer;
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * Writes a download to a file. The file appears complete or not at all.
 *
 * @param options.overwrite false: fails with `EEXIST` if something is there, also if it appears in the meantime.
 */
export async function saveTo(
  path: string,
  { stream }: Pick<Download, 'stream'>,
  options: { readonly signal?: AbortSignal; readonly overwrite?: boolean } = {},
): Promise<void> {
  // A name that nobody knows in advance, opened exclusively: a link that waits there is not followed.
  const unfinished = `${path}.${crypto.randomUUID()}.part`;
  const { overwrite = true, ...rest } = options;
  try {
    // Node's own stream of the web, which only differs by name.
    const bytes = Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, createWriteStream(unfinished, { flags: 'wx' }), rest);
    await (overwrite ? rename(unfinished, path) : appear(unfinished, path));
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Gives a file a second name that must be free. Disks without hard links get a copy. */
async function appear(unfinished: string, path: string): Promise<void> {
  await link(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    await copyFile(unfinished, path, constants.COPYFILE_EXCL);
  });
}
