import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unlessAborted } from '../../platform/signals.ts';
import type { BlobInfo, BlobKey, BlobStore } from '../blob-store.ts';
import type { HoldOptions, LocalFile, LocalFiles } from '../local-files.ts';
import { blobMissing, diskError } from '../store-error.ts';
import { ContentCheck } from './content-check.ts';
import { onDisk } from './disk-call.ts';
import { ScratchFolder, type StuckWork } from './scratch-folder.ts';

/** A local file, complete or being fetched. */
interface Entry {
  readonly path: string;
  /** The number of holders, including waiting ones. */
  holders: number;
  /** The blob that it is a copy of, and its size; null if not known yet, or if the blob no longer exists. */
  info: BlobInfo | null;
  /** Whether it is complete and verified. */
  isWhole: boolean;
  readonly fetched: Promise<void>;
  readonly stop: AbortController;
}

interface CachedLocalFilesOptions {
  readonly blobs: Pick<BlobStore, 'read' | 'info'>;
  /** Held files may exceed it, because renders need them. */
  readonly limitBytes: number;
}

/**
 * Copies of remote blobs, from a shared folder or from S3, in a local folder. Released copies stay up to a limit; the
 * least recently used goes first. Starts empty, because after a power cut an unsynced file can look complete.
 */
export class CachedLocalFiles implements LocalFiles {
  readonly #options: CachedLocalFilesOptions;
  readonly #scratch: ScratchFolder;
  readonly #entries = new Map<BlobKey, Entry>();
  /** Copies that can be removed, least recently used first. */
  readonly #idle = new Map<BlobKey, Entry>();
  #sizeBytes = 0;

  /** @param root a folder that only this process uses. */
  static async open(root: string, options: CachedLocalFilesOptions): Promise<CachedLocalFiles> {
    return new CachedLocalFiles(await ScratchFolder.open(join(root, 'work')), options);
  }

  private constructor(scratch: ScratchFolder, options: CachedLocalFilesOptions) {
    this.#scratch = scratch;
    this.#options = options;
  }

  /** The size of the local copies, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async hold(key: BlobKey, { sha256, mayChange, signal }: HoldOptions = {}): Promise<LocalFile> {
    signal?.throwIfAborted();
    if (mayChange) await this.#forgetIfReplaced(key);
    const entry = this.#entries.get(key) ?? this.#begin(key, sha256);
    entry.holders += 1;
    this.#idle.delete(key);
    try {
      await (signal === undefined ? entry.fetched : unlessAborted(entry.fetched, signal));
    } catch (cause) {
      await this.#release(key, entry);
      throw cause;
    }
    let released: Promise<void> | null = null;
    return { path: entry.path, [Symbol.asyncDispose]: () => (released ??= this.#release(key, entry)) };
  }

  scratch(): Promise<LocalFile> {
    return this.#scratch.newFolder();
  }

  room(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
    return this.#scratch.room();
  }

  /** See ScratchFolder. Call it before anything is held. */
  sweep(): Promise<StuckWork[]> {
    return this.#scratch.sweep();
  }

  #begin(key: BlobKey, sha256: string | undefined): Entry {
    const { promise: fetched, resolve, reject } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const entry: Entry = { path: this.#scratch.newPath(), holders: 0, info: null, isWhole: false, fetched, stop };
    this.#entries.set(key, entry);
    this.#fetch(key, entry, sha256).then(
      () => {
        entry.isWhole = true;
        resolve();
      },
      (cause: unknown) => {
        // The next caller fetches it again.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        reject(cause);
      },
    );
    return entry;
  }

  async #fetch(key: BlobKey, entry: Entry, sha256: string | undefined): Promise<void> {
    const { blobs } = this.#options;
    const { path, stop } = entry;
    const { signal } = stop;
    try {
      const info = await blobs.info(key);
      signal.throwIfAborted();
      if (info === null) throw blobMissing(new Error(key));
      // Its space is reserved before the fetch, so that two fetches do not count on the same space.
      entry.info = info;
      this.#sizeBytes += info.bytes;
      await this.#trim();
      const check = new ContentCheck(info.bytes, sha256);
      await pipeline(await blobs.read(key), check, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    } catch (cause) {
      await rm(path, { force: true }).catch(() => {});
      throw signal.aborted ? signal.reason : diskError(cause);
    }
  }

  /** Holders of the old copy keep it. */
  async #forgetIfReplaced(key: BlobKey): Promise<void> {
    const entry = this.#entries.get(key);
    // A fetch that has not read the blob's properties yet will get the current version.
    if (entry === undefined || entry.info === null) return;
    const info = await this.#options.blobs.info(key);
    if (info?.bytes === entry.info?.bytes && info?.modifiedAtMs === entry.info?.modifiedAtMs) return;
    if (this.#entries.get(key) !== entry) return;
    if (entry.holders === 0) await this.#drop(key, entry);
    else this.#entries.delete(key);
  }

  async #release(key: BlobKey, entry: Entry): Promise<void> {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    if (!entry.isWhole || this.#entries.get(key) !== entry) return this.#drop(key, entry);
    this.#idle.set(key, entry);
    await this.#trim();
  }

  async #trim(): Promise<void> {
    for (const [key, entry] of this.#idle) {
      if (this.#sizeBytes <= this.#options.limitBytes) return;
      await this.#drop(key, entry);
    }
  }

  /** Removes it from the list first, so that no reader gets a file that is being deleted. */
  async #drop(key: BlobKey, entry: Entry): Promise<void> {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    this.#idle.delete(key);
    this.#sizeBytes -= entry.info?.bytes ?? 0;
    entry.info = null;
    entry.stop.abort(new Error('nobody waits for it any more'));
    await entry.fetched.catch(() => {});
    await onDisk(() => rm(entry.path, { force: true }));
  }
}
