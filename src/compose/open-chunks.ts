import type { Config } from '../config/config.ts';
import type { NodeStore } from '../store/nodes/node-store.ts';
import { ChunkCache } from '../store/parts/chunk-cache.ts';
import type { PartRecords } from '../store/parts/part-records.ts';
import { TenantChunks } from '../store/parts/tenant-chunks.ts';
import type { OpenFiles } from './open-files.ts';

/** The cache of rendered chunks, separated by tenant. */
export async function openChunks(
  { chunkCacheBytes: limitBytes, sharedCache, apiKeys }: Config,
  { database, now }: Pick<NodeStore, 'database' | 'now'>,
  { blobs, local }: Pick<OpenFiles, 'blobs' | 'local'>,
  parts: PartRecords,
): Promise<TenantChunks> {
  const cache = await ChunkCache.open({ database, parts, blobs, local, limitBytes, now });
  // Without keys there is one tenant, so nothing is separated.
  return new TenantChunks(cache, { shared: sharedCache || apiKeys.length === 0 });
}
