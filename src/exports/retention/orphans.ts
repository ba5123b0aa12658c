import type { BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Uploads } from '../uploads.ts';

/** A file younger than this may belong to a request that is still being taken in. */
const ORPHAN_AGE_MS = 3_600_000;

interface OrphansPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly blobs: Pick<BlobStore, 'list' | 'delete'>;
  readonly uploads: Pick<Uploads, 'sweep'>;
  readonly now: () => number;
}

/** Files that no record mentions: what a crash between a file and its record leaves behind. */
export class Orphans {
  readonly #ports: OrphansPorts;

  constructor(ports: OrphansPorts) {
    this.#ports = ports;
  }

  /** Removes them, and tells how many there were. */
  async sweep(minAgeMs = ORPHAN_AGE_MS): Promise<number> {
    const { database, records, blobs, uploads, now } = this.#ports;
    let removed = await uploads.sweep(minAgeMs);
    const known = new Map<string, boolean>();
    for (const prefix of ['exports/', 'plans/']) {
      for await (const { key, modifiedAtMs } of blobs.list(prefix)) {
        const id = key.slice(prefix.length).split('/')[0]!;
        if (!known.has(id)) known.set(id, (await records.find(id, database)) !== null);
        if (known.get(id) || now() - modifiedAtMs < minAgeMs) continue;
        await blobs.delete(key);
        removed += 1;
      }
    }
    return removed;
  }
}
