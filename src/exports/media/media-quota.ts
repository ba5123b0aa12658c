import { ExportError } from '../../errors.ts';
import type { Transaction } from '../../store/database.ts';
import type { MediaRecords } from '../../store/media-records.ts';
import type { ProjectRecords } from '../../store/projects/project-records.ts';
import type { UnfinishedMedia } from '../../store/unfinished-media.ts';

/** How much one tenant may store. */
export interface MediaQuotaPolicy {
  readonly maxMediaBytes: number;
  readonly maxMediaFiles: number;
  /** Unfinished uploads. */
  readonly maxUnfinishedUploads: number;
}

interface MediaQuotaPorts {
  readonly media: Pick<MediaRecords, 'sumLasting'>;
  readonly unfinished: Pick<UnfinishedMedia, 'sum'>;
  readonly projects: Pick<ProjectRecords, 'sumBytes'>;
  readonly policy: MediaQuotaPolicy;
}

/**
 * The storage of a tenant: its media, its projects, and unfinished uploads at their full length. Files sent with
 * requests are bounded by the number of waiting exports.
 */
export class MediaQuota {
  readonly #ports: MediaQuotaPorts;

  constructor(ports: MediaQuotaPorts) {
    this.#ports = ports;
  }

  /** Called before content that only exports used gets a retention of its own. @throws `media.quota_full` */
  async requireRoom(tenant: string, bytes: number, tx: Transaction): Promise<void> {
    const { policy } = this.#ports;
    const taken = await this.#taken(tenant, tx);
    if (taken.bytes + bytes > policy.maxMediaBytes) {
      throw full(
        `Your media take ${taken.bytes} of ${policy.maxMediaBytes} bytes, which leaves no room for ${bytes} more.`,
      );
    }
    if (taken.files >= policy.maxMediaFiles) {
      throw full(`You have ${policy.maxMediaFiles} media files, the maximum.`);
    }
  }

  /**
   * Called at the end of a transaction that stores more; rolls it back if that is too much. @throws `media.quota_full`
   * (C76)
   */
  async requireWithin(tenant: string, tx: Transaction): Promise<void> {
    const { maxMediaBytes, maxMediaFiles } = this.#ports.policy;
    const { bytes, files } = await this.#taken(tenant, tx);
    if (bytes <= maxMediaBytes && files <= maxMediaFiles) return;
    throw full(
      `Your media and projects would take ${bytes} bytes in ${files} files; ${maxMediaBytes} bytes in ${maxMediaFiles} files are allowed.`,
    );
  }

  async #taken(tenant: string, tx: Transaction): Promise<{ readonly bytes: number; readonly files: number }> {
    const { media, unfinished, projects } = this.#ports;
    const [lasting, begun] = [await media.sumLasting(tenant, tx), await unfinished.sum(tenant, tx)];
    const bytes = lasting.bytes + begun.bytes + (await projects.sumBytes(tenant, tx));
    return { bytes, files: lasting.files + begun.files };
  }

  /** Called before an upload starts. @throws `media.quota_full`, `upload.too_many` */
  async requireRoomForUpload(tenant: string, bytes: number, tx: Transaction): Promise<void> {
    const { unfinished, policy } = this.#ports;
    if ((await unfinished.sum(tenant, tx)).files >= policy.maxUnfinishedUploads) {
      const message = `${policy.maxUnfinishedUploads} of your uploads are unfinished. Finish or delete some.`;
      throw new ExportError('unavailable', 'upload.too_many', message);
    }
    await this.requireRoom(tenant, bytes, tx);
  }
}

function full(message: string): ExportError {
  return new ExportError('unavailable', 'media.quota_full', `${message} Delete some, or wait until they expire.`);
}
