import type { DraftState } from '../../store/drafts/draft-records.ts';
import type { Range, Seconds } from '../../time.ts';
import type { Submission } from './submission.ts';

/** The documents of a draft, as in a create request. Media are references. */
export type SentDraft = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** How much of a draft is rendered. */
export interface DraftView {
  readonly state: DraftState;
  readonly chunks: number;
  readonly ready: number;
  /** The rendered ranges of the video, in order and not adjacent. */
  readonly ranges: readonly Range<Seconds>[];
}

/** Videos that are rendered while a user edits them. Other tenants cannot see them. (C79) */
export interface DraftsApi {
  /**
   * Renders the draft in spare time, as a create request would. Replaces an earlier draft with the same id.
   *
   * @throws `draft.needs_references`, `draft.too_many` and every error of a create's documents.
   */
  put(id: string, draft: SentDraft, signal: AbortSignal): Promise<void>;
  /** null if there is no such draft. */
  get(tenant: string, id: string): Promise<DraftView | null>;
  /** False if there is no such draft. */
  remove(tenant: string, id: string): Promise<boolean>;
}
