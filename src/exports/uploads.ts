import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ExportError } from '../errors.ts';
import { type BlobInfo, type BlobKey, type BlobStore, type ByteRange, deleteAll } from '../store/blob-store.ts';
import type { Database } from '../store/database.ts';
import type { LocalFile, LocalFiles } from '../store/local-files.ts';
import type { ContentRecord, ContentRecords } from '../store/records/content-records.ts';
import type { ExportRecords } from '../store/records/export-records.ts';
import type { MediaRecords } from '../store/records/media-records.ts';
import { blobMissing } from '../store/store-error.ts';
import type { SubmittedFile } from './api/submission.ts';
import { manyKeys, newUploadKey } from './export-keys.ts';
import type { Log } from './log.ts';

interface UploadsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'uploadsOnlyOf'>;
  readonly media: Pick<MediaRecords, 'find' | 'releaseOf'>;
  readonly contents: ContentRecords;
  readonly blobs: Pick<BlobStore, 'info' | 'put' | 'putFile' | 'read' | 'list' | 'delete' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'hold'>;
  /** Whether no other process uses the same records and files. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** Another node may be about to use content that was used this recently: longer than any request takes. */
const RECENT_USE_MS = 15 * 60_000;

/**
 * Uploaded bytes. Each content is stored once, for as long as an export uses it or is about to, or a tenant may refer
 * to it (C38). A record says where the bytes are; the record is removed before the bytes.
 */
export class Uploads {
  readonly #ports: UploadsPorts;
  /** The number of exports that hold it and are not recorded yet. */
  readonly #held = new Map<string, number>();

  constructor(ports: UploadsPorts) {
    this.#ports = ports;
  }

  /** Holds content for an export that is not recorded yet; it is not removed until disposed. */
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

  /** The bytes as a local file. @throws `store.blob_missing` */
  async open(sha256: string, signal?: AbortSignal): Promise<LocalFile> {
    const { database, contents, local } = this.#ports;
    for (let lost: string | null = null; ; ) {
      await this.#touch(sha256);
      const content = await contents.find(sha256, database);
      if (content === null || content.blob === lost) throw blobMissing(new Error(`no content ${sha256}`));
      const options = signal === undefined ? { sha256 } : { sha256, signal };
      const file = await local.hold(content.blob, options).catch(missing);
      if (file !== null) return file;
      // It may have been removed and sent again between the query and the open.
      lost = content.blob;
    }
  }

  /** Whether the content is stored with this length. Forgets content whose file was removed by hand. */
  async has(sha256: string, bytes: number): Promise<boolean> {
    const { database, contents, blobs } = this.#ports;
    const content = await contents.find(sha256, database);
    if (content === null) return false;
    if ((await blobs.info(content.blob))?.bytes === bytes) return true;
    await contents.forget(sha256, content.blob, database);
    return false;
  }

  /**
   * Moves files into the store, unless the tenant already has their content. Content of other tenants is stored as if
   * it were new: the response time would show who else has it.
   */
  async keep(tenant: string, files: Iterable<Pick<SubmittedFile, 'path' | 'sha256' | 'bytes'>>): Promise<void> {
    const { media, database } = this.#ports;
    for (const { path, sha256, bytes } of files) {
      const isOwn = (await media.find(tenant, sha256, database)) !== null;
      if (isOwn) await this.#touch(sha256);
      if (!isOwn || !(await this.has(sha256, bytes))) await this.add(sha256, path);
    }
  }

  /** Moves a file into the store, whether or not its content is stored. */
  async add(sha256: string, path: string): Promise<void> {
    const { size: bytes } = await stat(path);
    await this.#publish(sha256, bytes, (blob) => this.#ports.blobs.putFile(blob, path));
  }

  /** Stores bytes from memory, whether or not they are stored. */
  async addBytes(sha256: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#publish(sha256, bytes.length, (blob) => this.#ports.blobs.put(blob, Readable.from([bytes]), signal));
  }

  /** The bytes, or a range of them. @throws `store.blob_missing` before the first byte. */
  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const { database, contents, blobs } = this.#ports;
    await this.#touch(sha256);
    const content = await contents.find(sha256, database);
    if (content === null) throw blobMissing(new Error(`no content ${sha256}`));
    return blobs.read(content.blob, range);
  }

  async #publish(sha256: string, bytes: number, put: (blob: BlobKey) => Promise<void>): Promise<void> {
    const { contents, blobs, database, now } = this.#ports;
    const content: ContentRecord = { sha256, blob: newUploadKey(sha256), bytes, usedAtMs: now() };
    await put(content.blob);
    for (;;) {
      if (await contents.publish(content, database)) return;
      await this.#touch(sha256);
      // Another request stored the same content. If its bytes are missing, ours replace them.
      if (await this.has(sha256, bytes)) break;
    }
    await blobs.delete(content.blob);
  }

  /** Removes those that are not in use. */
  async drop(hashes: Iterable<string>): Promise<void> {
    const { contents, blobs, database } = this.#ports;
    const dropped: BlobKey[] = [];
    try {
      for (const hash of hashes) {
        if (this.#held.has(hash)) continue;
        const blob = await contents.drop(hash, this.#unusedSinceMs(), database);
        if (blob !== null) dropped.push(blob);
      }
    } finally {
      await deleteAll(blobs, dropped);
    }
  }

  /** Removes the content that only this export uses. */
  async dropOf(exportId: string): Promise<void> {
    const { records, media, database } = this.#ports;
    await media.releaseOf(exportId, database);
    await this.drop(await records.uploadsOnlyOf(exportId, database));
  }

  /** Removes unused content: first by its records, then files without a record that are older than `minAgeMs`. */
  async sweep(minAgeMs: number): Promise<number> {
    const { blobs, contents, database, now, log } = this.#ports;
    const unneeded = await contents.listUnneeded(this.#unusedSinceMs(), database);
    await this.drop(unneeded);
    let removed = unneeded.length;
    const isOld = ({ modifiedAtMs }: BlobInfo) => now() - modifiedAtMs >= minAgeMs;
    for await (const keys of manyKeys(blobs.list('uploads/'), isOld)) {
      const named = await contents.named(keys, database);
      const orphans = keys.filter((key) => !named.has(key));
      const faults = await blobs.deleteMany(orphans);
      for (const [key, error] of faults) log('error', 'unused upload not removed', { key, error });
      removed += orphans.length - faults.size;
    }
    return removed;
  }

  /** Tells other nodes that it is in use; `hold` does so in this process. */
  async #touch(sha256: string): Promise<void> {
    const { alone, contents, database, now } = this.#ports;
    if (!alone) await contents.touch(sha256, now(), database);
  }

  #unusedSinceMs(): number {
    const { alone, now } = this.#ports;
    return alone ? Number.MAX_SAFE_INTEGER : now() - RECENT_USE_MS;
  }
}

function missing(error: unknown): null {
  if (error instanceof ExportError && error.code === 'store.blob_missing') return null;
  throw error;
}
