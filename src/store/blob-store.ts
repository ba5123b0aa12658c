import type { Readable } from 'node:stream';

/** A name for a blob: lower-case words, digits, `-`, `_`, `.` and `/` between them (`uploads/3f…`). Made by us, never by a user. */
export type BlobKey = string & { readonly __blob: unique symbol };

/** Bytes `start … end`, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What is known of a blob without reading it. */
export interface BlobInfo {
  readonly key: BlobKey;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** What goes with a blob that is downloaded. */
export interface DownloadHeaders {
  readonly type: string;
  /** As `Content-Disposition` has it. */
  readonly disposition: string;
}

/** Stores that can give out presigned addresses of blobs. */
export interface BlobAddresses {
  /** An address that gives out the blob, with these headers, for so long. */
  addressOf(key: BlobKey, headers: DownloadHeaders, seconds: number): Promise<string>;
}

/**
 * Where uploads, chunks and exports live, for every node of a deployment. What programs are to open as a file comes from
 * `LocalFiles`. Every adapter passes test/store/blob-store-suite.ts.
 */
export interface BlobStore {
  /**
   * All or nothing: a reader never sees part of a blob, even if `signal` aborts midway; once resolved it is durable. The
   * body is used up or destroyed; what goes wrong with it, and `signal.reason`, reach the caller as they are.
   */
  put(key: BlobKey, body: Readable, signal: AbortSignal): Promise<void>;
  /** Moves a finished file of ours in, under the same promise. The file is gone afterwards. */
  putFile(key: BlobKey, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * A blob that is deleted or replaced meanwhile is read to its end. A range comes from a record of what was stored: a blob
   * that does not reach to its end is damaged.
   *
   * @throws `store.blob_missing` before the first byte, never in mid-stream. `store.corrupt_blob` before the first byte; in
   *   mid-stream where the blob is cut short while it is read.
   */
  read(key: BlobKey, range?: ByteRange): Promise<Readable>;
  /** null where there is no such blob. */
  info(key: BlobKey): Promise<BlobInfo | null>;
  /** Every blob whose key begins with `prefix`. */
  list(prefix: string): AsyncIterable<BlobInfo>;
  /** No error where there is none. */
  delete(key: BlobKey): Promise<void>;
  /** The same for any number of them, with as few calls as there can be: why those that could not be deleted were not. */
  deleteMany(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, unknown>>;
  /** Removes what is left of blobs that were begun so long ago and never came to be. Tells how many there were. */
  sweep(minAgeMs: number): Promise<number>;
}

const KEY = /^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/;

/** Brands a key. A wrong one is a bug of ours: keys are made of hashes, ids and preset names. */
export function blobKey(...steps: readonly string[]): BlobKey {
  const key = steps.join('/').toLowerCase();
  if (!KEY.test(key) || key.length > 512) throw new Error(`${JSON.stringify(key)} is not a blob key`);
  return key as BlobKey;
}

/** @throws RangeError for a range that no blob has: a bug of ours. */
export function requireRange({ start, end }: ByteRange): void {
  if (!(0 <= start && start <= end)) throw new RangeError(`no blob has bytes ${start} … ${end}`);
}

/** Deletes all of them. @throws what was wrong with the first that is left, once all have been tried. */
export async function deleteAll(blobs: Pick<BlobStore, 'deleteMany'>, keys: readonly BlobKey[]): Promise<void> {
  for (const fault of (await blobs.deleteMany(keys)).values()) throw fault;
}

/** A store that is open. */
export interface OpenBlobs {
  readonly blobs: BlobStore;
  /** null where blobs have no addresses of their own. */
  readonly addresses: BlobAddresses | null;
}

/** What a store is given of the node that opens it. */
interface BlobNode {
  /** A folder of this process's own. */
  readonly scratchDir: string;
  /** Tells how old blobs are. */
  readonly now: () => number;
}

/**
 * A kind of place that nodes can share blobs in: how `TIERCUT_BLOBS_URL` names it, how it is opened, and what an operator is
 * told of its faults. `blob-backends.ts` lists them.
 */
export interface BlobBackend<Place extends { readonly scheme: string }, Settings = object> {
  /** What its URLs begin with. */
  readonly scheme: Place['scheme'];
  /** How such a URL is written. */
  readonly example: string;
  /** Whether it has addresses that a download can be redirected to. */
  readonly redirects: boolean;
  /** null where the URL names no place of this kind. It has neither user nor port, query nor fragment. */
  parse(url: URL): Place | null;
  /** The place as an operator knows it. */
  describe(place: Place): string;
  open(place: Place, settings: Settings, node: BlobNode): Promise<OpenBlobs>;
  /** Why the place cannot be used, and what its operator can do about it; null where the error says it all. */
  explainFault(error: unknown, place: Place, settings: Settings): string | null;
}
