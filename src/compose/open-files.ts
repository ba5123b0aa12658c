import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import type { BlobsPlace } from '../config/store-urls.ts';
import type { BlobAddresses, BlobStore } from '../store/blob-store.ts';
import { BlobPartialFiles } from '../store/disk/blob-partial-files.ts';
import { CachedLocalFiles } from '../store/disk/cached-local-files.ts';
import { DiskBlobStore } from '../store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from '../store/disk/disk-partial-files.ts';
import { LinkedLocalFiles } from '../store/disk/linked-local-files.ts';
import { requireFolder } from '../store/disk/require-folder.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { PartialFiles } from '../store/partial-files.ts';
import type { S3BlobStore } from '../store/s3/s3-blob-store.ts';

/** Where files are. */
export interface OpenFiles {
  /** Every node's. */
  readonly blobs: BlobStore;
  /** Every node's, too: an upload goes on at whichever node it comes to. */
  readonly partials: PartialFiles;
  /** This node's own. */
  readonly local: LocalFiles & Pick<LinkedLocalFiles, 'sweep'>;
  /** Where finished videos can be fetched past the service; null where they cannot, or are not to be. */
  readonly addresses: BlobAddresses | null;
}

/** Opens what the deployment says. */
export async function openFiles(deployment: Deployment, config: Config): Promise<OpenFiles> {
  const { blobs: place, dataDir } = deployment;
  const { localCacheBytes: limitBytes, downloads } = config;
  if (place.kind === 's3') {
    const blobs = await openS3(place, deployment, config);
    const local = await CachedLocalFiles.open(dataDir, { blobs, limitBytes });
    const addresses = downloads === 'redirect' ? blobs : null;
    return { blobs, partials: new BlobPartialFiles({ blobs, local }), local, addresses };
  }
  const isOwn = place.path === dataDir;
  if (!isOwn) await requireFolder(place.path, { what: 'The shared folder', variable: 'TIERCUT_BLOBS_URL' });
  const blobs = await DiskBlobStore.open(place.path);
  if (isOwn) {
    const local = await LinkedLocalFiles.open(dataDir, blobs);
    return { blobs, partials: await DiskPartialFiles.open(dataDir), local, addresses: null };
  }
  const local = await CachedLocalFiles.open(dataDir, { blobs, limitBytes });
  return { blobs, partials: new BlobPartialFiles({ blobs, local }), local, addresses: null };
}

/** The files that nodes share. */
export async function openBlobs(deployment: Deployment, config: Config): Promise<BlobStore> {
  const { blobs: place } = deployment;
  return place.kind === 's3' ? openS3(place, deployment, config) : DiskBlobStore.open(place.path);
}

/** The SDK takes a moment to load, and memory: nobody else has to. */
async function openS3(
  { bucket, prefix }: Extract<BlobsPlace, { kind: 's3' }>,
  { dataDir }: Deployment,
  { s3Endpoint: endpoint, s3Region: region, s3PathStyle: pathStyle }: Config,
): Promise<S3BlobStore> {
  const { S3BlobStore } = await import('../store/s3/s3-blob-store.ts');
  const scratchDir = join(dataDir, 'work');
  return new S3BlobStore({ bucket, prefix, endpoint, region, pathStyle, scratchDir });
}
