import type { FileLimits } from '../kit/file-limits.ts';
import { hashFile } from './hash-file.ts';
import { lookInto, type ProbedFile } from './look-into.ts';
import { type Kept, mediaFolders, writeMedia } from './media-folders.ts';
import { whyRefused } from './refused-file.ts';

/** A file, and what it is answered by. */
export interface ImportRequest {
  readonly id: number;
  readonly file: Blob;
  /** Keeps it too, unless one of these refuses it: a page that has fifty to keep has frames to show meanwhile. */
  readonly keepWithin: FileLimits | null;
}

export type ImportReply = { readonly id: number } & (
  | ({ readonly hash: string; readonly kept: Kept | null } & ProbedFile)
  /** The file could not be read: it is gone, or may not be. */
  | { readonly fault: string }
);

const folders = mediaFolders();

addEventListener('message', async ({ data }: MessageEvent<ImportRequest>) => {
  postMessage(await reply(data));
});

async function reply({ id, file, keepWithin }: ImportRequest): Promise<ImportReply> {
  try {
    const [hash, found] = await Promise.all([hashFile(file), lookInto(file)]);
    const place = await folders;
    const isTaken =
      keepWithin !== null && file instanceof File && whyRefused(file, found.facts.kind, keepWithin) === null;
    const kept = isTaken && place !== null ? await writeMedia(place, hash, file, found.thumb) : null;
    return { id, hash, kept, ...found };
  } catch (error) {
    return { id, fault: String(error) };
  }
}
