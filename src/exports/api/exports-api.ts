import type { Issue } from '../../errors.ts';
import type { PublishingKit } from '../../plan/publishing-kit.ts';
import type { ExportListing } from '../../store/records/export-record.ts';
import type { EventsApi } from './events-api.ts';
import type { Deliveries, ExportList, ExportState, ExportView } from './export-view.ts';
import type { CaptionFormat, OpenOutput, Poster } from './open-output.ts';
import type { Pauses, PausesRequest } from './speech-api.ts';
import type { StreamsApi } from './streams-api.ts';
import type { Admitted, Announcement, SentDocuments, SentTexts, Submission, Validation } from './submission.ts';
import type { WebhooksApi } from './webhooks-api.ts';

export type { PublishingKit };

/** Stored bytes, and the rows that record them. */
interface Stored {
  readonly bytes: number;
  readonly rows: number;
}

/** What a tenant stores now, its limits, and the largest things that it could delete. (C88) */
export interface StorageUse extends Stored {
  readonly limits: { readonly bytes: number; readonly files: number; readonly rows: number };
  readonly kinds: Readonly<Record<'media' | 'unfinished' | 'exports' | 'projects', Stored>>;
  readonly deletable: readonly { readonly path: string; readonly bytes: number }[];
}

/** The usage of a tenant on one day. (C74) */
export interface UsageDay {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  /** Accepted exports. */
  readonly exports: number;
  /** Seconds of finished video, by preset; shorts together as `shorts`. */
  readonly renderedSeconds: Readonly<Record<string, number>>;
  /** Newly stored bytes of media, projects and videos. */
  readonly bytesStored: number;
  /** Bytes of videos and media that this service sent. */
  readonly bytesSent: number;
}

/** The health of the service, for `/readyz` and `/metrics`. */
export interface ServiceStatus {
  /** Whether the service accepts exports. Downloads and deletes work regardless. */
  readonly takesIn: boolean;
  /** The checks: the sandbox, the disk, the database. */
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** Exports by state, as long as their records are kept. */
  readonly exportsByState: Readonly<Partial<Record<ExportState, number>>>;
  readonly jobsWaiting: number;
  readonly jobsRunning: number;
  readonly freeDiskBytes: number | null;
}

/**
 * What HTTP needs of the service. Every expected failure is an ExportError. If `tenant` is null, the id alone gives
 * access, because ids cannot be guessed (downloads, posters, pages).
 */
export interface ExportsApi {
  /**
   * Decides from the headers whether a request may send its body. Hold the result until the export is durable or the
   * request is refused.
   *
   * @throws `queue.full`, `disk.full`, `upload.too_many`
   */
  admit(announced: Announcement): Promise<Admitted>;
  /**
   * Checks the texts that came before the first file. More texts may follow, so it throws only for errors that no
   * further text can correct: invalid JSON always, invalid meaning only once tier_list, timeline_data and settings are
   * there.
   */
  checkDocuments(tenant: string, texts: SentTexts, signal: AbortSignal): Promise<void>;
  /**
   * The texts of a form that is sent as JSON. `plainFields` are the names of additional texts and numbers. (C67)
   * @throws `json.*`, `field.type`
   */
  readForm(tenant: string, body: Uint8Array, plainFields: readonly string[], signal: AbortSignal): Promise<SentTexts>;
  /** Equal for the same texts and files, in any order and form. (C9) */
  hashOf(request: Pick<Submission, 'tenant' | 'texts' | 'uploads'>, signal: AbortSignal): Promise<string>;
  /** Checks a request and stores nothing. Every file is optional. (C30, C71) */
  validate(request: Pick<Submission, 'tenant' | 'texts' | 'uploads'>, signal: AbortSignal): Promise<Validation>;
  /**
   * Decides whether a request for a frame may send its body. Hold the result until the response. @throws
   * `frame.too_many`
   */
  admitFrame(tenant: string): Disposable;
  /** Renders one frame and stores nothing. @throws `frame.outside` and every error of a request. (C39) */
  frame(request: FrameRequest, signal: AbortSignal): Promise<FramePicture>;
  /** Draws a thumbnail and stores nothing. @throws every error of a request. (C92) */
  thumbnail(request: ThumbnailRequest, signal: AbortSignal): Promise<ThumbnailPicture>;
  /** The same of an export; null until its media are probed, and if the tenant has no such export. (C92) */
  exportThumbnail(request: ExportThumbnailRequest, signal: AbortSignal): Promise<ThumbnailPicture | null>;
  /** Finds the pauses in a file and stores nothing. @throws `pauses.no_sound` and every error of a file. (C78) */
  pauses(request: PausesRequest, signal: AbortSignal): Promise<Pauses>;
  /**
   * Resolves once the export is durable. `created` is false if the idempotency key already had an export. (C8, C9)
   * @throws `idempotency.conflict`, `queue.full`, `disk.full` and every error of a request.
   */
  submit(submission: Submission, signal: AbortSignal): Promise<{ readonly id: string; readonly created: boolean }>;
  /**
   * The export of an idempotency key; null if it no longer exists. @throws `idempotency.conflict` if the content
   * differs. (C9)
   */
  repeated(request: Pick<Submission, 'tenant' | 'idempotencyKey' | 'requestHash'>): Promise<string | null>;
  /** null if it is unknown, deleted, expired or another tenant's. */
  get(tenant: string | null, id: string): Promise<ExportView | null>;
  /** The tenant's exports, newest first. (C40) */
  list(tenant: string, listing: ExportListing): Promise<ExportList>;
  /**
   * Yields the export now and after every change. Ends when the export is settled (other outputs may still be in
   * progress when it is final), when it no longer exists, or when `signal` aborts (without an error). A slow reader
   * misses intermediate changes but never the last one, because nothing is queued for it.
   */
  follow(id: string, signal: AbortSignal): AsyncIterable<ExportView>;
  /**
   * Resolves when the output is final or no longer exists. Moves it to the front of the queue meanwhile. Rejects with
   * the reason when `signal` aborts. (C12)
   */
  waitFor(id: string, preset: string, signal: AbortSignal): Promise<void>;
  /** null if it is not completed. */
  openOutput(id: string, preset: string): Promise<OpenOutput | null>;
  /** null if it does not exist yet. */
  poster(id: string): Promise<Poster | null>;
  /** null until the media are probed. (C28) */
  chapters(id: string): Promise<string | null>;
  /** What a person pastes elsewhere; null until the media are probed, and if the tenant has no such export. (R40) */
  publishingKit(tenant: string, id: string, signal: AbortSignal): Promise<PublishingKit | null>;
  /**
   * The documents that were sent, unchanged. null if the tenant has no such export. (C94)
   *
   * @throws `export.plan_missing`
   */
  documents(tenant: string, id: string): Promise<SentDocuments | null>;
  /** All subtitles of the video as a file; null until the media are probed. (C43) */
  captions(id: string, format: CaptionFormat): Promise<string | null>;
  /** Cancels and removes. False if the tenant has no such export. (C29) */
  remove(tenant: string, id: string): Promise<boolean>;
  /** Cancels an unfinished output; a finished one stays. False if the tenant has no such export. (C29) */
  stop(tenant: string, id: string, preset: string): Promise<boolean>;
  /** The deliveries of an export's webhook. (C41) */
  deliveries(id: string): Promise<Deliveries>;
  /**
   * Sends the first unsettled event to the `callback_url` again, now, or the last one. Resolves when the try has ended.
   *
   * @throws `callback.none`, `callback.not_due`, `callback.ended`, `callback.busy`
   */
  redeliver(id: string, signal: AbortSignal): Promise<Deliveries>;
  /** What happened to exports. (C93) */
  readonly events: EventsApi;
  /** The webhooks that tenants register. (C96) */
  readonly webhooks: WebhooksApi;
  /** The tenant's usage on each day of a range, both ends included. (C74) */
  usage(tenant: string, from: string, to: string): Promise<readonly UsageDay[]>;
  /** What the tenant stores now. (C88) */
  storage(tenant: string): Promise<StorageUse>;
  status(): Promise<ServiceStatus>;
  /** Outputs as streams. (C49) */
  readonly streams: StreamsApi;
}

/** The picture formats of a frame. */
export type FrameFormat = 'png' | 'jpeg' | 'webp';

/** A request for one frame; the texts say which frame and which preset. The caller removes the files. (C39) */
export interface FrameRequest extends Pick<Submission, 'tenant' | 'texts' | 'uploads'> {
  readonly format: FrameFormat;
}

/** One frame of a video, as a picture. */
export interface FramePicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly frame: number;
  readonly totalFrames: number;
  /** When it is shown. */
  readonly seconds: number;
  readonly warnings: readonly Issue[];
}

/** The picture formats of a thumbnail. */
export type ThumbnailFormat = Exclude<FrameFormat, 'webp'>;

/** A request for a thumbnail; the texts say how it looks. The caller removes the files. (C92) */
export interface ThumbnailRequest extends Pick<Submission, 'tenant' | 'texts' | 'uploads'> {
  readonly format: ThumbnailFormat;
}

/** A request for a thumbnail of an export. */
export interface ExportThumbnailRequest extends Pick<ThumbnailRequest, 'tenant' | 'format'> {
  readonly id: string;
  /** How it looks. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A thumbnail as a picture file. */
export type ThumbnailPicture = Pick<FramePicture, 'bytes' | 'width' | 'height' | 'warnings'>;
