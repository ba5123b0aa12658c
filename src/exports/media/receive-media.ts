import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Transaction } from '../../store/database.ts';
import type { PartialFile, PartialFiles } from '../../store/partial-files.ts';
import type { UnfinishedMedia, UnfinishedUpload } from '../../store/unfinished-media.ts';
import type { Freeing } from '../freeing.ts';
import type { AnnouncedMedia, MediaUpload, ReceivedSoFar } from '../media-api.ts';
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
 * Receives content uploaded by itself, in one request or in several. (C38)
 *
 * What has come of an upload lies in a file of its own until it is whole; how much of that is sure to be there stands in a
 * record. After a crash the file is cut to that length, so no client hears of bytes that are lost.
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
    // Who goes on where another stopped knows that the other is gone; who begins anew may be the second of two.
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
    // More may have come since the client was told how much: what it sends again counts. First the promise is taken back;
    // whoever else thinks to have this upload, on another node, learns that it goes on here.
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
    // The record first: a file without one is what a crash has left.
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

  /** How much has come of content that is not whole; null where nothing has. */
  async soFar(tenant: string, sha256: string): Promise<ReceivedSoFar | null> {
    const { database, unfinished, claims } = this.#ports;
    const upload = await unfinished.find(tenant, sha256, database);
    if (upload === null) return null;
    const { bytes, received } = upload;
    return { bytes, received: Math.max(received, claims.find(tenant, sha256)?.received ?? 0) };
  }

  /** Ends an upload and forgets what has come. False where there was none. */
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
