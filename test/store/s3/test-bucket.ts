import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { S3BlobStore, type S3Place, s3Client } from '../../../src/store/s3/s3-blob-store.ts';

/**
 * A real S3 server for tests: `http://ACCESS_KEY:SECRET@host:port/bucket`. `.ci/s3-server` starts one from Debian's packages;
 * without one these tests are skipped.
 */
const ADDRESS = process.env.TIERCUT_TEST_S3;

/** Why tests cannot run here, or false. */
export const NO_S3 = ADDRESS === undefined ? 'TIERCUT_TEST_S3 names no S3 server' : false;

/** Its own prefix in the bucket, which is created if needed; removed after the test. */
export async function testPlace(t: TestContext, endpoint?: string): Promise<S3Place> {
  const url = new URL(ADDRESS!);
  const place: S3Place = {
    bucket: url.pathname.slice(1),
    prefix: `${randomUUID()}/`,
    endpoint: endpoint ?? url.origin,
    region: null,
    pathStyle: true,
    credentials: { accessKeyId: url.username, secretAccessKey: decodeURIComponent(url.password) },
  };
  const direct = { ...place, endpoint: url.origin };
  const client = s3Client(direct);
  t.after(() => client.destroy());
  await client.send(new CreateBucketCommand({ Bucket: place.bucket })).catch((error: unknown) => {
    if (!(error instanceof S3ServiceException && error.name.startsWith('BucketAlready'))) throw error;
  });
  t.after(async () => {
    using store = new S3BlobStore({ ...direct, scratchDir: '/nonexistent' });
    for await (const { key } of store.list('')) await store.delete(key);
    await store.sweep(-60_000);
  });
  return place;
}

/** The address of the server itself, for a proxy in front of it. */
export function serverAddress(): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(ADDRESS!);
  return { host: hostname, port: Number(port) };
}

/** Begins an upload in several parts that never ends. */
export async function leaveUnfinished(place: S3Place): Promise<void> {
  const client = s3Client(place);
  await client.send(new CreateMultipartUploadCommand({ Bucket: place.bucket, Key: `${place.prefix}never` }));
  client.destroy();
}

/** Puts bytes there past the store, with the hash of others. */
export async function putDamaged(place: S3Place, key: string, bytes: Buffer, sha256: string): Promise<void> {
  const client = s3Client(place);
  const Metadata = { sha256 };
  await client.send(new PutObjectCommand({ Bucket: place.bucket, Key: place.prefix + key, Body: bytes, Metadata }));
  client.destroy();
}
