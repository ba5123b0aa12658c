import type { Config } from '../config/config.ts';
import type { NodeStore } from '../store/nodes/node-store.ts';
import { ChunkCache } from '../store/parts/chunk-cache.ts';
import type { PartRecords } from '../store/parts/part-records.ts';
import { TenantChunks } from '../store/parts/tenant-chunks.ts';
import type { OpenFiles } from './open-files.ts';

/** Where releases before 0.2 kept rendered pieces, by their keys alone. */
const LEGACY_CHUNKS = 'chunks';

/** The rendered pieces that are kept for reuse, each tenant's behind a fence of its own. */
export async function openChunks(
  { chunkCacheBytes: limitBytes, sharedCache, apiKeys }: Config,
  { database, alone }: Pick<NodeStore, 'database' | 'alone'>,
  { blobs, local }: Pick<OpenFiles, 'blobs' | 'local'>,
  parts: PartRecords,
): Promise<TenantChunks> {
  const cache = await ChunkCache.open({ database, parts, blobs, local, limitBytes, now: Date.now });
  if (alone) await cache.adoptFiles(LEGACY_CHUNKS);
  // Without keys there is one tenant, whose pieces need no fence.
  return new TenantChunks(cache, { shared: sharedCache || apiKeys.length === 0 });
}
