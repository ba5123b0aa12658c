import { hashFile } from './hash-file.ts';
import { type LookedInto, lookInto } from './look-into.ts';

/** A file, and what it is answered by. */
export interface ImportRequest {
  readonly id: number;
  readonly file: Blob;
}

export type ImportReply = { readonly id: number } & (
  | ({ readonly hash: string } & LookedInto)
  /** The file could not be read: it is gone, or may not be. */
  | { readonly fault: string }
);

addEventListener('message', async ({ data: { id, file } }: MessageEvent<ImportRequest>) => {
  const reply: ImportReply = await Promise.all([hashFile(file), lookInto(file)]).then(
    ([hash, found]) => ({ id, hash, ...found }),
    (error: unknown) => ({ id, fault: String(error) }),
  );
  postMessage(reply);
});
