import { type BlobKey, blobKey } from '../store/blob-store.ts';

/** Where an upload's bytes are, once for all exports that use them. */
export function uploadKey(hash: string): BlobKey {
  return blobKey('uploads', hash);
}

/** The plan an output is rendered from. */
export function planKey(exportId: string, preset: string): BlobKey {
  return blobKey('plans', exportId, `${preset}.json`);
}

/** As much of the plan as is needed to have it rendered. */
export function outlineKey(exportId: string, preset: string): BlobKey {
  return blobKey('plans', exportId, `${preset}.outline.json`);
}

/** The texts of a request, for planning it anew. */
export function requestKey(exportId: string): BlobKey {
  return blobKey('requests', exportId, 'texts.json');
}

/** Who pins the rendered parts of an output. */
export function partsOwner(exportId: string, preset: string): string {
  return `${exportId}/${preset}`;
}

/** The finished video. */
export function outputKey(exportId: string, preset: string): BlobKey {
  return blobKey('exports', exportId, `${preset}.mp4`);
}

/** The poster. */
export function posterKey(exportId: string): BlobKey {
  return blobKey('exports', exportId, 'poster.jpg');
}
