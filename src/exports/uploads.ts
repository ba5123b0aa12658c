import type { BlobStore } from '../store/blob-store.ts';
import type { Database } from '../store/database.ts';
import type { ExportRecords } from '../store/export-records.ts';
import type { MediaRecords } from '../store/media-records.ts';
import { eachByItself } from './each-by-itself.ts';
import { uploadKey } from './export-keys.ts';
import type { SubmittedFile } from './exports-api.ts';
import { Gate } from './gate.ts';
import type { Log } from './log.ts';

interface UploadsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'uploadsInUse' | 'isUploadInUse' | 'uploadsOnlyOf'>;
  readonly media: Pick<MediaRecords, 'find' | 'releaseOf'>;
  readonly blobs: Pick<BlobStore, 'info' | 'putFile' | 'list' | 'delete'>;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * The bytes that were uploaded: kept once, however often they come, for as long as an export draws on them or is about to,
 * or somebody may refer to them (C38). Keeping and removing take turns, so that nobody finds a file that is just about to go.
 */
export class Uploads {
  readonly #ports: UploadsPorts;
  readonly #turns = new Gate(1);
  /** By how many exports whose record is not written yet. */
  readonly #held = new Map<string, number>();

  constructor(ports: UploadsPorts) {
    this.#ports = ports;
  }

  /** These are about to be used by an export whose record is not written yet: until disposed, none is removed. */
  hold(hashes: Iterable<string>): Disposable {
    const held = [...new Set(hashes)];
    for (const hash of held) this.#held.set(hash, (this.#held.get(hash) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        for (const hash of held) {
          const left = (this.#held.get(hash) ?? 1) - 1;
          if (left === 0) this.#held.delete(hash);
          else this.#held.set(hash, left);
        }
      },
    };
  }

  /**
   * Moves files in, unless their content is the tenant's already. What others have does not count: it is taken in as if
   * it were new, or the time it takes would tell who else has it.
   */
  async keep(tenant: string, files: Iterable<Pick<SubmittedFile, 'path' | 'sha256'>>): Promise<void> {
    const { blobs, media, database } = this.#ports;
    for (const { path, sha256 } of files) {
      await this.#inTurn(async () => {
        const isOwn = (await media.find(tenant, sha256, database)) !== null;
        if (!isOwn || (await blobs.info(uploadKey(sha256))) === null) await blobs.putFile(uploadKey(sha256), path);
      });
    }
  }

  /** Moves a file in, whether or not its content is there. */
  async add(sha256: string, path: string): Promise<void> {
    await this.#inTurn(() => this.#ports.blobs.putFile(uploadKey(sha256), path));
  }

  /** Removes those of these that nobody needs. */
  async drop(hashes: Iterable<string>): Promise<void> {
    const { blobs, records, database } = this.#ports;
    await this.#inTurn(async () => {
      for (const hash of hashes) {
        if (this.#held.has(hash) || (await records.isUploadInUse(hash, database))) continue;
        await blobs.delete(uploadKey(hash));
      }
    });
  }

  /** Removes what only this export draws on. */
  async dropOf(exportId: string): Promise<void> {
    const { blobs, records, media, database } = this.#ports;
    await this.#inTurn(async () => {
      await media.releaseOf(exportId, database);
      for (const hash of await records.uploadsOnlyOf(exportId, database)) {
        if (!this.#held.has(hash)) await blobs.delete(uploadKey(hash));
      }
    });
  }

  /** Removes what nobody needs and is older than that; tells how many there were. */
  sweep(minAgeMs: number): Promise<number> {
    const { blobs, records, database, now, log } = this.#ports;
    return this.#inTurn(async () => {
      const inUse = await records.uploadsInUse(database);
      let removed = 0;
      await eachByItself(
        blobs.list('uploads/'),
        async ({ key, modifiedAtMs }) => {
          const hash = key.slice('uploads/'.length);
          if (inUse.has(hash) || this.#held.has(hash) || now() - modifiedAtMs < minAgeMs) return;
          await blobs.delete(key);
          removed += 1;
        },
        ({ key }, error) => log('error', 'an upload that nobody needs could not be removed', { key, error }),
      );
      return removed;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', new AbortController().signal, work);
  }
}
