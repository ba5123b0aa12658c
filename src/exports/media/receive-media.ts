import { createHash, randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { PartialFile, PartialFiles } from '../../store/partial-files.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import type { UnfinishedMedia, UnfinishedUpload } from '../../store/records/unfinished-media.ts';
import type { AnnouncedMedia, MediaUpload, MediaView, ReceivedSoFar } from '../api/media-api.ts';
import type { Meter } from '../api/meter.ts';
import type { Freeing } from '../freeing.ts';
import type { Log } from '../log.ts';
import type { Uploads } from '../uploads.ts';
import type { MediaQuota } from './media-quota.ts';
import type { UploadClaim, UploadClaims } from './upload-claims.ts';

interface IncomingMediaPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'keep'>;
  readonly unfinished: Pick<UnfinishedMedia, 'setReceived' | 'delete'>;
  readonly partials: Pick<PartialFiles, 'delete'>;
  readonly uploads: Pick<Uploads, 'hold' | 'add'>;
  readonly describe: (tenant: string, sha256: string, signal: AbortSignal) => Promise<MediaView | null>;
  readonly meter: Pick<Meter, 'mediaCame'>;
  readonly now: () => number;
  readonly log: Log;
}

/** The received bytes are synced after each of these steps, so that they survive a crash. */
const CHECKPOINT_BYTES = 64 * 2 ** 20;
/** Enough to detect the type of the file. */
const HEAD_BYTES = 64;

/** An upload in progress: its file, its hash so far, and how many bytes are synced. */
class IncomingMedia implements MediaUpload {
  readonly #announced: AnnouncedMedia;
  #upload: UnfinishedUpload;
  readonly #file: PartialFile;
  readonly #claim: UploadClaim;
  readonly #ports: IncomingMediaPorts;
  readonly #hash = createHash('sha256');
  #head: Buffer = Buffer.alloc(0);
  #safeBytes: number;
  /** Whether this upload still owns its file and its record. */
  #isOpen = true;

  private constructor(
    announced: AnnouncedMedia,
    upload: UnfinishedUpload,
    file: PartialFile,
    claim: UploadClaim,
    ports: IncomingMediaPorts,
  ) {
    this.#announced = announced;
    this.#upload = upload;
    this.#file = file;
    this.#claim = claim;
    this.#ports = ports;
    this.#safeBytes = upload.received;
  }

  /** Resumes a file: hashes its bytes first, as if they had just arrived. */
  static async begin(
    announced: AnnouncedMedia,
    upload: UnfinishedUpload,
    file: PartialFile,
    claim: UploadClaim,
    ports: IncomingMediaPorts,
  ): Promise<IncomingMedia> {
    const incoming = new IncomingMedia(announced, upload, file, claim, ports);
    for await (const bytes of file.read()) incoming.#look(bytes);
    claim.received = file.bytes;
    return incoming;
  }

  get head(): Buffer {
    return this.#head;
  }

  get superseded(): AbortSignal {
    return this.#claim.superseded;
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#file.bytes + bytes.length > this.#announced.end) {
      const message = 'The body has more bytes than the headers announce.';
      throw new ExportError('malformed', 'media.too_much', message);
    }
    await this.#file.append(bytes);
    this.#look(bytes);
    this.#claim.received = this.#file.bytes;
    if (this.#file.bytes - this.#safeBytes >= CHECKPOINT_BYTES) await this.#makeSafe();
  }

  async finish(signal: AbortSignal): Promise<MediaView | ReceivedSoFar> {
    const { meter, describe } = this.#ports;
    const { tenant, sha256, bytes } = this.#announced;
    if (this.#file.bytes < bytes) {
      await this.#makeSafe();
      meter.mediaCame('partial');
      return { received: this.#file.bytes, bytes };
    }
    const found = this.#hash.digest('hex');
    if (found !== sha256) {
      await this.discard();
      const message = `The SHA-256 of the body is ${found}, which differs from the address. The body was dropped.`;
      throw new ExportError('invalid', 'media.hash_mismatch', message);
    }
    await this.#store();
    meter.mediaCame('stored');
    const view = await describe(tenant, sha256, signal);
    if (view !== null) return view;
    throw new ExportError('cancelled', 'media.deleted', 'The content was deleted right after the upload.');
  }

  async discard(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { unfinished, partials, database } = this.#ports;
    await partials.delete(this.#upload.file);
    await unfinished.delete(this.#upload.file, database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#isOpen && this.#file.bytes === 0) await this.discard();
      else if (this.#isOpen) await this.#makeSafe();
    } catch (error) {
      // The upload resumes from the last synced byte.
      this.#ports.log('warn', 'received part of upload not synced', { error });
    } finally {
      await this.#file[Symbol.asyncDispose]();
      this.#claim.release();
    }
  }

  #look(bytes: Buffer): void {
    this.#hash.update(bytes);
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, bytes]).subarray(0, HEAD_BYTES);
  }

  /** Syncs the bytes, then records their number. */
  async #makeSafe(): Promise<void> {
    const { unfinished, database, now } = this.#ports;
    const { bytes } = this.#file;
    if (bytes === this.#safeBytes) return;
    await this.#file.sync();
    const upload = await unfinished.setReceived(this.#upload, bytes, now(), database);
    if (upload === null) {
      this.#isOpen = false;
      throw superseded();
    }
    this.#upload = upload;
    this.#safeBytes = bytes;
  }

  /** Stores the bytes, then the record of the tenant: a crash in between leaves only an orphan. */
  async #store(): Promise<void> {
    const { database, media, unfinished, uploads, partials, now } = this.#ports;
    const { tenant, sha256, bytes } = this.#announced;
    using _held = uploads.hold([sha256]);
    await uploads.add(sha256, this.#file.path);
    this.#isOpen = false;
    await database.transaction(async (tx) => {
      await media.keep({ tenant, sha256, bytes }, now(), tx);
      await unfinished.delete(this.#upload.file, tx);
    });
    // Removes the file if it was copied; a moved file no longer exists.
    await partials.delete(this.#upload.file);
  }
}

/** Another connection continues the upload, perhaps on another node. */
function superseded(): ExportError {
  const message = 'The upload continues on another connection, or was deleted.';
  return new ExportError('cancelled', 'upload.superseded', message);
}

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
