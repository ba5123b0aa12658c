import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import type { SubmittedFile } from '../../exports/api/submission.ts';
import { MAGIC_BYTES, pictureMagic } from '../../image-header/read-image-header.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { diskError } from '../../store/store-error.ts';
import type { PartHead } from './part-head.ts';

/** The maximum sizes of files. */
export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxImageFileBytes: number;
}

/** A file that is being received, hashed while it is written or discarded. */
export class UploadFile implements AsyncDisposable {
  readonly path: string;
  readonly #part: PartHead;
  readonly #file: FileHandle | null;
  readonly #hash = createHash('sha256');
  readonly #limits: UploadLimits;
  #head: Buffer = Buffer.alloc(0);
  #maxBytes: number;
  #bytes = 0;

  private constructor(part: PartHead, path: string, file: FileHandle | null, limits: UploadLimits) {
    this.#part = part;
    this.path = path;
    this.#file = file;
    this.#limits = limits;
    this.#maxBytes = limits.maxFileBytes;
  }

  /**
   * Creates the file in `folder`; `announce` receives its path before it exists, so that it cannot be leaked. Without a
   * folder nothing is kept, and the path is empty.
   */
  static async create(part: PartHead, folder: string | null, limits: UploadLimits, announce: (path: string) => void) {
    if (folder === null) return new UploadFile(part, '', null, limits);
    const path = join(folder, `${randomUUID()}.tmp`);
    announce(path);
    const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
      throw diskFailure(cause);
    });
    return new UploadFile(part, path, file, limits);
  }

  /** @throws `multipart.file_too_large`, `multipart.disk_full` */
  async write(bytes: Buffer): Promise<void> {
    if (this.#head.length < MAGIC_BYTES) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, MAGIC_BYTES)]);
      // Pictures have a limit of their own, whatever their name is. The sandbox later detects what a file really is.
      if (pictureMagic(this.#head) !== null) {
        this.#maxBytes = Math.min(this.#limits.maxFileBytes, this.#limits.maxImageFileBytes);
      }
    }
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw this.#tooLarge();
    this.#hash.update(bytes);
    if (this.#file === null) return;
    try {
      for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
    } catch (cause) {
      throw diskFailure(cause);
    }
  }

  /** Ends the file. @throws `multipart.file_empty` (C4) */
  async finish(): Promise<SubmittedFile> {
    await this.#file?.close();
    const { fileName, contentType, path } = this.#part;
    if (this.#bytes === 0) {
      throw new ExportError('malformed', 'multipart.file_empty', 'The uploaded file is empty.', { path });
    }
    return { path: this.path, bytes: this.#bytes, sha256: this.#hash.digest('hex'), fileName, contentType };
  }

  /** Closes the file if `finish` did not. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close().catch(() => undefined);
  }

  #tooLarge(): ExportError {
    const what = this.#maxBytes < this.#limits.maxFileBytes ? 'image' : 'file';
    const message = `The uploaded ${what} is larger than the ${this.#maxBytes} bytes allowed.`;
    return new ExportError('too_large', 'multipart.file_too_large', message, { path: this.#part.path });
  }
}

function diskFailure(cause: unknown): unknown {
  if (!isDiskFull(cause)) return diskError(cause);
  return new ExportError('unavailable', 'multipart.disk_full', 'The disk has no space for the upload.', { cause });
}
