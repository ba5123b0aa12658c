import type { Readable } from 'node:stream';

/** A growing file, open for one writer. Disposing closes it and keeps it. */
export interface PartialFile extends AsyncDisposable {
  /** Its path on this machine; the owner of a complete file may move it. */
  readonly path: string;
  /** Its length. */
  readonly bytes: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Makes the appended bytes durable. */
  sync(): Promise<void>;
  /** All bytes so far, from the start. */
  read(): Readable;
}

/** Uploads that can be interrupted and resumed. The service makes their names: lower-case letters, digits and `-`. */
export interface PartialFiles {
  /** Creates an empty file. */
  create(name: string): Promise<PartialFile>;
  /**
   * Resumes a file at `bytes`; truncates bytes after that, which were never acknowledged. null if the file is shorter.
   */
  resume(name: string, bytes: number): Promise<PartialFile | null>;
  /** No error if there is none. */
  delete(name: string): Promise<void>;
  /** The names of all files. */
  list(): Promise<string[]>;
}
