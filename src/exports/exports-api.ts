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
import type { ExportRequest, Settings } from '../timeline/export-request.ts';
import { DESTINATIONS } from '../timeline/request-documents.ts';
import type { StreamsApi } from './streams-api.ts';

/** Where an export, or one of its outputs, stands. An expired or deleted one is simply not there. (C35) */
export type ExportState = Exclude<RecordedState, 'expired'>;

/** Where an output stands. One that nobody has asked for is idle: its address works, and starts it. (C12, C72) */
export type OutputState = ExportState | 'idle';

/** Whether nothing more will happen. */
export function isFinal(state: OutputState): boolean {
  return state !== 'idle' && isTerminal(state);
}

/** Why an export failed, for its owner: what an ExportError says. (C34) */
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
  /** Its own: the export may be fine, where another output was selected. */
  readonly failure: ExportFailure | null;
  /** How sending it has gone; null where it is sent nowhere. (C69) */
  readonly destination: Destination | null;
}

/** A short: an output that is cut from another. (C52) */
export interface ShortView extends OutputView {
  /** Counted from 1. */
  readonly number: number;
  /** What is revealed. */
  readonly title: string;
  /** In the whole video. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** An export as its record tells it; export-metadata.ts puts it on the wire. */
export interface ExportView {
  readonly id: string;
  /** Grows with every change that is recorded, across restarts: what names the events of its stream. (C26) */
  readonly revision: number;
  /** The revision that changed more than figures last. */
  readonly stateRevision: number;
  /** Nothing more happens by itself: every output is final, or waits to be asked for. */
  readonly settled: boolean;
  /** Of the selected preset; of the whole, where that is still to come. */
  readonly state: ExportState;
  /** Of the selected preset, 0 to 1; never falls. */
  readonly progress: number;
  /** How far its files have come that are fetched from addresses; null where none are, or all are here. (C66) */
  readonly fetching: Fetching | null;
  readonly settings: Pick<
    Settings,
    'preset' | 'width' | 'height' | 'fps' | 'quality' | 'encoderPreset' | 'audioBitrateKbps' | 'fileName'
  >;
  /** null until the media was looked at. */
  readonly durationSeconds: number | null;
  /** In the order of the presets. */
  readonly outputs: readonly OutputView[];
  /** In the order of their reveals; none unless they were asked for. (C52) */
  readonly shorts: readonly ShortView[];
  readonly warnings: readonly Issue[];
  readonly createdAtMs: number;
  /** null while it is not final. */
  readonly expiresAtMs: number | null;
  readonly failure: ExportFailure | null;
  /** The tier list's. */
  readonly title: string;
  /** What the client calls it. (C40) */
  readonly externalId: string | null;
}

export type { ExportListing, ListPlace };
export { CALLBACK_EVENTS };

/** What the three outputs and their shorts are. */
export const VIDEO_TYPE = 'video/mp4';

/** How many headers a destination may have, and how large they may be together: what servers commonly take. (C69) */
export const DESTINATION_HEADERS = { most: 32, mostBytes: 8192 } as const;

/** Of what a client calls its export, in characters. (C40) */
export const LONGEST_EXTERNAL_ID = 200;

/** A page of a tenant's exports. (C40) */
export interface ExportList {
  /** Newest first. */
  readonly exports: readonly ExportView[];
  /** Where the next page begins; null where there is none. */
  readonly next: ListPlace | null;
}

/** How sending the events of an export has gone. (C41) */
export interface Deliveries {
  /** Of the last event, or of the first that is not settled. */
  readonly state: WebhookState;
  /** When it is tried next; null where it is not. */
  readonly nextAtMs: number | null;
  /** The last first. */
  readonly attempts: readonly Delivery[];
}

/** A received file. `fileName` and `contentType` are the client's words and prove nothing. */
export interface SubmittedFile {
  /** Where it lies: a name of our own making, on the disk that blobs are kept on. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string | null;
  readonly contentType: string;
}

/** A request that was read whole. The caller removes the files; code that keeps one moves it. */
export interface Submission {
  readonly tenant: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, SubmittedFile>;
  readonly idempotencyKey: string | null;
  /** The same for the same texts and files, whatever their order. (C9) */
  readonly requestHash: string;
  readonly callbackUrl: string | null;
  /** Which events are sent there, as JSON; null: those that are sent unless a client chooses. (C68) */
  readonly callbackEvents: string | null;
  readonly externalId: string | null;
  /** How long it is kept once it has ended, in hours; null: as long as the service keeps exports. (C73) */
  readonly retentionHours: string | null;
  /** Where finished videos are sent, by preset, as JSON; null: nowhere. (C69) */
  readonly destinations: string | null;
  /** Whether someone waits for the selected output: it is then rendered first, however short it is. */
  readonly waits: boolean;
}

/** The texts of a form that are no documents: where events (C37) and videos (C69) go, what the client calls the export (C40). */
export type FormFields = Pick<
  Submission,
  'callbackUrl' | 'callbackEvents' | 'externalId' | 'retentionHours' | 'destinations'
>;

/** As they were sent; an empty `external_id` is none. */
export function readFormFields(texts: Submission['texts']): FormFields {
  return {
    callbackUrl: texts.get('callback_url') ?? null,
    callbackEvents: texts.get('callback_events') ?? null,
    externalId: texts.get('external_id') || null,
    retentionHours: texts.get('retention_hours') ?? null,
    destinations: texts.get(DESTINATIONS) ?? null,
  };
}

/** What the headers of a request say of what is to come. */
export interface Announcement {
  readonly tenant: string;
  /** null if the length is unknown. */
  readonly bytes: number | null;
  readonly idempotencyKey: string | null;
  /** Whether an export is to be made of it. */
  readonly creates: boolean;
}

/** A request that was let in. Disposing gives back what was kept free for it. */
export interface Admitted extends Disposable {
  /** The idempotency key has an export already: nothing that comes needs to be kept. (C9) */
  readonly known: boolean;
  /** Releases the reservation of bytes that have arrived. @throws `disk.full` if their number was not announced. */
  arrived(bytes: number): Promise<void>;
}

/** What a request would become. (C30) */
export interface Validation {
  readonly settings: ExportView['settings'];
  readonly warnings: readonly Issue[];
  /** The timeline with what `auto` adds to it; null where it adds nothing. (C64) */
  readonly timelineData: ExportRequest['completed'];
  /** null where it depends on files that were not sent. */
  readonly durationSeconds: number | null;
  /** The resolved plan of the selected preset as text, and as it is; null where the duration is. (C71) */
  readonly plan: string | null;
  readonly planJson: RenderPlan | null;
  /** The fields of files that were not sent. */
  readonly unchecked: readonly string[];
}

/** What subtitles can be had as: WebVTT or SubRip. */
export type CaptionFormat = 'vtt' | 'srt';

/** A request for the pauses in one file. The files are the caller's to remove. (C78) */
export type PausesRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** When somebody speaks in a file, and what can be cut out; in seconds. */
export interface Pauses {
  readonly duration: Seconds;
  readonly speech: readonly Range<Seconds>[];
  readonly pauses: readonly Range<Seconds>[];
}

/** What a frame can be had as. */
export type FrameFormat = 'png' | 'jpeg' | 'webp';

/** A request for one frame: the texts say which, and in which preset. The files are the caller's to remove. (C39) */
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
  /** When it comes on screen. */
  readonly seconds: number;
  readonly warnings: readonly Issue[];
}

/** A completed output, open for reading. */
export interface OpenOutput {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  /** The whole, or the bytes of a range within it. */
  stream(range?: ByteRange): Promise<Readable>;
  /** A presigned address that returns it with these headers for a while; null if only this service can send it. */
  readonly address: ((headers: DownloadHeaders) => Promise<string>) | null;
}

export interface Poster {
  readonly jpeg: Buffer;
  /** Changes with the picture. */
  readonly sha256: string;
}

/** What a tenant has used on a day. (C74) */
export interface UsageDay {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  /** How many were accepted. */
  readonly exports: number;
  /** Seconds of finished video, by preset; shorts together as `shorts`. */
  readonly renderedSeconds: Readonly<Record<string, number>>;
  /** Of media, projects and videos that were not there before. */
  readonly bytesStored: number;
  /** Of videos and media, from here. */
  readonly bytesSent: number;
}

/** How the service is, for `/readyz` and `/metrics`. */
export interface ServiceStatus {
  /** Whether exports can be taken in. Downloads and deletes work regardless. */
  readonly takesIn: boolean;
  /** What was looked at: the sandbox, the disk, the database. */
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  /** Exports by state, as far as they are kept. */
  readonly exportsByState: Readonly<Partial<Record<ExportState, number>>>;
  readonly jobsWaiting: number;
  readonly jobsRunning: number;
  readonly freeDiskBytes: number | null;
}

/**
 * What HTTP needs of the service. Every failure that was foreseen is an ExportError.
 *
 * `tenant` null means: by its address alone, which nobody can guess (downloads, posters, pages).
 */
export interface ExportsApi {
  /**
   * Whether a request may send its body: asked at its headers, before anything is paid for. Hold it until the export is
   * durable, or the request refused.
   *
   * @throws `queue.full`, `disk.full`, `upload.too_many`
   */
  admit(announced: Announcement): Promise<Admitted>;
  /**
   * The early answer: judges the texts that came before the first file. Others may follow, so it may only throw for what
   * no further text could mend: bad JSON always, the meaning only once tier_list, timeline_data and settings are there.
   */
  checkDocuments(tenant: string, texts: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void>;
  /** Judges a request, keeps nothing. Each file is optional. (C30, C71) */
  validate(request: Pick<Submission, 'tenant' | 'texts' | 'uploads'>, signal: AbortSignal): Promise<Validation>;
  /** Whether a request for a frame may send its body; hold it until the answer. @throws `frame.too_many` */
  admitFrame(tenant: string): Disposable;
  /** Shows one frame, keeps nothing. @throws `frame.outside` and all that can be wrong with a request. (C39) */
  frame(request: FrameRequest, signal: AbortSignal): Promise<FramePicture>;
  /** Finds the pauses in a file, keeps nothing of it. @throws `pauses.no_sound` and all that can be wrong with a file. (C78) */
  pauses(request: PausesRequest, signal: AbortSignal): Promise<Pauses>;
  /**
   * Resolves once the export is durable. `created` is false where the idempotency key had made it before. (C8, C9)
   * @throws `idempotency.conflict`, `queue.full`, `disk.full` and all that can be wrong with a request.
   */
  submit(submission: Submission, signal: AbortSignal): Promise<{ readonly id: string; readonly created: boolean }>;
  /** The export that the key has made; null where it is gone. @throws `idempotency.conflict` for other content. (C9) */
  repeated(request: Pick<Submission, 'tenant' | 'idempotencyKey' | 'requestHash'>): Promise<string | null>;
  /** null: unknown, deleted, expired, or another tenant's. */
  get(tenant: string | null, id: string): Promise<ExportView | null>;
  /** The tenant's own, newest first. (C40) */
  list(tenant: string, listing: ExportListing): Promise<ExportList>;
  /**
   * The export now, then again whenever it has changed, until it is settled (its other outputs may still be rendered when
   * it is final) or gone, or `signal` aborts (which ends it quietly). A slow reader misses steps in between, never the
   * last one: nothing is queued for it.
   */
  follow(id: string, signal: AbortSignal): AsyncIterable<ExportView>;
  /**
   * Resolves when that output is final or gone; moves it to the front of the queue meanwhile. Rejects with the reason
   * when `signal` aborts. (C12)
   */
  waitFor(id: string, preset: string, signal: AbortSignal): Promise<void>;
  /** null: not completed. */
  openOutput(id: string, preset: string): Promise<OpenOutput | null>;
  /** null: not there yet. */
  poster(id: string): Promise<Poster | null>;
  /** null: the media was not looked at yet. (C28) */
  chapters(id: string): Promise<string | null>;
  /** All subtitles of the video as a file; null: the media was not looked at yet. (C43) */
  captions(id: string, format: CaptionFormat): Promise<string | null>;
  /** Cancels and removes. False: there was no such export of that tenant. (C29) */
  remove(tenant: string, id: string): Promise<boolean>;
  /** Ends an output that is not finished; a finished one stays. False: there was no such export of that tenant. (C29) */
  stop(tenant: string, id: string, preset: string): Promise<boolean>;
  /** How telling the client went. (C41) */
  deliveries(id: string): Promise<Deliveries>;
  /** Tells the client once more, now; resolves when that is done. @throws `callback.none`, `.not_due`, `.busy` */
  redeliver(id: string, signal: AbortSignal): Promise<Deliveries>;
  /** What the tenant has used on every day from one to another, both included. (C74) */
  usage(tenant: string, from: string, to: string): Promise<readonly UsageDay[]>;
  status(): Promise<ServiceStatus>;
  /** Outputs as streams. (C49) */
  readonly streams: StreamsApi;
}
