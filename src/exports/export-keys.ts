import { randomUUID } from 'node:crypto';
import { type BlobInfo, type BlobKey, blobKey } from '../store/blob-store.ts';
import { MAX_IN_LIST } from '../store/database.ts';

/** A unique key for the bytes of an upload. The record says which key is valid. */
export function newUploadKey(hash: string): BlobKey {
  return blobKey('uploads', `${hash}.${randomUUID()}`);
}

/** The plan that an output is rendered from. */
export function planKey(exportId: string, preset: string): BlobKey {
  return blobKey('plans', exportId, `${preset}.json`);
}

/** The part of a plan that the scheduler needs. */
export function outlineKey(exportId: string, preset: string): BlobKey {
  return blobKey('plans', exportId, `${preset}.outline.json`);
}

/** The texts of a request, kept to plan it again. */
export function requestKey(exportId: string): BlobKey {
  return blobKey('requests', exportId, 'texts.json');
}

/** The owner that pins the rendered parts of an output. */
export function partsOwner(exportId: string, preset: string): string {
  return `${exportId}/${preset}`;
}

/** The common prefix of all files of an export. */
export function outputsPrefix(exportId: string): string {
  return `exports/${exportId}/`;
}

/** A unique key for a finished video. Two workers may finish it; the record names the valid one. */
export function newOutputKey(exportId: string, preset: string): BlobKey {
  return blobKey('exports', exportId, preset, `${randomUUID()}.mp4`);
}

export function posterKey(exportId: string): BlobKey {
  return blobKey('exports', exportId, 'poster.jpg');
}

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
