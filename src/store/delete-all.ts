import type { BlobKey, BlobStore } from './blob-store.ts';

/** Deletes all of them. @throws what was wrong with the first that is left, once all have been tried. */
export async function deleteAll(blobs: Pick<BlobStore, 'deleteMany'>, keys: readonly BlobKey[]): Promise<void> {
  for (const fault of (await blobs.deleteMany(keys)).values()) throw fault;
}
