import { DeleteObjectCommand, DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BlobKey } from '../blob-store.ts';
import { s3Call } from './s3-call.ts';
import { isTransient } from './s3-error.ts';

/** The maximum of S3 for one call. */
const MAX_TOGETHER = 1_000;
/** For single calls. */
const AT_ONCE = 8;

/** Removes objects, many with one call if the server supports it. */
export class S3Deletes {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  /** Servers that refuse lists, or require a checksum that only they know, are tried once. */
  #takesLists = true;

  constructor(client: S3Client, { bucket, prefix }: { readonly bucket: string; readonly prefix: string }) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async one(key: BlobKey): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key });
    await s3Call(() => this.#client.send(command));
  }

  /** Returns the errors of those that could not be removed. */
  async many(keys: readonly BlobKey[]): Promise<Map<BlobKey, unknown>> {
    const faults = new Map<BlobKey, unknown>();
    const all = [...new Set(keys)];
    for (let from = 0; from < all.length; from += MAX_TOGETHER) {
      const some = all.slice(from, from + MAX_TOGETHER);
      try {
        await this.#eachOf(await this.#list(some), faults);
      } catch (cause) {
        for (const key of some) faults.set(key, cause);
      }
    }
    return faults;
  }

  /** Removes objects with one call. Returns those that the server does not confirm. */
  async #list(keys: readonly BlobKey[]): Promise<BlobKey[]> {
    if (keys.length === 1 || !this.#takesLists) return [...keys];
    const Objects = keys.map((key) => ({ Key: this.#prefix + key }));
    const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects } });
    try {
      const { Deleted = [] } = await s3Call(() => this.#client.send(command));
      const gone = new Set(Deleted.map(({ Key }) => Key));
      return keys.filter((key) => !gone.has(this.#prefix + key));
    } catch (cause) {
      if (isTransient(cause)) throw cause;
      // Removes them one by one for any reason of the server: each call then has its own error.
      this.#takesLists = false;
      return [...keys];
    }
  }

  async #eachOf(keys: readonly BlobKey[], faults: Map<BlobKey, unknown>): Promise<void> {
    const left = keys.values();
    const lane = async () => {
      for (const key of left) await this.one(key).catch((cause: unknown) => faults.set(key, cause));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }
}
