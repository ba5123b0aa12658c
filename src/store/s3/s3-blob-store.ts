import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { ExportError } from '../../errors.ts';
import {
  type BlobAddresses,
  type BlobInfo,
  type BlobKey,
  type BlobStore,
  type ByteRange,
  type DownloadHeaders,
  requireRange,
} from '../blob-store.ts';
import { corruptBlob } from '../store-error.ts';
import { isTransient, isUnreadable, s3Error } from './s3-error.ts';

/** Longer blobs are sent in several parts, some at a time. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 4;
const MAX_PARTS = 10_000;
const NEVER = new AbortController().signal;

interface S3BlobStoreOptions extends S3Place {
  /** A folder that only this process uses, for long streams. */
  readonly scratchDir: string;
  readonly now?: () => number;
}

/**
 * Blobs as objects of a bucket. Each has the SHA-256 of its bytes, which a full read verifies. A long blob is written
 * to a file before it is sent, because its hash must be known by then and each part may be sent again.
 */
export class S3BlobStore implements BlobStore, BlobAddresses, Disposable {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #scratchDir: string;
  readonly #now: () => number;
  readonly #deletes: S3Deletes;

  constructor({ scratchDir, now = Date.now, ...place }: S3BlobStoreOptions) {
    this.#client = s3Client(place);
    this.#bucket = place.bucket;
    this.#prefix = place.prefix;
    this.#scratchDir = scratchDir;
    this.#now = now;
    this.#deletes = new S3Deletes(this.#client, place);
  }

  async put(key: BlobKey, body: Readable, signal: AbortSignal): Promise<void> {
    // The stream may fail before it is read, which would end the process; reading it reports the error anyway.
    body.on('error', () => {});
    const path = join(this.#scratchDir, `${randomUUID()}.put`);
    try {
      signal.throwIfAborted();
      const whole = await take(addAbortSignal(signal, body), path);
      if (whole !== null) await this.#putBytes(key, whole, signal);
      else await this.putFile(key, path, signal);
    } catch (cause) {
      body.destroy();
      throw signal.aborted ? signal.reason : cause;
    } finally {
      await rm(path, { force: true });
    }
  }

  async putFile(key: BlobKey, path: string, signal: AbortSignal = NEVER): Promise<void> {
    const { size } = await stat(path);
    if (size <= PART_BYTES) await this.#putBytes(key, await readFile(path), signal);
    else await this.#putParts(key, path, size, signal);
    await rm(path, { force: true });
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    if (range !== undefined) requireRange(range);
    if (range !== undefined && range.start === range.end) return this.#nothing(key, range);
    const sent = await this.#get(key, range);
    const length = sent.ContentLength ?? 0;
    const { start, end } = range ?? { start: 0, end: length };
    // S3 returns only the existing part of a range.
    if (length !== end - start) {
      (sent.Body as unknown as SentBody).destroy();
      throw tooShort({ start, end });
    }
    const isWhole = range === undefined || sent.ContentRange === `bytes 0-${end - 1}/${end}`;
    return s3Body(sent.Body as unknown as SentBody, {
      start,
      end,
      sha256: isWhole ? (sent.Metadata?.sha256 ?? null) : null,
      reopen: async (from) => {
        const rest = await this.#get(key, { start: from, end }, sent.ETag);
        return rest.Body as unknown as SentBody;
      },
    });
  }

  async info(key: BlobKey): Promise<BlobInfo | null> {
    const head = await this.#head(key);
    if (head === null) return null;
    return { key, bytes: head.ContentLength ?? 0, modifiedAtMs: head.LastModified?.getTime() ?? 0 };
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    for (let place = {}, more = true; more; ) {
      const asked = { Bucket: this.#bucket, Prefix: this.#prefix + prefix, ...place };
      const found = await s3Call(() => this.#client.send(new ListObjectsV2Command(asked)));
      for (const { Key, Size = 0, LastModified } of found.Contents ?? []) {
        const key = Key!.slice(this.#prefix.length) as BlobKey;
        yield { key, bytes: Size, modifiedAtMs: LastModified?.getTime() ?? 0 };
      }
      more = found.IsTruncated === true;
      place = { ContinuationToken: found.NextContinuationToken };
    }
  }

  delete(key: BlobKey): Promise<void> {
    return this.#deletes.one(key);
  }

  deleteMany(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, unknown>> {
    return this.#deletes.many(keys);
  }

  async sweep(minAgeMs: number): Promise<number> {
    let removed = 0;
    for (let marker = {}, more = true; more; ) {
      const asked = { Bucket: this.#bucket, Prefix: this.#prefix, ...marker };
      const found = await s3Call(() => this.#client.send(new ListMultipartUploadsCommand(asked)));
      for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
        if (this.#now() - (Initiated?.getTime() ?? 0) < minAgeMs) continue;
        await this.#abandon(Key!, UploadId!);
        removed += 1;
      }
      more = found.IsTruncated === true;
      marker = { KeyMarker: found.NextKeyMarker, UploadIdMarker: found.NextUploadIdMarker };
    }
    return removed;
  }

  /** A presigned address that returns the blob with these headers, valid for this time. */
  async addressOf(key: BlobKey, { type, disposition }: DownloadHeaders, seconds: number): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: this.#prefix + key,
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: 'private, no-transform',
    });
    return s3Call(() =>
      getSignedUrl(this.#client, command, { expiresIn: seconds, signingDate: new Date(this.#now()) }),
    );
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  async #putBytes(key: BlobKey, bytes: Buffer, signal: AbortSignal): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const command = new PutObjectCommand({ ...this.#object(key, sha256), Body: bytes, ContentLength: bytes.length });
    await s3Call(() => this.#client.send(command, { abortSignal: signal }), signal);
  }

  async #putParts(key: BlobKey, path: string, bytes: number, signal: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    await s3Call(() => pipeline(createReadStream(path), hash, { signal }), signal);
    const sha256 = hash.digest('hex');
    const stop = new AbortController();
    using _stopped = onAbort(signal, () => stop.abort());
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(key, sha256), Body: createReadStream(path, { highWaterMark: 2 ** 20 }) },
      partSize: Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS)),
      queueSize: PARTS_AT_ONCE,
      abortController: stop,
    });
    try {
      await s3Call(() => upload.done(), signal);
    } catch (cause) {
      // A server may refuse to complete an upload again whose first response was lost.
      if (isMissing(cause) && (await this.#head(key))?.Metadata?.sha256 === sha256) return;
      // The SDK does this if a part fails, but not on abort. Housekeeping removes what is left.
      const { uploadId } = upload;
      if (uploadId !== undefined) await this.#abandon(this.#prefix + key, uploadId).catch(() => {});
      throw cause;
    }
  }

  async #abandon(name: string, id: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: name, UploadId: id });
    await s3Call(() => this.#client.send(command)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  #object(key: BlobKey, sha256: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key, Metadata: { sha256 } };
  }

  async #head(key: BlobKey): Promise<HeadObjectCommandOutput | null> {
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key });
    return this.#client.send(command).catch((cause: unknown) => {
      const known = s3Error(cause);
      if (isMissing(known)) return null;
      throw known;
    });
  }

  async #get(key: BlobKey, range?: ByteRange, version?: string): Promise<GetObjectCommandOutput> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: this.#prefix + key,
      ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }),
      ...(version === undefined ? {} : { IfMatch: version }),
    });
    try {
      return await this.#client.send(command);
    } catch (cause) {
      if (cause instanceof Error && cause.name === 'InvalidRange') throw tooShort(range!);
      throw s3Error(cause);
    }
  }

  async #nothing(key: BlobKey, range: ByteRange): Promise<Readable> {
    const info = await this.info(key);
    if (info === null) await this.#get(key);
    if (range.end > info!.bytes) throw tooShort(range);
    return Readable.from([]);
  }
}

/** The bytes of a stream; null if they are too many and were written to the file. */
async function take(body: Readable, path: string): Promise<Buffer | null> {
  await using file = new AsyncDisposableStack();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let write: ((chunk: Buffer) => Promise<unknown>) | null = null;
  for await (const some of body) {
    const chunk = Buffer.from(some);
    bytes += chunk.length;
    if (write !== null) await write(chunk);
    else chunks.push(chunk);
    if (write !== null || bytes <= PART_BYTES) continue;
    const handle = file.use(await open(path, 'wx', 0o600));
    write = (next) => handle.appendFile(next);
    for (const early of chunks.splice(0)) await write(early);
  }
  return write === null ? Buffer.concat(chunks) : null;
}

function isMissing(error: unknown): boolean {
  return error instanceof ExportError && error.kind === 'missing';
}

function onAbort(signal: AbortSignal, stop: () => void): Disposable {
  signal.addEventListener('abort', stop, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', stop) };
}

function tooShort({ start, end }: ByteRange): ExportError {
  return corruptBlob(new Error(`bytes ${start} … ${end} were stored, and are not all there`));
}

/**
 * Runs a call and retries it if its response broke off; the SDK retries other transient errors. Converts the final
 * error.
 */
export async function s3Call<T>(call: () => Promise<T>, signal?: AbortSignal, triesLeft = 3): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await call();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (triesLeft === 0 || !isUnreadable(cause)) throw s3Error(cause);
  }
  return s3Call(call, signal, triesLeft - 1);
}

/** The maximum of S3 for one call. */
const MAX_TOGETHER = 1_000;
/** For single calls. */
const AT_ONCE = 8;

/** Removes objects, many with one call if the server supports it. */
class S3Deletes {
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

/** How often in a row a body may break off without a new byte. */
const BREAKS = 4;

/** A response body of S3, from some byte on. */
interface SentBody extends AsyncIterable<Buffer> {
  destroy(): void;
}

interface BodyTerms {
  /** Bytes of the object, `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** Of the whole object, if all of it is read. */
  readonly sha256: string | null;
  /** Requests the same version from a byte on. */
  readonly reopen: (start: number) => Promise<SentBody>;
}

/**
 * The bytes of an object. If the connection breaks, requests the rest. If the bytes do not match the stored hash, the
 * stream fails before its last bytes, so that no reader gets a complete wrong file.
 */
function s3Body(first: SentBody, terms: BodyTerms): Readable {
  return Readable.from(checked(first, terms), { objectMode: false });
}

async function* checked(first: SentBody, terms: BodyTerms): AsyncGenerator<Buffer> {
  const { start, end, sha256 } = terms;
  const hash = sha256 === null ? null : createHash('sha256');
  let at = start;
  let last: Buffer | null = null;
  for await (const bytes of unbroken(first, terms)) {
    at += bytes.length;
    hash?.update(bytes);
    if (last !== null) yield last;
    last = bytes;
  }
  const found = hash?.digest('hex') ?? null;
  if (at !== end || found !== sha256) {
    throw corruptBlob(new Error(`${at - start} of ${end - start} bytes, SHA-256 ${found}`));
  }
  if (last !== null) yield last;
}

async function* unbroken(first: SentBody, { start, end, reopen }: BodyTerms): AsyncGenerator<Buffer> {
  let body = first;
  let at = start;
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const bytes of body) {
        at += bytes.length;
        breaks = 0;
        yield bytes;
      }
      return;
    } catch (cause) {
      // All bytes have arrived, whatever happened to the connection.
      if (at === end) return;
      if (breaks >= BREAKS || !isTransient(cause)) throw s3Error(cause);
    } finally {
      body.destroy();
    }
    body = await reopen(at);
  }
}

/** The location of a bucket, and how to connect to it. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** null for Amazon's own. */
  readonly endpoint: string | null;
  /** null for the SDK's default. */
  readonly region: string | null;
  /** Whether the bucket's name is part of the path instead of the host. */
  readonly pathStyle: boolean;
  /** If absent, the SDK finds them (environment, files, the machine's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** A connection without traffic for this long is closed. */
  readonly idleMs?: number;
  readonly connectMs?: number;
}

/** With pauses that double from a tenth of a second, so that a short overload does no harm. */
const TRIES = 5;
const CONNECTIONS = 64;

/** A client that retries calls if that can help. */
export function s3Client({ endpoint, region, pathStyle, credentials, idleMs, connectMs }: S3Place): S3Client {
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    // Every server requires one in the signature, and servers other than Amazon's accept any.
    ...(region === null ? (endpoint === null ? {} : { region: 'us-east-1' }) : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: pathStyle,
    // Not all servers support Amazon's newer checksums; ours is stored with the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: connectMs ?? 5_000,
      socketTimeout: idleMs ?? 30_000,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  });
}
