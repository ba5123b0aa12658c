import type { FileLimits } from '../kit/file-limits.ts';
import { hashBlob } from './hash-blob.ts';
import { type Kept, mediaFolders, writeMedia } from './media-folders.ts';
import { type ProbedFile, probeBlob } from './probe-blob.ts';
import { whyRefused } from './refused-file.ts';

/** A file to probe, and the reply. */
export interface ImportRequest {
  readonly id: number;
  readonly file: Blob;
  /** Also stores the file if it is within these limits. The page stays free to draw. */
  readonly keepWithin: FileLimits | null;
}

export type ImportReply = { readonly id: number } & (
  | ({ readonly hash: string; readonly kept: Kept | null } & ProbedFile)
  /** The file cannot be read: it is gone, or access is denied. */
  | { readonly fault: string }
);

const folders = mediaFolders();

addEventListener('message', async ({ data }: MessageEvent<ImportRequest>) => {
  postMessage(await reply(data));
});

async function reply({ id, file, keepWithin }: ImportRequest): Promise<ImportReply> {
  try {
    const [hash, found] = await Promise.all([hashBlob(file), probeBlob(file)]);
    const place = await folders;
    const isTaken =
      keepWithin !== null && file instanceof File && whyRefused(file, found.facts.kind, keepWithin) === null;
    const kept = isTaken && place !== null ? await writeMedia(place, hash, file, found.thumb) : null;
    return { id, hash, kept, ...found };
  } catch (error) {
    return { id, fault: String(error) };
  }
}
