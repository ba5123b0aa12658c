import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { CachedLocalFiles } from '../store/disk/cached-local-files.ts';
import { DiskBlobStore } from '../store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from '../store/disk/disk-partial-files.ts';
import { LinkedLocalFiles } from '../store/disk/linked-local-files.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { PartialFiles } from '../store/partial-files.ts';

/** Where files are. */
export interface OpenFiles {
  /** Every node's. */
  readonly blobs: BlobStore;
  /** Every node's, too: an upload goes on at whichever node it comes to. */
  readonly partials: PartialFiles;
  /** This node's own. */
  readonly local: LocalFiles & Pick<LinkedLocalFiles, 'sweep'>;
}

/** Opens what the deployment says. */
export async function openFiles(deployment: Deployment, config: Config): Promise<OpenFiles> {
  const { blobs: place, dataDir } = deployment;
  const blobs = await openBlobs(deployment, config);
  const partials = await DiskPartialFiles.open(place.kind === 'folder' ? place.path : dataDir);
  const local =
    blobs instanceof DiskBlobStore && place.kind === 'folder' && place.path === dataDir
      ? await LinkedLocalFiles.open(dataDir, blobs)
      : await CachedLocalFiles.open(dataDir, { blobs, limitBytes: config.localCacheBytes });
  return { blobs, partials, local };
}

/** The files that nodes share. */
export async function openBlobs({ blobs: place }: Deployment, _config: Config): Promise<BlobStore> {
  if (place.kind === 's3') throw new Error('not to be had yet');
  return DiskBlobStore.open(place.path);
}
