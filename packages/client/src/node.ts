import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
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

/** Writes a download to a file. The file appears complete or not at all. */
export async function saveTo(
  path: string,
  { stream }: Download,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    // Node's own stream of the web, which only differs by name.
    const bytes = Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, createWriteStream(unfinished), options);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
