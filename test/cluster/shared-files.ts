import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateBucketCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { BlobStore } from '../../src/store/blob-store.ts';
import { DiskBlobStore } from '../../src/store/disk/disk-blob-store.ts';
import { S3BlobStore, s3Client } from '../../src/store/s3/s3-blob-store.ts';
import type { ServiceSettings } from '../service/service-fixture.ts';

/** As in test/store/s3: `http://ACCESS_KEY:SECRET@host:port/bucket`. */
const ADDRESS = process.env.TIERCUT_TEST_S3;

/** When all current files are old. */
export function tomorrow(): number {
  return Date.now() + 86_400_000;
}

/** Files that all nodes share: on the S3 server that `TIERCUT_TEST_S3` names, in a prefix of their own, else in a folder. */
export class SharedFiles implements AsyncDisposable {
  /** The variables of a node. */
  readonly settings: ServiceSettings;
  /** Bypasses every connection, for housekeeping that treats all files as a day old. */
  readonly blobs: BlobStore;
  /** The S3 server, for wires to it; null where it is a folder. */
  readonly server: { readonly host: string; readonly port: number } | null;
  readonly #folder: string;

  private constructor(settings: ServiceSettings, blobs: BlobStore, server: SharedFiles['server'], folder: string) {
    this.settings = settings;
    this.blobs = blobs;
    this.server = server;
    this.#folder = folder;
  }

  /** @param mayBeS3 whether to use the S3 server, if there is one. */
  static async open(mayBeS3: boolean): Promise<SharedFiles> {
    const folder = mkdtempSync(join(tmpdir(), 'tiercut-files-'));
    if (mayBeS3 && ADDRESS !== undefined) return SharedFiles.#onS3(new URL(ADDRESS), folder);
    const settings = { TIERCUT_BLOBS_URL: pathToFileURL(folder).href };
    return new SharedFiles(settings, await DiskBlobStore.open(folder, tomorrow), null, folder);
  }

  static async #onS3({ hostname, port, origin, pathname, username, password }: URL, folder: string) {
    const [bucket, prefix] = [pathname.slice(1), `${randomUUID()}/`];
    const credentials = { accessKeyId: username, secretAccessKey: decodeURIComponent(password) };
    const place = { bucket, prefix, endpoint: origin, region: null, pathStyle: true, credentials };
    const client = s3Client(place);
    await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
      if (!(error instanceof S3ServiceException && error.name.startsWith('BucketAlready'))) throw error;
    });
    client.destroy();
    const settings = {
      TIERCUT_BLOBS_URL: `s3://${bucket}/${prefix.slice(0, -1)}`,
      TIERCUT_S3_PATH_STYLE: 'on',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    const blobs = new S3BlobStore({ ...place, scratchDir: folder, now: tomorrow });
    return new SharedFiles(settings, blobs, { host: hostname, port: Number(port) }, folder);
  }

  /** All files except rendered chunks, which may stay for reuse. */
  async names(): Promise<string[]> {
    const names = await Array.fromAsync(this.blobs.list(''), ({ key }) => key as string);
    return names.filter((name) => !name.startsWith('parts/')).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.server !== null) {
      for await (const { key } of this.blobs.list('')) await this.blobs.delete(key);
      await this.blobs.sweep(-60_000);
      (this.blobs as S3BlobStore)[Symbol.dispose]();
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
