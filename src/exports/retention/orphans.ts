import type { BlobInfo, BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { PartRecords } from '../../store/parts/part-records.ts';
import { eachByItself } from '../each-by-itself.ts';
import type { Log } from '../log.ts';
import type { Uploads } from '../uploads.ts';

const PARTS = 'parts/';

interface OrphansPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly blobs: Pick<BlobStore, 'list' | 'delete' | 'sweep'>;
  readonly parts: Pick<PartRecords, 'isNamed'>;
  readonly uploads: Pick<Uploads, 'sweep'>;
  readonly now: () => number;
  readonly log: Log;
}

/** Files that no record mentions: what a crash between a file and its record leaves behind. */
export class Orphans {
  readonly #ports: OrphansPorts;

  constructor(ports: OrphansPorts) {
    this.#ports = ports;
  }

  /** Removes them where they are old enough that nobody can be about to write the record, and tells how many there were. */
  async sweep(minAgeMs: number): Promise<number> {
    const { uploads, blobs, log } = this.#ports;
    let removed = (await uploads.sweep(minAgeMs)) + (await blobs.sweep(minAgeMs));
    const known = new Map<string, ExportRecord | null>();
    for (const prefix of ['exports/', 'plans/', 'requests/', PARTS]) {
      await eachByItself(
        blobs.list(prefix),
        async (blob) => {
          if (await this.#isOrphan(blob, prefix, minAgeMs, known)) {
            await blobs.delete(blob.key);
            removed += 1;
          }
        },
        ({ key }, error) => log('error', 'a file that nobody needs could not be removed', { key, error }),
      );
    }
    return removed;
  }

  async #isOrphan(
    { key, modifiedAtMs }: BlobInfo,
    prefix: string,
    minAgeMs: number,
    known: Map<string, ExportRecord | null>,
  ): Promise<boolean> {
    const { database, records, parts, now } = this.#ports;
    // The age first: what is young, which is most, costs no question.
    if (now() - modifiedAtMs < minAgeMs) return false;
    if (prefix === PARTS) return !(await parts.isNamed(key, database));
    const id = key.slice(prefix.length).split('/')[0]!;
    if (!known.has(id)) known.set(id, await records.find(id, database));
    const record = known.get(id)!;
    return record === null || (isVideo(key) && !record.outputs.some(({ blob }) => blob === key));
  }
}

/** One that a record has to name: whoever finished another died before it could say so, or was not the first. */
function isVideo(key: string): boolean {
  return /^exports\/[^/]+\/[^/]+\/[^/]+\.mp4$/.test(key);
}
