import type { CaptionSegment } from '../speech/captions/caption-words.ts';
import type { Seconds } from '../time.ts';
import type { ExportFailure, Submission } from './exports-api.ts';

/** A request for captions. The files are the caller's to remove. (C77) */
export type CaptionsRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** Captions as their record has them. */
export interface CaptionsView {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'completed' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** ISO 639. */
  readonly language: string;
  /** null until they are completed. */
  readonly transcript: { readonly duration: Seconds; readonly segments: readonly CaptionSegment[] } | null;
  /** null unless they have failed. */
  readonly failure: ExportFailure | null;
}

/** Captions from speech. (C77) */
export interface CaptionsApi {
  /** Before the body: whether there is any model. @throws `captions.no_model` */
  requireModel(): void;
  /**
   * Captions of a file or of the voice of a video; those that the tenant has already where the sound, the model and the language
   * are the same. Once it resolves, they are made whatever happens to this process.
   *
   * @throws `captions.no_model`, `captions.no_language`, `captions.no_sound`, `captions.too_many`, `media.quota_full` and all that
   *   can be wrong with a request.
   */
  submit(request: CaptionsRequest, signal: AbortSignal): Promise<string>;
  /** null where the tenant has no such captions. */
  get(tenant: string, id: string): Promise<CaptionsView | null>;
  /** Resolves when they are final or gone. Rejects with the reason when `signal` aborts. */
  waitFor(tenant: string, id: string, signal: AbortSignal): Promise<void>;
  /** Cancels and removes. False: the tenant has no such captions. */
  remove(tenant: string, id: string): Promise<boolean>;
}
