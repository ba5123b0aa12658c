import { randomUUID } from 'node:crypto';
import { type BlobKey, blobKey } from '../store/blob-store.ts';

/** A place for an upload's bytes that nobody else has; records say which of them counts. */
export function newUploadKey(hash: string): BlobKey {
  return blobKey('uploads', `${hash}.${randomUUID()}`);
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

/** What begins the names of all that comes of an export. */
export function outputsPrefix(exportId: string): string {
  return `exports/${exportId}/`;
}

/** A place for a finished video that nobody else has: two may finish it, and one of them counts. */
export function newOutputKey(exportId: string, preset: string): BlobKey {
  return blobKey('exports', exportId, preset, `${randomUUID()}.mp4`);
}

/** The poster. */
export function posterKey(exportId: string): BlobKey {
  return blobKey('exports', exportId, 'poster.jpg');
}
