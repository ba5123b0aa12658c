import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Transaction } from '../../store/database.ts';
import type { PartialFile, PartialFiles } from '../../store/partial-files.ts';
import type { UnfinishedMedia, UnfinishedUpload } from '../../store/unfinished-media.ts';
import type { AnnouncedMedia, MediaUpload, ReceivedSoFar } from '../api/media-api.ts';
import type { Freeing } from '../freeing.ts';
import { IncomingMedia, type IncomingMediaPorts } from './incoming-media.ts';
import type { MediaQuota } from './media-quota.ts';
import type { UploadClaims } from './upload-claims.ts';

interface ReceiveMediaPorts extends IncomingMediaPorts {
  readonly unfinished: UnfinishedMedia;
  readonly partials: PartialFiles;
  readonly quota: Pick<MediaQuota, 'requireRoomForUpload'>;
  readonly claims: UploadClaims;
  readonly freeing: Pick<Freeing, 'run'>;
}

/**
 * Receives uploads, in one request or in several. (C38)
 * The bytes are in a file of their own until the upload is complete; a record says how many are synced. After a crash
 * the file is truncated to that length, so no client relies on bytes that are lost.
 */
export class ReceiveMedia {
  readonly #ports: ReceiveMediaPorts;

  constructor(ports: ReceiveMediaPorts) {
    this.#ports = ports;
  }

  /** See MediaApi. */
  async receive(announced: AnnouncedMedia): Promise<MediaUpload> {
    const { claims } = this.#ports;
    const { tenant, sha256, start } = announced;
    // A client that resumes knows that the earlier connection is gone. A client that starts again may be the second of
    // two.
    const claim = start > 0 ? await claims.takeOver(tenant, sha256) : claims.take(tenant, sha256);
    if (claim === null) throw underWay();
    try {
      const { upload, file } = await (start > 0 ? this.#resume(announced) : this.#begin(announced));
      try {
        return await IncomingMedia.begin(announced, upload, file, claim, this.#ports);
      } catch (cause) {
        await file[Symbol.asyncDispose]();
        throw cause;
      }
    } catch (cause) {
      claim.release();
      throw cause;
    }
  }

  async #resume({ tenant, sha256, start, bytes }: AnnouncedMedia): Promise<Opened> {
    const { database, unfinished, partials, now } = this.#ports;
    const upload = await unfinished.find(tenant, sha256, database);
    const known = upload !== null && upload.bytes === bytes ? upload.received : 0;
    if (upload === null || known < start) throw wrongOffset(known, bytes);
    // More bytes may have arrived since the client read the offset; the bytes that it sends again replace them. The
    // record is reset first, so that a connection on another node learns that the upload continues here.
    const taken = await unfinished.setReceived(upload, start, now(), database);
    if (taken === null) throw underWay();
    const file = await partials.resume(upload.file, start);
    if (file !== null) return { upload: taken, file };
    await unfinished.delete(upload.file, database);
    throw wrongOffset(0, bytes);
  }

  async #begin({ tenant, sha256, bytes }: AnnouncedMedia): Promise<Opened> {
    const { database, unfinished, partials, quota, now } = this.#ports;
    const earlier = await unfinished.find(tenant, sha256, database);
    if (earlier !== null) await this.#drop(earlier);
    const upload: UnfinishedUpload = { tenant, sha256, file: randomUUID(), bytes, received: 0, receivedAtMs: now() };
    // The record is written first: only a crash leaves a file without one.
    const begin = async (tx: Transaction) => {
      await quota.requireRoomForUpload(tenant, bytes, tx);
      if (!(await unfinished.insert(upload, tx))) throw underWay();
    };
    await database.transaction(begin, { lockTenant: tenant });
    try {
      return { upload, file: await partials.create(upload.file) };
    } catch (cause) {
      await unfinished.delete(upload.file, database);
      throw cause;
    }
  }

  /** How much of an unfinished upload has arrived; null if there is none. */
  async soFar(tenant: string, sha256: string): Promise<ReceivedSoFar | null> {
    const { database, unfinished, claims } = this.#ports;
    const upload = await unfinished.find(tenant, sha256, database);
    if (upload === null) return null;
    const { bytes, received } = upload;
    return { bytes, received: Math.max(received, claims.find(tenant, sha256)?.received ?? 0) };
  }

  /** Ends an upload and removes its bytes. False if there was none. */
  async remove(tenant: string, sha256: string): Promise<boolean> {
    const { database, unfinished, claims, freeing } = this.#ports;
    const claim = await claims.takeOver(tenant, sha256);
    try {
      const upload = await unfinished.find(tenant, sha256, database);
      if (upload !== null) await freeing.run(() => this.#drop(upload));
      return upload !== null;
    } finally {
      claim.release();
    }
  }

  async #drop({ file }: UnfinishedUpload): Promise<void> {
    const { database, unfinished, partials } = this.#ports;
    await partials.delete(file);
    await unfinished.delete(file, database);
  }
}

interface Opened {
  readonly upload: UnfinishedUpload;
  readonly file: PartialFile;
}

function wrongOffset(received: number, bytes: number): ExportError {
  const message = `${received} of ${bytes} bytes are stored. Continue with Content-Range: bytes ${received}-${bytes - 1}/${bytes}.`;
  return new ExportError('cancelled', 'media.offset', message);
}

function underWay(): ExportError {
  const message = 'Another connection is uploading this content. Try again later, or resume it here.';
  return new ExportError('unavailable', 'upload.under_way', message);
}
