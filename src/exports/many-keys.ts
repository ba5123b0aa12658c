import type { BlobInfo, BlobKey } from '../store/blob-store.ts';
import { MAX_IN_LIST } from '../store/in-list.ts';

/** Yields the wanted keys in batches that fit one query. */
export async function* manyKeys(
  blobs: AsyncIterable<BlobInfo>,
  isWanted: (blob: BlobInfo) => boolean,
): AsyncGenerator<BlobKey[]> {
  let keys: BlobKey[] = [];
  for await (const blob of blobs) {
    if (!isWanted(blob)) continue;
    keys.push(blob.key);
    if (keys.length < MAX_IN_LIST) continue;
    yield keys;
    keys = [];
  }
  if (keys.length > 0) yield keys;
}
