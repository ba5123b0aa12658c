import type { Readable } from 'node:stream';

/**
 * The name of a blob: lower-case words, digits, `-`, `_`, `.` with `/` between them (`uploads/3f…`). The service makes
 * it, never a user.
 */
export type BlobKey = string & { readonly __blob: unique symbol };

/** Bytes `start … end`, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The properties of a blob, known without reading it. */
export interface BlobInfo {
  readonly key: BlobKey;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** The headers of a downloaded blob. */
export interface DownloadHeaders {
  readonly type: string;
  /** The value of `Content-Disposition`. */
  readonly disposition: string;
}

/** Stores that can presign addresses of blobs. */
export interface BlobAddresses {
  /** An address that returns the blob with these headers for this time. */
  addressOf(key: BlobKey, headers: DownloadHeaders, seconds: number): Promise<string>;
}

/**
 * Uploads, chunks and exports, shared by all nodes of a deployment. Programs that need a file use `LocalFiles`. Every
 * adapter passes test/store/blob-store-suite.ts.
 */
export interface BlobStore {
  /**
   * Atomic: a reader never sees part of a blob, even if `signal` aborts midway. Once it resolves, the blob is durable.
   * Consumes or destroys the body; passes on errors of the body and `signal.reason` unchanged.
   */
  put(key: BlobKey, body: Readable, signal: AbortSignal): Promise<void>;
  /** Moves a local file in, with the same guarantees. The file no longer exists afterwards. */
  putFile(key: BlobKey, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * A blob that is deleted or replaced meanwhile is read to its end. Callers take the range from a record, so a blob
   * that is shorter is damaged.
   *
   * @throws `store.blob_missing` before the first byte, never in mid-stream. `store.corrupt_blob` before the first
   * byte; in mid-stream if the blob is truncated while it is read.
   */
  read(key: BlobKey, range?: ByteRange): Promise<Readable>;
  /** null if there is no such blob. */
  info(key: BlobKey): Promise<BlobInfo | null>;
  /** Every blob whose key begins with `prefix`. */
  list(prefix: string): AsyncIterable<BlobInfo>;
  /** No error if there is none. */
  delete(key: BlobKey): Promise<void>;
  /**
   * Deletes any number of blobs with as few calls as possible. Returns the errors of those that could not be deleted.
   */
  deleteMany(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, unknown>>;
  /** Removes unfinished writes of this age. Returns their number. */
  sweep(minAgeMs: number): Promise<number>;
}

const KEY = /^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/;

/** Brands a key. An invalid key is a bug, because keys are made of hashes, ids and preset names. */
export function blobKey(...steps: readonly string[]): BlobKey {
  const key = steps.join('/').toLowerCase();
  if (!KEY.test(key) || key.length > 512) throw new Error(`${JSON.stringify(key)} is not a blob key`);
  return key as BlobKey;
}

/** @throws RangeError for an impossible range, which is a bug. */
export function requireRange({ start, end }: ByteRange): void {
  if (!(0 <= start && start <= end)) throw new RangeError(`no blob has bytes ${start} … ${end}`);
}

/** Deletes all of them. @throws the first error, after all have been tried. */
export async function deleteAll(blobs: Pick<BlobStore, 'deleteMany'>, keys: readonly BlobKey[]): Promise<void> {
  for (const fault of (await blobs.deleteMany(keys)).values()) throw fault;
}

/** An open store. */
export interface OpenBlobs {
  readonly blobs: BlobStore;
  /** null if the store cannot presign addresses. */
  readonly addresses: BlobAddresses | null;
}

/** What a store receives from the node that opens it. */
interface BlobNode {
  /** A folder that only this process uses. */
  readonly scratchDir: string;
  /** The clock for the age of blobs. */
  readonly now: () => number;
}

/**
 * A backend for blobs: how `TIERCUT_BLOBS_URL` names it, how to open it, and how to explain its faults.
 * `blob-backends.ts` lists them.
 */
export interface BlobBackend<Place extends { readonly scheme: string }, Settings = object> {
  /** The scheme of its URLs. */
  readonly scheme: Place['scheme'];
  /** An example of such a URL. */
  readonly example: string;
  /** Whether downloads can be redirected to it. */
  readonly redirects: boolean;
  /** null if the URL is not valid for this backend. It has neither user nor port, query nor fragment. */
  parse(url: URL): Place | null;
  /** The location as an operator knows it. */
  describe(place: Place): string;
  open(place: Place, settings: Settings, node: BlobNode): Promise<OpenBlobs>;
  /** Why the location cannot be used, and how to fix it; null if the error is clear enough. */
  explainFault(error: unknown, place: Place, settings: Settings): string | null;
}
