import type { Readable } from 'node:stream';
import type { ByteRange, DownloadHeaders } from '../../store/blob-store.ts';

/** The media type of outputs and shorts. */
export const VIDEO_TYPE = 'video/mp4';

export type { CaptionFormat } from '../../plan/captions-text.ts';

/** A completed output, open for reading. */
export interface OpenOutput {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  /** All bytes, or the bytes of a range. */
  stream(range?: ByteRange): Promise<Readable>;
  /**
   * Returns a presigned address that sends it with these headers for a limited time; null if only this service can send
   * it.
   */
  readonly address: ((headers: DownloadHeaders) => Promise<string>) | null;
}

export interface Poster {
  readonly jpeg: Buffer;
  /** Changes with the picture. */
  readonly sha256: string;
}
