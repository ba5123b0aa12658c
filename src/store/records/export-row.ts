import type { BlobKey } from '../blob-store.ts';
import type {
  Destination,
  DestinationState,
  ExportRecord,
  Fetching,
  OutputRecord,
  RecordedError,
  RecordedOutputState,
  RecordedState,
  ShortRecord,
  SoundState,
  Upload,
} from './export-record.ts';

/** A row of an export joined with one of its outputs. */
export interface ExportRow {
  readonly id: string;
  readonly tenant: string;
  readonly state: RecordedState;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revision: number;
  readonly state_revision: number;
  readonly selected_preset: string;
  readonly settings: string;
  readonly title: string;
  readonly file_name: string;
  readonly duration_seconds: number;
  readonly total_frames: number;
  readonly warnings: string;
  readonly error: string | null;
  readonly request_hash: string;
  readonly idempotency_key: string | null;
  readonly sound_state: SoundState;
  readonly callback_url: string | null;
  readonly callback_events: string;
  readonly external_id: string | null;
  readonly metadata: string;
  readonly retention_ms: number | null;
  readonly project_id: string | null;
  readonly project_revision: number | null;
  readonly fetch_files: number | null;
  readonly fetch_files_done: number | null;
  readonly fetch_bytes_done: number | null;
  readonly preset: string;
  readonly output_state: RecordedOutputState;
  readonly width: number;
  readonly height: number;
  readonly output_frames: number;
  readonly frames_done: number;
  readonly frames_in_flight: number;
  readonly jobs_left: number;
  readonly bytes: number | null;
  readonly blob: string | null;
  readonly sha256: string | null;
  readonly output_error: string | null;
  readonly engine_version: string;
  readonly short_number: number | null;
  readonly short_title: string | null;
  readonly short_start: number | null;
  readonly destination_state: DestinationState | null;
  readonly destination_attempts: number | null;
  readonly destination_error: string | null;
}

/** Part of every statement that changes more than numbers. (C26) */
export const CHANGED = 'revision = revision + 1, state_revision = revision + 1';

/** Named, so that columns of later releases do not matter. */
const EXPORT_COLUMNS = `
  e.id, e.tenant, e.state, e.created_at_ms, e.expires_at_ms, e.revision, e.state_revision,
  e.selected_preset, e.settings, e.title, e.file_name, e.duration_seconds, e.total_frames, e.warnings,
  e.error, e.request_hash, e.idempotency_key, e.sound_state, e.callback_url, e.callback_events, e.external_id, e.retention_ms,
  e.metadata, e.project_id, e.project_revision`;

/** One statement, so that an export and its outputs are consistent even outside a transaction. */
export const SELECT_EXPORT = `
  select ${EXPORT_COLUMNS}, o.preset, o.state as output_state, o.width, o.height, o.total_frames as output_frames,
    o.frames_done, (select coalesce(sum(l.frames), 0) from live_frames l
      where l.export_id = o.export_id and l.preset = o.preset) as frames_in_flight, o.jobs_left, o.bytes, o.blob, o.sha256, o.error as output_error, o.engine_version,
    o.short_number, o.short_title, o.short_start,
    f.files as fetch_files, f.files_done as fetch_files_done, f.bytes_done as fetch_bytes_done,
    d.state as destination_state, d.attempts as destination_attempts, d.error as destination_error
  from exports e join outputs o on o.export_id = e.id left join fetches f on f.export_id = e.id
    left join destinations d on d.export_id = o.export_id and d.preset = o.preset`;

/** The record of an export from its rows, one for each output. */
export function exportOf(row: ExportRow, rows: readonly ExportRow[], uploads: readonly Upload[]): ExportRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    state: row.state,
    revision: row.revision,
    stateRevision: row.state_revision,
    selectedPreset: row.selected_preset,
    settings: JSON.parse(row.settings),
    title: row.title,
    fileName: row.file_name,
    durationSeconds: row.duration_seconds,
    totalFrames: row.total_frames,
    warnings: JSON.parse(row.warnings),
    error: errorOf(row.error),
    requestHash: row.request_hash,
    idempotencyKey: row.idempotency_key,
    callbackUrl: row.callback_url,
    callbackEvents: JSON.parse(row.callback_events),
    externalId: row.external_id,
    metadata: JSON.parse(row.metadata),
    project: row.project_id === null ? null : { id: row.project_id, revision: row.project_revision! },
    retentionMs: row.retention_ms,
    uploads,
    fetching: fetchingOf(row),
    soundState: row.sound_state,
    outputs: rows.map(outputOf),
  };
}

function outputOf(row: ExportRow): OutputRecord {
  return {
    preset: row.preset,
    state: row.output_state,
    width: row.width,
    height: row.height,
    totalFrames: row.output_frames,
    framesDone: row.frames_done,
    framesInFlight: row.frames_in_flight,
    jobsLeft: row.jobs_left,
    bytes: row.bytes,
    blob: row.blob as BlobKey | null,
    sha256: row.sha256,
    error: errorOf(row.output_error),
    engineVersion: row.engine_version,
    short: shortOf(row),
    destination: destinationOf(row),
  };
}

function fetchingOf(row: ExportRow): Fetching | null {
  const { fetch_files: files, fetch_files_done: filesDone, fetch_bytes_done: bytesDone } = row;
  return files === null ? null : { files, filesDone: filesDone!, bytesDone: bytesDone! };
}

function shortOf({ short_number: number, short_title: title, short_start: startFrame }: ExportRow): ShortRecord | null {
  return number === null ? null : { number, title: title!, startFrame: startFrame! };
}

function destinationOf(row: ExportRow): Destination | null {
  const { destination_state: state, destination_attempts: attempts, destination_error: error } = row;
  return state === null ? null : { state, attempts: attempts!, error: errorOf(error) };
}

function errorOf(text: string | null): RecordedError | null {
  return text === null ? null : JSON.parse(text);
}
