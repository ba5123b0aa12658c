import type { Readable } from 'node:stream';

/** A file that grows, open for one writer. Disposing closes it and leaves it as it is. */
export interface PartialFile extends AsyncDisposable {
  /** Its path on this machine; the owner of a complete file may move it. */
  readonly path: string;
  /** How long it is. */
  readonly bytes: number;
  append(bytes: Uint8Array): Promise<void>;
  /** What was appended so far survives a power cut from here on. */
  sync(): Promise<void>;
  /** All of it so far, from the beginning. */
  read(): Readable;
}

/** Where uploads lie that may be broken off and go on later. Names are ours: lower-case letters, digits and `-`. */
export interface PartialFiles {
  /** A new one, empty. */
  create(name: string): Promise<PartialFile>;
  /** Goes on with one at `bytes`; what lies beyond was never promised, and is cut off. null where less of it is there. */
  resume(name: string, bytes: number): Promise<PartialFile | null>;
  /** No error where there is none. */
  delete(name: string): Promise<void>;
  /** The names of all there are. */
  list(): Promise<string[]>;
}
