import type { Readable } from 'node:stream';
import type { Issue } from '../errors.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { ByteRange, DownloadHeaders } from '../store/blob-store.ts';
import type { Delivery } from '../store/delivery-records.ts';
import {
  CALLBACK_EVENTS,
  type Destination,
  type ExportListing,
  type Fetching,
  type ListPlace,
  type RecordedError,
  type WebhookState,
} from '../store/export-record.ts';
import { isTerminal, type RecordedState } from '../store/export-state.ts';
import type { Range, Seconds } from '../time.ts';
import type { ExportRequest } from '../timeline/request/export-request.ts';
import type { Settings } from '../timeline/request/settings.ts';
import { DESTINATIONS } from '../timeline/request-documents.ts';
import type { StreamsApi } from './streams-api.ts';

/** The state of an export or an output. Expired and deleted ones are not found. (C35) */
export type ExportState = Exclude<RecordedState, 'expired'>;

/** The state of an output. `idle`: no client has requested it yet; a download request starts it. (C12, C72) */
export type OutputState = ExportState | 'idle';

/** Whether the state cannot change any more. */
export function isFinal(state: OutputState): boolean {
  return state !== 'idle' && isTerminal(state);
}

/** Why an export failed, in the form that its owner reads. (C34) */
export type ExportFailure = RecordedError;

/** One of the three outputs. `bytes` and `sha256` are known once it is completed, `failure` once it has failed. */
export interface OutputView {
  readonly preset: string;
  readonly state: OutputState;
  /** 0 to 1. */
  readonly progress: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Why this output failed. The export can still succeed if another preset is selected. */
  readonly failure: ExportFailure | null;
  /** The state of its delivery; null if it has no destination. (C69) */
  readonly destination: Destination | null;
}

/** A short: an output that is cut from another. (C52) */
export interface ShortView extends OutputView {
  /** Counted from 1. */
  readonly number: number;
  /** The revealed item. */
  readonly title: string;
  /** Its start in the whole video. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** An export as recorded; export-metadata.ts converts it to JSON. */
export interface ExportView {
  readonly id: string;
  /** Grows with every recorded change, across restarts. It is the id of the events in the stream. (C26) */
  readonly revision: number;
  /** The last revision that changed more than numbers. */
  readonly stateRevision: number;
  /** Whether nothing happens without a request: every output is final or idle. */
  readonly settled: boolean;
  /** Of the selected preset; of the export until that output exists. */
  readonly state: ExportState;
  /** Of the selected preset, 0 to 1; never decreases. */
  readonly progress: number;
  /** The progress of files fetched from addresses; null if there are none, or if all are stored. (C66) */
  readonly fetching: Fetching | null;
  readonly settings: Pick<
    Settings,
    'preset' | 'width' | 'height' | 'fps' | 'quality' | 'encoderPreset' | 'audioBitrateKbps' | 'fileName'
  >;
  /** null until the media are probed. */
  readonly durationSeconds: number | null;
  /** In the order of the presets. */
  readonly outputs: readonly OutputView[];
  /** In the order of their reveals; empty unless requested. (C52) */
  readonly shorts: readonly ShortView[];
  readonly warnings: readonly Issue[];
  readonly createdAtMs: number;
  /** null until it is final. */
  readonly expiresAtMs: number | null;
  readonly failure: ExportFailure | null;
  /** The title of the tier list. */
  readonly title: string;
  /** The client's own id of the export. (C40) */
  readonly externalId: string | null;
}

export type { ExportListing, ListPlace };
export { CALLBACK_EVENTS };

/** The media type of outputs and shorts. */
export const VIDEO_TYPE = 'video/mp4';

/** How many headers a destination may have, and their total size: what servers commonly accept. (C69) */
export const DESTINATION_HEADERS = { most: 32, mostBytes: 8192 } as const;

/** The longest `external_id`, in characters. (C40) */
export const LONGEST_EXTERNAL_ID = 200;

/** A page of a tenant's exports. (C40) */
export interface ExportList {
  /** Newest first. */
  readonly exports: readonly ExportView[];
  /** Where the next page starts; null on the last page. */
  readonly next: ListPlace | null;
}

/** The deliveries of an export's events. (C41) */
export interface Deliveries {
  /** Of the last event, or of the first that is not settled. */
  readonly state: WebhookState;
  /** When the next try is due; null if there is none. */
  readonly nextAtMs: number | null;
  /** Newest first. */
  readonly attempts: readonly Delivery[];
}

/** A received file. The client sets `fileName` and `contentType`, so they prove nothing. */
export interface SubmittedFile {
  /** A name that the service chose, on the disk of the blobs. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string | null;
  readonly contentType: string;
}

/** A request that was received completely. The caller removes the files; code that keeps a file moves it. */
export interface Submission {
  readonly tenant: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, SubmittedFile>;
  readonly idempotencyKey: string | null;
  /** Equal for the same texts and files in any order. (C9) */
  readonly requestHash: string;
  readonly callbackUrl: string | null;
  /** The subscribed events as JSON; null for the default events. (C68) */
  readonly callbackEvents: string | null;
  readonly externalId: string | null;
  /** How many hours to keep it after it ends; null for the retention of the service. (C73) */
  readonly retentionHours: string | null;
  /** The destinations of finished videos by preset, as JSON; null if there are none. (C69) */
  readonly destinations: string | null;
  /** Whether the client waits for the selected output. If so, it is rendered first, however short it is. */
  readonly waits: boolean;
}

/** The form fields that are not documents: webhooks (C37), destinations (C69), the client's id (C40). */
export type FormFields = Pick<
  Submission,
  'callbackUrl' | 'callbackEvents' | 'externalId' | 'retentionHours' | 'destinations'
>;

/** Returns the fields as sent; an empty `external_id` counts as absent. */
export function readFormFields(texts: Submission['texts']): FormFields {
  return {
    callbackUrl: texts.get('callback_url') ?? null,
    callbackEvents: texts.get('callback_events') ?? null,
    externalId: texts.get('external_id') || null,
    retentionHours: texts.get('retention_hours') ?? null,
    destinations: texts.get(DESTINATIONS) ?? null,
  };
}

/** What the headers of a request say about its body. */
export interface Announcement {
  readonly tenant: string;
  /** null if the length is unknown. */
  readonly bytes: number | null;
  readonly idempotencyKey: string | null;
  /** Whether the request creates an export. */
  readonly creates: boolean;
}

/** An admitted request. Disposing releases its reservation. */
export interface Admitted extends Disposable {
  /** Whether the idempotency key already has an export. If so, the body is not kept. (C9) */
  readonly known: boolean;
  /** Releases the reservation of received bytes. @throws `disk.full` if their number was not announced. */
  arrived(bytes: number): Promise<void>;
}

/** The result of validating a request. (C30) */
export interface Validation {
  readonly settings: ExportView['settings'];
  readonly warnings: readonly Issue[];
  /** The timeline with the entries that `auto` adds; null if it adds none. (C64) */
  readonly timelineData: ExportRequest['completed'];
  /** null if it depends on files that were not sent. */
  readonly durationSeconds: number | null;
  /** The resolved plan of the selected preset, as text and as JSON; null if the duration is null. (C71) */
  readonly plan: string | null;
  readonly planJson: RenderPlan | null;
  /** The fields of files that were not sent. */
  readonly unchecked: readonly string[];
}

/** The formats of captions: WebVTT or SubRip. */
export type CaptionFormat = 'vtt' | 'srt';

/** A request for the pauses in one file. The caller removes the files. (C78) */
export type PausesRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** The speech in a file, and the pauses that can be cut; in seconds. */
export interface Pauses {
  readonly duration: Seconds;
  readonly speech: readonly Range<Seconds>[];
  readonly pauses: readonly Range<Seconds>[];
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
  checkDocuments(tenant: string, texts: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void>;
  /** Checks a request and stores nothing. Every file is optional. (C30, C71) */
  validate(request: Pick<Submission, 'tenant' | 'texts' | 'uploads'>, signal: AbortSignal): Promise<Validation>;
  /**
   * Decides whether a request for a frame may send its body. Hold the result until the response. @throws
   * `frame.too_many`
   */
  admitFrame(tenant: string): Disposable;
  /** Renders one frame and stores nothing. @throws `frame.outside` and every error of a request. (C39) */
  frame(request: FrameRequest, signal: AbortSignal): Promise<FramePicture>;
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
  /** All subtitles of the video as a file; null until the media are probed. (C43) */
  captions(id: string, format: CaptionFormat): Promise<string | null>;
  /** Cancels and removes. False if the tenant has no such export. (C29) */
  remove(tenant: string, id: string): Promise<boolean>;
  /** Cancels an unfinished output; a finished one stays. False if the tenant has no such export. (C29) */
  stop(tenant: string, id: string, preset: string): Promise<boolean>;
  /** The deliveries of an export's webhook. (C41) */
  deliveries(id: string): Promise<Deliveries>;
  /** Sends the webhook again, now. Resolves when the try has ended. @throws `callback.none`, `.not_due`, `.busy` */
  redeliver(id: string, signal: AbortSignal): Promise<Deliveries>;
  /** The tenant's usage on each day of a range, both ends included. (C74) */
  usage(tenant: string, from: string, to: string): Promise<readonly UsageDay[]>;
  status(): Promise<ServiceStatus>;
  /** Outputs as streams. (C49) */
  readonly streams: StreamsApi;
}
