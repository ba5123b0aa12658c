import type { Readable } from 'node:stream';
import type { ExportError } from '../../errors.ts';
import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { ByteRange } from '../../store/blob-store.ts';

/** What a file contains: everything that the planner uses, and the codecs. */
export interface MediaDescription {
  readonly kind: MediaFacts['kind'];
  /** null if the type is unknown. */
  readonly container: string | null;
  readonly durationSeconds: number;
  /** After rotation, in square pixels; 0 if there is no picture. */
  readonly width: number;
  readonly height: number;
  /** null if it does not move. */
  readonly rate: { readonly num: number; readonly den: number } | null;
  readonly variableRate: boolean;
  readonly alpha: boolean;
  readonly videoCodec: string | null;
  readonly sound: { readonly codec: string; readonly channels: number; readonly sampleRate: number } | null;
  /** Reasons why the file or a part of it cannot be used. */
  readonly problems: readonly Pick<ExportError, 'code' | 'message'>[];
}

/** Stored content of a tenant. (C38) */
interface StoredMedia {
  readonly sha256: string;
  readonly bytes: number;
  /** null if it is kept only as long as exports and projects use it. */
  readonly expiresAtMs: number | null;
}

/** Stored content and its description. */
export interface MediaView extends StoredMedia {
  readonly description: MediaDescription;
}

/** Stored content in a list. (C94) */
export interface ListedMedia extends StoredMedia {
  /** null if it is not known without reading the file. */
  readonly kind: MediaDescription['kind'] | null;
  readonly usedAtMs: number;
  /** The first exports and projects that use it. */
  readonly users: readonly { readonly kind: 'export' | 'project'; readonly id: string }[];
}

/** A place in the list. */
export interface MediaPlace {
  readonly usedAtMs: number;
  readonly sha256: string;
}

export interface MediaPage {
  /** Last used first. */
  readonly media: readonly ListedMedia[];
  /** null at the end. */
  readonly next: MediaPlace | null;
}

/** How many users of a file a list names. */
export const MAX_MEDIA_USERS = 10;

/** Stored bytes, to send. */
export interface MediaBytes {
  readonly sha256: string;
  readonly bytes: number;
  /** @throws `store.blob_missing` before the first byte. */
  stream(range?: ByteRange): Promise<Readable>;
}

/** How much of an upload has arrived. */
export interface ReceivedSoFar {
  readonly received: number;
  /** The total length. */
  readonly bytes: number;
}

/** The headers of an upload: `start … end` of `bytes`, `end` excluded. */
export interface AnnouncedMedia {
  readonly tenant: string;
  readonly sha256: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/**
 * An upload in progress. Disposing ends it and keeps the received bytes for a resume, unless it was finished or
 * discarded.
 */
export interface MediaUpload extends AsyncDisposable {
  /** Its first bytes, as far as they have arrived. */
  readonly head: Buffer;
  /** Aborts when another connection continues the same upload. */
  readonly superseded: AbortSignal;
  /** @throws `media.too_much` if more arrives than was announced, and the errors of a full disk. */
  write(bytes: Buffer): Promise<void>;
  /**
   * Ends the body of this request.
   *
   * @throws `media.hash_mismatch` if the content has another hash than announced; nothing is kept then.
   */
  finish(signal: AbortSignal): Promise<MediaView | ReceivedSoFar>;
  /** Removes everything that arrived. */
  discard(): Promise<void>;
}

/** What HTTP needs of uploaded media. A tenant cannot find out what other tenants have. (C38) */
export interface MediaApi {
  /** The content, or how much of it has arrived; null if the tenant has neither. */
  find(tenant: string, sha256: string): Promise<StoredMedia | ReceivedSoFar | null>;
  /** The description of the content; null if the tenant does not have it. */
  describe(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null>;
  /** The content of a tenant, last used first. (C94) */
  list(tenant: string, limit: number, after: MediaPlace | null): Promise<MediaPage>;
  /** Its bytes; null if the tenant does not have it. (C76) */
  open(tenant: string, sha256: string): Promise<MediaBytes | null>;
  /** The content if the tenant has it. Counts as a use and renews its retention. @throws `media.quota_full` */
  keep(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null>;
  /**
   * Starts or resumes an upload.
   *
   * @throws `media.quota_full`, `media.offset` if it would leave a gap, `upload.too_many`, `upload.under_way` if
   * another connection sends the same content from its start.
   */
  receive(announced: AnnouncedMedia): Promise<MediaUpload>;
  /**
   * Fetches content from an address, unless it is stored and has not changed. Renews its retention. null if it was
   * deleted right after the fetch. (C66)
   *
   * @throws `fetch.*` at `/url`, `media.quota_full`, `disk.full`
   */
  fetch(
    tenant: string,
    address: string,
    signal: AbortSignal,
  ): Promise<{ readonly view: MediaView; readonly known: boolean } | null>;
  /**
   * Removes content and unfinished uploads of it; exports that use it keep it. False if there was nothing.
   *
   * @throws `media.in_project`
   */
  remove(tenant: string, sha256: string): Promise<boolean>;
}

/** Whether all of it is there. */
export function isComplete<T extends StoredMedia>(found: T | ReceivedSoFar): found is T {
  return 'sha256' in found;
}
