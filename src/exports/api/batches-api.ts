import type { Issue } from '../../errors.ts';
import type { BatchListing, BatchRecord, BatchRow, RowState } from '../../store/records/batch-records.ts';
import type { MediaPlace } from '../../timeline/project/project-media.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import type { ListPlace } from './export-view.ts';
import type { SentTexts } from './submission.ts';

export { BATCH_STATES, type BatchListing, ROW_STATES } from '../../store/records/batch-records.ts';

/** The most rows of a batch. (C85) */
export const MAX_BATCH_ROWS = 10_000;
/**
 * What a batch in JSON may have, in documents of a request: 10,000 rows with a dozen items each, 16 MB and 650,000 values
 * with the usual limits.
 */
export const MAX_BATCH_DOCUMENTS = 20;
/** The most batches of a tenant that are not ended. */
export const MAX_BATCHES = 20;

/** The body of a batch: its fields, and its rows as JSON. */
export interface BatchForm {
  readonly texts: SentTexts;
  readonly rows: Uint8Array;
}

/** A row whose values were checked. */
export interface CheckedRow {
  readonly video: string | null;
  /** JSON. */
  readonly values: string;
  readonly issues: readonly Issue[];
}

/** A medium that a batch names, once for each field. */
export interface MediumOfBatch {
  /** The name of its field. */
  readonly field: string;
  /** What the field asks for; null: any kind. */
  readonly kind: TemplateField['kind'];
  readonly place: Exclude<MediaPlace, { readonly kind: 'file' }>;
  /**
   * A list of `NamedAt` as JSON: a hundred thousand of them would hold the event loop when a thread returns them, and they
   * are read only for errors. (H60)
   */
  readonly at: string;
}

/**
 * Where a medium is named: the index of its row, null for the project; the path; the end of a message, which is line and
 * column of a table.
 */
export type NamedAt = readonly [row: number | null, path: string, where: string];

/** A batch whose rows were checked. */
export interface CheckedBatch {
  /** The media of the rows that are right so far, and those of the project that these use. */
  readonly media: readonly MediumOfBatch[];
  /** The project with the settings of the batch, as JSON. */
  readonly template: string;
  readonly columns: readonly string[];
  readonly rows: readonly CheckedRow[];
}

/** A batch that was received completely. */
export interface BatchSubmission {
  readonly tenant: string;
  /** The fields of the batch as they were sent, without its rows. */
  readonly texts: SentTexts;
  readonly rows: Uint8Array;
  readonly isCsv: boolean;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
}

/** A batch as clients see it. */
export interface BatchView extends Omit<BatchRecord, 'tenant' | 'requestHash' | 'idempotencyKey'> {
  readonly counts: Readonly<Record<RowState, number>>;
  /** The share of rows that have ended. */
  readonly progress: number;
  /** When it probably ends, from the rows that have; null without any, and after the end. */
  readonly estimatedEndMs: number | null;
}

/** Which rows of a batch are read. */
export interface RowListing {
  readonly state: RowState | null;
  /** The number of the row before the first one; −1 to start. */
  readonly after: number;
  readonly limit: number;
}

/** What HTTP needs of batches. Other tenants cannot see them. (C85) */
export interface BatchesApi {
  /** Reads a body in JSON. @throws `json.*`, `field.*` */
  readForm(tenant: string, body: Uint8Array, signal: AbortSignal): Promise<BatchForm>;
  /**
   * Checks all rows and stores the batch. Once it resolves, it is durable.
   *
   * @throws every error of a project, of its fields and of the rows; `project.unknown`, `batch.too_many`,
   *   `idempotency.conflict`, `media.quota_full`
   */
  create(
    submission: BatchSubmission,
    signal: AbortSignal,
  ): Promise<{ readonly batch: BatchView; readonly created: boolean }>;
  /** The tenant's batches, newest first. */
  list(
    tenant: string,
    listing: BatchListing,
  ): Promise<{ readonly batches: readonly BatchView[]; readonly next: ListPlace | null }>;
  /** null if there is none. */
  get(tenant: string, id: string): Promise<BatchView | null>;
  /** Resolves when the batch has ended, was forgotten or does not exist, or when `signal` aborts. */
  ended(tenant: string, id: string, signal: AbortSignal): Promise<void>;
  /** A page of rows; null if there is no such batch. */
  rows(tenant: string, id: string, listing: RowListing): Promise<readonly BatchRow[] | null>;
  /** Makes failed rows again. null if there is no such batch. @throws `batch.nothing_failed` */
  retry(tenant: string, id: string): Promise<BatchView | null>;
  /** Cancels what has not ended. False if there is no such batch. */
  cancel(tenant: string, id: string): Promise<boolean>;
}
