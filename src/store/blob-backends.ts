import type { BlobBackend } from './blob-store.ts';
import { DISK_BACKEND, type DiskPlace } from './disk/disk-backend.ts';
import { S3_BACKEND, type S3Bucket, type S3Settings } from './s3/s3-backend.ts';

/** Where blobs are. */
export type BlobPlace = DiskPlace | S3Bucket;

/** What the configuration says of any backend. */
export type BlobSettings = S3Settings;

type AnyBackend = BlobBackend<BlobPlace, BlobSettings>;

/** Every kind of place that nodes can share blobs in. A row here and a folder of its adapter make another. */
export const BLOB_BACKENDS: readonly AnyBackend[] = [S3_BACKEND, DISK_BACKEND];

/** The backend that a place is of. */
export function backendOf({ scheme }: BlobPlace): AnyBackend {
  return BLOB_BACKENDS.find((backend) => backend.scheme === scheme)!;
}
