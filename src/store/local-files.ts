import type { BlobKey } from './blob-store.ts';

/** A file or a folder on this machine, while it is held. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

/** The options of `hold`. */
export interface HoldOptions {
  /** The hash of its content, if known; a remote blob is checked against it. */
  readonly sha256?: string;
  /** Whether the blob may have been replaced since it was last held here. If so, the current version is returned. */
  readonly mayChange?: boolean;
  /** Ends the wait of this caller only. */
  readonly signal?: AbortSignal;
}

/**
 * Local files of a node: blobs as files, and folders for temporary work. Other nodes neither see nor sweep them. Every
 * adapter passes test/store/local-files-suite.ts.
 */
export interface LocalFiles {
  /**
   * The blob as a file to read. It exists until disposed, even if the blob is deleted. Without `mayChange`, the bytes
   * of a key never change.
   *
   * @throws `store.blob_missing`, `store.corrupt_blob`
   */
  hold(key: BlobKey, options?: HoldOptions): Promise<LocalFile>;
  /** A folder for temporary work, removed on dispose and swept at the next start. */
  scratch(): Promise<LocalFile>;
  /** Free and total bytes of the disk for uploads and renders; null if not applicable. */
  room(): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null>;
}
