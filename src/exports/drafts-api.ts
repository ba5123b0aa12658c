import type { DraftState } from '../store/drafts/draft-records.ts';
import type { Range, Seconds } from '../time.ts';
import type { Submission } from './exports-api.ts';

/** What a draft is made from: the documents of a create, with media by reference. */
export type SentDraft = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** How much of a draft is rendered. */
export interface DraftView {
  readonly state: DraftState;
  readonly chunks: number;
  readonly ready: number;
  /** The stretches of the video that are rendered, in order; none touches the next. */
  readonly ranges: readonly Range<Seconds>[];
}

/** Videos that are rendered while they are edited. A tenant's own; to others they do not exist. (C79) */
export interface DraftsApi {
  /**
   * Renders what a create would, as far as nothing else is to be done; replaces an earlier draft of the same id.
   *
   * @throws `draft.needs_references`, `draft.too_many` and every error of a create's documents.
   */
  put(id: string, draft: SentDraft, signal: AbortSignal): Promise<void>;
  /** null if there is no such draft. */
  get(tenant: string, id: string): Promise<DraftView | null>;
  /** False if there is no such draft. */
  remove(tenant: string, id: string): Promise<boolean>;
}
