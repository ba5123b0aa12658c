import type { Issue } from '../../errors.ts';
import type { Delivery } from '../../store/records/delivery-records.ts';
import {
  type Destination,
  type Fetching,
  isTerminal,
  type ListPlace,
  type RecordedError,
  type RecordedState,
  type WebhookState,
} from '../../store/records/export-record.ts';
import type { Settings } from '../../timeline/export-request.ts';

export {
  CALLBACK_EVENTS,
  type CallbackEvent,
  type ExportListing,
  type ListPlace,
} from '../../store/records/export-record.ts';

/** The states of an export or an output. Expired and deleted ones are not found. (C35) */
export const EXPORT_STATES = [
  'queued',
  'rendering',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly RecordedState[];
export type ExportState = (typeof EXPORT_STATES)[number];

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
  /** For people, and in file names: the first alias of the preset; `short-3` for a short. (C11, C73) */
  readonly name: string;
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

/** An export as recorded; `EXPORT` in http/replies converts it to JSON. */
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
  /** The client's own pairs of texts. (C87) */
  readonly metadata: Readonly<Record<string, string>>;
  /** The project that it was made of; `values` only where one export is read. (C84) */
  readonly project: { readonly id: string; readonly revision: number; readonly values?: unknown } | null;
}

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
  /** Newest first. `webhook` is the name of a registered one; null for the `callback_url`. */
  readonly attempts: readonly (Omit<Delivery, 'receiver'> & { readonly webhook: string | null })[];
}
