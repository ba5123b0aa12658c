import type { BlobBackend } from '../store/blob-store.ts';
import { DISK_BACKEND, type DiskPlace } from '../store/disk/disk-backend.ts';
import { S3_BACKEND, type S3Bucket, type S3Settings } from '../store/s3/s3-backend.ts';

/** The location of blobs. */
export type BlobPlace = DiskPlace | S3Bucket;

/** The settings of all backends. */
export type BlobSettings = S3Settings;

type AnyBackend = BlobBackend<BlobPlace, BlobSettings>;

/** Every backend for blobs. To add one, add a row here and a folder with its adapter. */
export const BLOB_BACKENDS: readonly AnyBackend[] = [S3_BACKEND, DISK_BACKEND];

/** The backend of a location. */
export function backendOf({ scheme }: BlobPlace): AnyBackend {
  return BLOB_BACKENDS.find((backend) => backend.scheme === scheme)!;
}
