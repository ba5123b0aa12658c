import type { CaptionRecords } from '../../store/captions/caption-records.ts';
import type { Database } from '../../store/database.ts';
import type { MediaRecords } from '../../store/media-records.ts';
import type { PartialFiles } from '../../store/partial-files.ts';
import type { UnfinishedMedia, UnfinishedUpload } from '../../store/unfinished-media.ts';
import { eachByItself } from '../each-by-itself.ts';
import type { Log } from '../log.ts';
import type { Uploads } from '../uploads.ts';
import type { UploadClaims } from './upload-claims.ts';

/** How long content lasts. */
export interface MediaRetention {
  /** After its last use, where it was put here by itself. */
  readonly mediaRetentionMs: number;
  /** After its last byte, where it is not whole. */
  readonly unfinishedRetentionMs: number;
}

interface MediaExpiryPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'lapse' | 'release'>;
  readonly captions: Pick<CaptionRecords, 'expireFailed'>;
  readonly unfinished: Pick<UnfinishedMedia, 'listSilentSince' | 'listEmpty' | 'delete' | 'files'>;
  readonly partials: Pick<PartialFiles, 'delete' | 'list'>;
  readonly uploads: Pick<Uploads, 'drop'>;
  readonly claims: Pick<UploadClaims, 'take'>;
  readonly policy: MediaRetention;
  readonly now: () => number;
  readonly log: Log;
}

/** Removes content that has outlived its use. (C38) */
export class MediaExpiry {
  readonly #ports: MediaExpiryPorts;

  constructor(ports: MediaExpiryPorts) {
    this.#ports = ports;
  }

  /** What was not used for long enough, and what nobody goes on sending. */
  async expire(): Promise<void> {
    const { database, media, captions, unfinished, uploads, policy, now } = this.#ports;
    const unneeded = await database.transaction(async (tx) => {
      await captions.expireFailed(now() - policy.mediaRetentionMs, tx);
      await media.lapse(now() - policy.mediaRetentionMs, tx);
      return media.release(tx);
    });
    if (unneeded.length > 0) await uploads.drop(unneeded);
    const silent = await unfinished.listSilentSince(now() - policy.unfinishedRetentionMs, database);
    for (const upload of silent) await this.#drop(upload);
  }

  /**
   * Removes what a crash has left: files of uploads that no record speaks of, and records that promise not a byte but
   * take their whole length from the quota, unless they are so young that somebody is just sending. Tells how many files there
   * were.
   */
  async sweep(minAgeMs: number): Promise<number> {
    const { database, unfinished, partials, now, log } = this.#ports;
    for (const upload of await unfinished.listEmpty(now() - minAgeMs, database)) await this.#drop(upload);
    // In this order: a record is written before its file, and outlives it.
    const names = await partials.list();
    const known = await unfinished.files(database);
    const orphans = names.filter((name) => !known.has(name));
    await eachByItself(
      orphans,
      (name) => partials.delete(name),
      (name, error) => log('error', 'unused file not removed', { name, error }),
    );
    return orphans.length;
  }

  async #drop({ tenant, sha256, file }: UnfinishedUpload): Promise<void> {
    const { database, unfinished, partials, claims } = this.#ports;
    const claim = claims.take(tenant, sha256);
    // Somebody does go on.
    if (claim === null) return;
    try {
      await partials.delete(file);
      await unfinished.delete(file, database);
    } finally {
      claim.release();
    }
  }
}
