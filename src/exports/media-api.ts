import type { Readable } from 'node:stream';
import type { ExportError } from '../errors.ts';
import type { MediaFacts } from '../plan/media-facts.ts';
import type { ByteRange } from '../store/blob-store.ts';

/** The content of a file: everything the planner uses, and the codecs. */
export interface MediaDescription {
  readonly kind: MediaFacts['kind'];
  /** null if the type is unknown. */
  readonly container: string | null;
  readonly durationSeconds: number;
  /** Upright and square-pixelled; 0 where there is no picture. */
  readonly width: number;
  readonly height: number;
  /** null for what does not move. */
  readonly rate: { readonly num: number; readonly den: number } | null;
  readonly variableRate: boolean;
  readonly alpha: boolean;
  readonly videoCodec: string | null;
  readonly sound: { readonly codec: string; readonly channels: number; readonly sampleRate: number } | null;
  /** Reasons why the file or a part of it cannot be used. */
  readonly problems: readonly Pick<ExportError, 'code' | 'message'>[];
}

/** Content that a tenant has here. (C38) */
interface StoredMedia {
  readonly sha256: string;
  readonly bytes: number;
  /** null where it lasts as long as the exports and projects that use it, and no longer. */
  readonly expiresAtMs: number | null;
}

/** The same, with what is in it. */
export interface MediaView extends StoredMedia {
  readonly description: MediaDescription;
}

/** The bytes of content, to be sent. */
export interface MediaBytes {
  readonly sha256: string;
  readonly bytes: number;
  /** @throws `store.blob_missing` before the first byte. */
  stream(range?: ByteRange): Promise<Readable>;
}

/** How much of a content has arrived. */
export interface ReceivedSoFar {
  readonly received: number;
  /** Of the whole. */
  readonly bytes: number;
}

/** What the headers of an upload say: `start … end` of `bytes`, `end` excluded. */
export interface AnnouncedMedia {
  readonly tenant: string;
  readonly sha256: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/**
 * An upload on its way. Disposing ends it: what has arrived is kept, to go on from there, unless it was finished or turned
 * out to be wrong.
 */
export interface MediaUpload extends AsyncDisposable {
  /** Its first bytes, as far as they are there already. */
  readonly head: Buffer;
  /** Aborts when the same upload goes on through another connection. */
  readonly superseded: AbortSignal;
  /** @throws `media.too_much` where more comes than was announced, and what a disk may be short of. */
  write(bytes: Buffer): Promise<void>;
  /**
   * Nothing more comes in this request.
   *
   * @throws `media.hash_mismatch` where the whole is another content than announced: nothing of it is kept.
   */
  finish(signal: AbortSignal): Promise<MediaView | ReceivedSoFar>;
  /** Nothing that arrived is kept. */
  discard(): Promise<void>;
}

/** What HTTP needs of the media that are uploaded by themselves. Nobody can tell what others have. (C38) */
export interface MediaApi {
  /** The content, or how much of it has arrived; null where the tenant has nothing of it. */
  find(tenant: string, sha256: string): Promise<StoredMedia | ReceivedSoFar | null>;
  /** What is in the content; null where it is not there. */
  describe(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null>;
  /** Its bytes; null where it is not there. (C76) */
  open(tenant: string, sha256: string): Promise<MediaBytes | null>;
  /** The content if it is there already; it counts as used, and lasts from now on. @throws `media.quota_full` */
  keep(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null>;
  /**
   * Begins an upload, or goes on with one.
   *
   * @throws `media.quota_full`, `media.offset` where it would leave a gap, `upload.too_many`,
   *   `upload.under_way` where another connection is sending the same from its beginning.
   */
  receive(announced: AnnouncedMedia): Promise<MediaUpload>;
  /**
   * Fetches content from an address, unless it is here and has not changed; it lasts from now on. null where it was deleted as
   * soon as it had come. (C66)
   *
   * @throws `fetch.*` at `/url`, `media.quota_full`, `disk.full`
   */
  fetch(
    tenant: string,
    address: string,
    signal: AbortSignal,
  ): Promise<{ readonly view: MediaView; readonly known: boolean } | null>;
  /**
   * Forgets content and what has arrived of it; exports that draw on it keep it. False where there was nothing.
   *
   * @throws `media.in_project`
   */
  remove(tenant: string, sha256: string): Promise<boolean>;
}

/** Whether all of it is there. */
export function isComplete<T extends StoredMedia>(found: T | ReceivedSoFar): found is T {
  return 'sha256' in found;
}
