import type { BlobKey } from './blob-store.ts';

/** A file or a folder on this machine, for as long as it is held. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

/** What goes with a wish for a file. */
export interface HoldOptions {
  /** Of its content, where that is known: what comes from afar is checked against it. */
  readonly sha256?: string;
  /** The blob may have been replaced since it was last held here: it is the one that is there now that is wanted. */
  readonly mayChange?: boolean;
  /** Ends the wait, not what others wait for. */
  readonly signal?: AbortSignal;
}

/**
 * What programs of this node open by a path: blobs, as files, and folders for work in progress. One node's own; nobody else
 * sees or sweeps it. Every adapter passes test/store/local-files-suite.ts.
 */
export interface LocalFiles {
  /**
   * The blob as a file to read, there until let go even if the blob is deleted. Unless told otherwise, a key stands for
   * the same bytes for good.
   *
   * @throws `store.blob_missing`, `store.corrupt_blob`
   */
  hold(key: BlobKey, options?: HoldOptions): Promise<LocalFile>;
  /** A folder of our own for work in progress, removed on dispose and swept at the next start. */
  scratch(): Promise<LocalFile>;
  /** Free and total bytes of where uploads arrive and renders work, or null where that has no meaning. */
  room(): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null>;
}
