import { constants } from 'node:fs';
import { copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobKey } from '../blob-store.ts';
import type { LocalFile, LocalFiles } from '../local-files.ts';
import type { DiskBlobStore } from './disk-blob-store.ts';
import { onDisk, succeeds } from './disk-call.ts';
import { ScratchFolder, type StuckWork } from './scratch-folder.ts';

/** Blobs on the local disk: a hard link is enough to hold one. */
export class LinkedLocalFiles implements LocalFiles {
  readonly #blobs: DiskBlobStore;
  readonly #scratch: ScratchFolder;

  /** @param root the data folder, which only this process uses. */
  static async open(root: string, blobs: DiskBlobStore): Promise<LinkedLocalFiles> {
    return new LinkedLocalFiles(blobs, await ScratchFolder.open(join(root, 'work')));
  }

  private constructor(blobs: DiskBlobStore, scratch: ScratchFolder) {
    this.#blobs = blobs;
    this.#scratch = scratch;
  }

  async hold(key: BlobKey): Promise<LocalFile> {
    // The link keeps the bytes, even if the blob is deleted.
    const path = this.#scratch.newPath();
    await this.#blobs.found(key, (blob) => linkFile(blob, path));
    return { path, [Symbol.asyncDispose]: () => onDisk(() => rm(path, { force: true })) };
  }

  scratch(): Promise<LocalFile> {
    return this.#scratch.newFolder();
  }

  room(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
    return this.#scratch.room();
  }

  /** See ScratchFolder. */
  sweep(): Promise<StuckWork[]> {
    return this.#scratch.sweep();
  }
}

/** Not every file system supports links. */
async function linkFile(from: string, to: string): Promise<void> {
  if (await succeeds(['EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'], () => link(from, to))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
