import type { Job, JobKind } from '../job-queue.ts';

/** A row of a job and its newest try. */
export interface JobRow {
  readonly id: string;
  readonly tenant: string;
  readonly export_id: string;
  readonly kind: JobKind;
  readonly presets: string;
  readonly first_chunk: number | null;
  readonly chunk_count: number | null;
  readonly urgency: number;
  readonly attempt: number;
  readonly failures: number;
  readonly deaths: number;
  readonly added_at_ms: number;
}

export const JOB_COLUMNS =
  'id, tenant, export_id, kind, presets, first_chunk, chunk_count, urgency, attempt, failures, deaths, added_at_ms';

/** Jobs as arrays for `enqueue`, because property names would be most of the text. */
export function rowsOf(jobs: readonly Job[]): unknown[][] {
  return jobs.map(({ id, tenant, exportId, kind, presets, chunks, priority }) => [
    id,
    tenant,
    exportId,
    kind,
    JSON.stringify(presets),
    chunks?.first ?? null,
    chunks?.count ?? null,
    priority,
  ]);
}

/** The job of a row, with its current priority. */
export function jobOf(row: JobRow): Job {
  const { id, tenant, export_id: exportId, kind, first_chunk: first, chunk_count: count, urgency: priority } = row;
  const chunks = first === null || count === null ? null : { first, count };
  return { id, tenant, exportId, kind, presets: JSON.parse(row.presets), chunks, priority };
}
