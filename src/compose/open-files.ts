import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import { type BlobPlace, type BlobSettings, backendOf } from '../store/blob-backends.ts';
import type { BlobAddresses, BlobStore, OpenBlobs } from '../store/blob-store.ts';
import { BlobPartialFiles } from '../store/disk/blob-partial-files.ts';
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
  /** Where finished videos can be fetched past the service; null where they cannot, or are not to be. */
  readonly addresses: BlobAddresses | null;
}

/** Opens what the deployment says. */
export async function openFiles(
  { blobs: place, dataDir }: Deployment,
  config: Config,
  now: () => number,
): Promise<OpenFiles> {
  if (place === null) {
    const blobs = await DiskBlobStore.open(dataDir);
    const local = await LinkedLocalFiles.open(dataDir, blobs);
    return { blobs, partials: await DiskPartialFiles.open(dataDir), local, addresses: null };
  }
  const { blobs, addresses } = await openBlobs(place, dataDir, config, now);
  const local = await CachedLocalFiles.open(dataDir, { blobs, limitBytes: config.localCacheBytes });
  const partials = new BlobPartialFiles({ blobs, local });
  return { blobs, partials, local, addresses: config.downloads === 'redirect' ? addresses : null };
}

/** The files that nodes share. */
export function openBlobs(
  place: BlobPlace,
  dataDir: string,
  settings: BlobSettings,
  now: () => number,
): Promise<OpenBlobs> {
  return backendOf(place).open(place, settings, { scratchDir: join(dataDir, 'work'), now });
}
