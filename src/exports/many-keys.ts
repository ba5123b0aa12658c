import { MOST_TOGETHER } from '../store/asked-together.ts';
import type { BlobInfo, BlobKey } from '../store/blob-store.ts';

/** Yields the wanted keys in batches that fit one query. */
export async function* manyKeys(
  blobs: AsyncIterable<BlobInfo>,
  isWanted: (blob: BlobInfo) => boolean,
): AsyncGenerator<BlobKey[]> {
  let keys: BlobKey[] = [];
  for await (const blob of blobs) {
    if (!isWanted(blob)) continue;
    keys.push(blob.key);
    if (keys.length < MOST_TOGETHER) continue;
    yield keys;
    keys = [];
  }
  if (keys.length > 0) yield keys;
}
