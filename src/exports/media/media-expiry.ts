import type { Database } from '../../store/database.ts';
import type { PartialFiles } from '../../store/partial-files.ts';
import type { CaptionRecords } from '../../store/records/caption-records.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import type { UnfinishedMedia, UnfinishedUpload } from '../../store/records/unfinished-media.ts';
import type { Log } from '../log.ts';
import { settleEach } from '../settle-each.ts';
import type { Uploads } from '../uploads.ts';
import type { UploadClaims } from './upload-claims.ts';

/** How long content is kept. */
export interface MediaRetention {
  /** After the last use, for content that was uploaded by itself. */
  readonly mediaRetentionMs: number;
  /** After the last byte, for unfinished uploads. */
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

/** Removes expired content. (C38) */
export class MediaExpiry {
  readonly #ports: MediaExpiryPorts;

  constructor(ports: MediaExpiryPorts) {
    this.#ports = ports;
  }

  /** Removes unused content, and uploads that no client continues. */
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
   * Removes what a crash left: upload files without a record, and records without bytes that still count against the
   * quota. Skips records younger than `minAgeMs`, because a client may be sending. Returns the number of files.
   */
  async sweep(minAgeMs: number): Promise<number> {
    const { database, unfinished, partials, now, log } = this.#ports;
    for (const upload of await unfinished.listEmpty(now() - minAgeMs, database)) await this.#drop(upload);
    // This order is safe because a record is written before its file and removed after it.
    const names = await partials.list();
    const known = await unfinished.files(database);
    const orphans = names.filter((name) => !known.has(name));
    await settleEach(
      orphans,
      (name) => partials.delete(name),
      (name, error) => log('error', 'unused file not removed', { name, error }),
    );
    return orphans.length;
  }

  async #drop({ tenant, sha256, file }: UnfinishedUpload): Promise<void> {
    const { database, unfinished, partials, claims } = this.#ports;
    const claim = claims.take(tenant, sha256);
    // A client continues it.
    if (claim === null) return;
    try {
      await partials.delete(file);
      await unfinished.delete(file, database);
    } finally {
      claim.release();
    }
  }
}
