import { join } from 'node:path';
import { type BlobPlace, type BlobSettings, backendOf } from '../config/blob-backends.ts';
import type { Config } from '../config/config.ts';
import type { Deployment } from '../config/deployment.ts';
import type { BlobAddresses, BlobStore, OpenBlobs } from '../store/blob-store.ts';
import { ChunkCache } from '../store/chunks/chunk-cache.ts';
import type { ChunkRecords } from '../store/chunks/chunk-records.ts';
import { TenantChunks } from '../store/chunks/tenant-chunks.ts';
import { BlobPartialFiles } from '../store/disk/blob-partial-files.ts';
import { CachedLocalFiles } from '../store/disk/cached-local-files.ts';
import { DiskBlobStore } from '../store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from '../store/disk/disk-partial-files.ts';
import { LinkedLocalFiles } from '../store/disk/linked-local-files.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { NodeStore } from '../store/nodes/node-store.ts';
import type { PartialFiles } from '../store/partial-files.ts';

/** The file stores of a node. */
interface OpenFiles {
  /** Shared by all nodes. */
  readonly blobs: BlobStore;
  /** Shared by all nodes, so that an upload can be resumed on any node. */
  readonly partials: PartialFiles;
  /** Local to this node. */
  readonly local: LocalFiles & Pick<LinkedLocalFiles, 'sweep'>;
  /** Presigned addresses of finished videos; null if the store has none or they are disabled. */
  readonly addresses: BlobAddresses | null;
}

/** Opens the stores of the deployment. */
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

/** The blob store that nodes share. */
export function openBlobs(
  place: BlobPlace,
  dataDir: string,
  settings: BlobSettings,
  now: () => number,
): Promise<OpenBlobs> {
  return backendOf(place).open(place, settings, { scratchDir: join(dataDir, 'work'), now });
}

/** The cache of rendered chunks, separated by tenant. */
export async function openChunks(
  { chunkCacheBytes: limitBytes, sharedCache, apiKeys }: Config,
  { database, now }: Pick<NodeStore, 'database' | 'now'>,
  { blobs, local }: Pick<OpenFiles, 'blobs' | 'local'>,
  records: ChunkRecords,
): Promise<TenantChunks> {
  const cache = await ChunkCache.open({ database, records, blobs, local, limitBytes, now });
  // Without keys there is one tenant, so nothing is separated.
  return new TenantChunks(cache, { shared: sharedCache || apiKeys.length === 0 });
}
