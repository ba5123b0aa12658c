import type { BlobInfo, BlobKey, BlobStore } from '../../store/blob-store.ts';
import type { ChunkRecords } from '../../store/chunks/chunk-records.ts';
import type { Database } from '../../store/database.ts';
import type { JobQueue } from '../../store/job-queue.ts';
import type { DraftRecords } from '../../store/records/draft-records.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import { manyKeys } from '../export-keys.ts';
import type { Log } from '../log.ts';
import type { Uploads } from '../uploads.ts';

const CHUNKS = 'parts/';
const VIDEOS = 'exports/';
/**
 * Rendered files are recorded as soon as they are stored. A video that a worker is assembling stays at any age; a chunk
 * that is removed too early is rendered again.
 */
const RENDERED_AGE_MS = 30 * 60_000;

interface OrphansPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'videosOf'>;
  readonly drafts: Pick<DraftRecords, 'plansAmong'>;
  readonly blobs: Pick<BlobStore, 'list' | 'deleteMany' | 'sweep'>;
  readonly chunkRecords: Pick<ChunkRecords, 'named'>;
  readonly jobs: Pick<JobQueue, 'isRunning'>;
  readonly uploads: Pick<Uploads, 'sweep'>;
  readonly now: () => number;
  readonly log: Log;
}

/** Files without a record: a crash between writing a file and its record leaves them. */
export class Orphans {
  readonly #ports: OrphansPorts;

  constructor(ports: OrphansPorts) {
    this.#ports = ports;
  }

  /** Removes orphans that are old enough that no process is about to write the record. Returns their number. */
  async sweep(minAgeMs: number): Promise<number> {
    const { uploads, blobs, now, log } = this.#ports;
    let removed = (await uploads.sweep(minAgeMs)) + (await blobs.sweep(minAgeMs));
    // Checks the age first, which needs no query: most files are young.
    const renderedMs = Math.min(minAgeMs, RENDERED_AGE_MS);
    const ages = { [VIDEOS]: renderedMs, [CHUNKS]: renderedMs, 'plans/': minAgeMs, 'requests/': minAgeMs };
    for (const [prefix, ageMs] of Object.entries(ages)) {
      const isOld = ({ modifiedAtMs }: BlobInfo) => now() - modifiedAtMs >= ageMs;
      for await (const keys of manyKeys(blobs.list(prefix), isOld)) {
        const orphans = await this.#orphansOf(keys, prefix);
        const faults = await blobs.deleteMany(orphans);
        for (const [key, error] of faults) log('error', 'unused file not removed', { key, error });
        removed += orphans.length - faults.size;
      }
    }
    return removed;
  }

  async #orphansOf(keys: readonly BlobKey[], prefix: string): Promise<BlobKey[]> {
    if (prefix !== CHUNKS) return this.#orphansOfExports(keys, prefix);
    const { database, chunkRecords } = this.#ports;
    const named = await chunkRecords.named(keys, database);
    return keys.filter((key) => !named.has(key));
  }

  async #orphansOfExports(keys: readonly BlobKey[], prefix: string): Promise<BlobKey[]> {
    const exportOf = (key: BlobKey) => key.slice(prefix.length).split('/')[0]!;
    const unnamed = await this.#unnamed(keys, exportOf);
    if (prefix !== VIDEOS || unnamed.length === 0) return unnamed;
    const atWork = await this.#atWork(new Set(unnamed.map(exportOf)));
    // Checks again: it may have been recorded before its worker was seen to be done. The queue refuses workers that
    // come later.
    return this.#unnamed(
      unnamed.filter((key) => !atWork.has(exportOf(key))),
      exportOf,
    );
  }

  async #atWork(exportIds: ReadonlySet<string>): Promise<Set<string>> {
    const { jobs, database } = this.#ports;
    const found = new Set<string>();
    for (const id of exportIds) if (await jobs.isRunning(id, database)) found.add(id);
    return found;
  }

  async #unnamed(keys: readonly BlobKey[], exportOf: (key: BlobKey) => string): Promise<BlobKey[]> {
    const { database, records, drafts } = this.#ports;
    if (keys.length === 0) return [];
    const ids = [...new Set(keys.map(exportOf))];
    const videos = await records.videosOf(ids, database);
    const drafted = await drafts.plansAmong(ids, database);
    return keys.filter((key) => {
      if (drafted.has(exportOf(key))) return false;
      const known = videos.get(exportOf(key));
      return known === undefined || (isVideo(key) && !known.includes(key));
    });
  }
}

/**
 * A blob that a record must name. The others belong to workers that died before they recorded it, or that lost a race.
 */
function isVideo(key: string): boolean {
  return /^exports\/[^/]+\/[^/]+\/[^/]+\.mp4$/.test(key);
}
