import type { Issue } from '../../errors.ts';
import type { CaptionSegment } from '../../speech/captions/caption-words.ts';
import type { CaptionModelName } from '../../speech/models/caption-models.ts';
import type { Range, Seconds } from '../../time.ts';
import type { ExportFailure } from './export-view.ts';
import type { Submission } from './submission.ts';

/** A request for captions. The caller removes the files. (C77) */
export type CaptionsRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** Captions as recorded. */
export interface CaptionsView {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'completed' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** ISO 639. */
  readonly language: string;
  /** null until they are completed. */
  readonly transcript: { readonly duration: Seconds; readonly segments: readonly CaptionSegment[] } | null;
  /** Empty until they are completed. */
  readonly warnings: readonly Issue[];
  /** null unless they have failed. */
  readonly failure: ExportFailure | null;
}

/** A speech model that the service can install. (C77) */
export interface ModelView {
  readonly name: CaptionModelName;
  readonly state: 'available' | 'installing' | 'installed' | 'failed';
  /** The npm packages that contain it. */
  readonly packages: readonly string[];
  /** The size of the download. */
  readonly bytes: number;
  /** From 0 to 1; rises with each package. */
  readonly progress: number;
  /** null unless it has failed. */
  readonly failure: ExportFailure | null;
}

/** Captions from speech. (C77) */
export interface CaptionsApi {
  /** The models that can be installed on this node, best first. */
  models(): readonly ModelView[];
  /** Starts to install a model, unless it is installed or being installed. */
  installModel(name: CaptionModelName): ModelView;
  /** The languages that a request can name, as ISO 639 codes. */
  languages(): readonly string[];
  /** Called before the body is read. @throws `captions.no_model`, or `captions.installing` if one is being installed */
  requireModel(): void;
  /**
   * Requests captions of a file or of the voice of a video. Returns the tenant's existing captions if the sound, the
   * model and the language are the same. Once it resolves, the request is durable.
   *
   * @throws `captions.no_model`, `captions.no_language`, `captions.no_sound`, `captions.too_many`, `media.quota_full`
   * and every error of a request.
   */
  submit(request: CaptionsRequest, signal: AbortSignal): Promise<string>;
  /** null if the tenant has no such captions. */
  get(tenant: string, id: string): Promise<CaptionsView | null>;
  /** Resolves when they are final or gone. Rejects with the reason when `signal` aborts. */
  waitFor(tenant: string, id: string, signal: AbortSignal): Promise<void>;
  /** Cancels and removes. False if the tenant has no such captions. */
  remove(tenant: string, id: string): Promise<boolean>;
}

/** A request for the pauses in one file. The caller removes the files. (C78) */
export type PausesRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** The speech in a file, and the pauses that can be cut; in seconds. */
export interface Pauses {
  readonly duration: Seconds;
  readonly speech: readonly Range<Seconds>[];
  readonly pauses: readonly Range<Seconds>[];
}
