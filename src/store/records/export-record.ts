import type { ErrorKind, Issue } from '../../errors.ts';
import type { Settings } from '../../timeline/export-request.ts';
import type { BlobKey } from '../blob-store.ts';

/** `waiting`: not requested yet; `queued` and `rendering`: its jobs are in the queue. */
export type RecordedOutputState = 'waiting' | 'queued' | 'rendering' | 'completed' | 'failed';

/** The sound is rendered once for all outputs, with the first that starts. */
export type SoundState = 'waiting' | 'queued' | 'completed';

/** Events of an export or, the last, of a batch; a webhook reports the first three by default. (C68, C85) */
export const CALLBACK_EVENTS = [
  'export.completed',
  'export.failed',
  'export.cancelled',
  'output.completed',
  'output.failed',
  'short.completed',
  'destination.sent',
  'destination.failed',
  'batch.completed',
] as const;
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

/** An event. An export has no two of the same type and preset. */
export interface ExportEvent {
  /** The same for every try to send it. */
  readonly id: string;
  readonly type: CallbackEvent;
  /** The output of the event; null for the export or the batch. */
  readonly preset: string | null;
  readonly atMs: number;
}

/** The state of a `callback_url`. `none`: there is nothing to send, or not yet. (C37) */
export type WebhookState = 'none' | Exclude<DeliveryState, 'dropped'>;

/** The state of sending an event to one receiver. `dropped`: the receiver wants no more. (C37) */
export type DeliveryState = 'pending' | 'delivered' | 'given_up' | 'dropped';

/** The state of sending a finished output. `waiting`: for the output, or for the next try. (C69) */
export type DestinationState = 'waiting' | 'sending' | 'sent' | 'failed';

/** An export as recorded. */
export interface ExportRecord {
  /** UUID, version 4. */
  readonly id: string;
  readonly tenant: string;
  readonly createdAtMs: number;
  /** Set when it ends. */
  readonly expiresAtMs: number | null;
  readonly state: RecordedState;
  /**
   * Grows with every change to the export or its outputs, so that clients see changes in order across restarts. (C26)
   */
  readonly revision: number;
  /** The last revision that changed more than numbers: a state, a warning, a time. */
  readonly stateRevision: number;
  readonly selectedPreset: string;
  readonly settings: Settings;
  readonly title: string;
  /** The sanitized name of the download. */
  readonly fileName: string;
  readonly durationSeconds: number;
  readonly totalFrames: number;
  readonly warnings: readonly Issue[];
  readonly error: RecordedError | null;
  /** A hash of the whole request, to detect different content under the same idempotency key. (C9) */
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly callbackUrl: string | null;
  /** The events that the client subscribed to. (C68) */
  readonly callbackEvents: readonly CallbackEvent[];
  /** The client's own id of the export. (C40) */
  readonly externalId: string | null;
  /** The client's own pairs of texts. (C87) */
  readonly metadata: Readonly<Record<string, string>>;
  /** The project that it was made of; null: its documents were sent. `ExportRecords.valuesOf` has the values. (C84) */
  readonly project: { readonly id: string; readonly revision: number } | null;
  /** How long it is kept after it ends; null for the default. (C73) */
  readonly retentionMs: number | null;
  readonly uploads: readonly Upload[];
  /** The progress of files fetched from addresses; null once all are stored. (C66) */
  readonly fetching: Fetching | null;
  readonly soundState: SoundState;
  /** In the order of the presets, followed by the shorts in theirs. */
  readonly outputs: readonly OutputRecord[];
}

/** One of an export's three presets, or a short cut from one of them. */
export interface OutputRecord {
  /** Its name among the outputs of the export. */
  readonly preset: string;
  readonly state: RecordedOutputState;
  readonly width: number;
  readonly height: number;
  readonly totalFrames: number;
  /** Of finished jobs, without the progress of running ones. Never decreases. */
  readonly framesDone: number;
  /** Of running jobs, as reported by other workers. */
  readonly framesInFlight: number;
  /** How many jobs must finish before the assembly can start. */
  readonly jobsLeft: number;
  readonly bytes: number | null;
  /** The finished video; null until it exists. */
  readonly blob: BlobKey | null;
  readonly sha256: string | null;
  /** Why it failed. The export can still succeed if another preset is selected. */
  readonly error: RecordedError | null;
  /** The engine version of its plan. */
  readonly engineVersion: string;
  /** null if it is one of the three presets. */
  readonly short: ShortRecord | null;
  /** null if it has no destination. (C69) */
  readonly destination: Destination | null;
}

/** The state of sending an output, without its address. */
export interface Destination {
  readonly state: DestinationState;
  readonly attempts: number;
  /** Why the last try failed; null if none has. */
  readonly error: RecordedError | null;
}

/** The content of a short. (C52) */
export interface ShortRecord {
  /** Counted from 1, by time. */
  readonly number: number;
  readonly title: string;
  /** Its first frame in the whole video. */
  readonly startFrame: number;
}

/** The files fetched from addresses, and the progress so far. */
export interface Fetching {
  readonly files: number;
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** A file of the request: its form field, and the SHA-256 of its content in hex. */
export interface Upload {
  readonly field: string;
  readonly hash: string;
  readonly bytes: number;
}

/** Why an export or an output failed, as shown to clients. */
export interface RecordedError {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** A query for a tenant's exports. (C40) */
export interface ExportListing {
  /** null for any state. */
  readonly state: RecordedState | null;
  readonly externalId: string | null;
  /** Pairs that its metadata must have. (C87) */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** Created at this time or later; null for any time. */
  readonly fromMs: number | null;
  /** Created before this time; null for any time. */
  readonly beforeMs: number | null;
  readonly limit: number;
  /** Only exports after this place; null to start with the newest. */
  readonly after: ListPlace | null;
}

/** A place in a list, newest first. The export at that place may no longer exist. */
export interface ListPlace {
  readonly createdAtMs: number;
  readonly id: string;
}

/** The initial values of an export. It is queued, and none of its outputs has started. */
export type NewExport = Omit<
  ExportRecord,
  'expiresAtMs' | 'state' | 'revision' | 'stateRevision' | 'error' | 'fetching' | 'soundState' | 'outputs' | 'project'
> & {
  readonly outputs: readonly NewOutput[];
  /** `values` is JSON. */
  readonly project: { readonly id: string; readonly revision: number; readonly values: string } | null;
};

/** The initial values of an output. */
type NewOutput = Pick<OutputRecord, 'preset' | 'width' | 'height' | 'totalFrames' | 'engineVersion' | 'short'>;

/** The state of an export. (C35) */
export type RecordedState = 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired';

/**
 * The legal changes of state. `rendering` leads back to `queued` when a worker dies. An export can fail or be cancelled
 * before anything is rendered. (C35)
 */
export const LEGAL_MOVES: Readonly<Record<RecordedState, readonly RecordedState[]>> = {
  queued: ['rendering', 'failed', 'cancelled'],
  rendering: ['queued', 'completed', 'failed', 'cancelled'],
  completed: ['expired'],
  failed: ['expired'],
  cancelled: ['expired'],
  expired: [],
};

/** Whether only expiry can follow. */
export function isTerminal(state: RecordedState): boolean {
  return state !== 'queued' && state !== 'rendering';
}

/** @throws a plain Error for an illegal change, which is a bug. */
export function requireLegalMove(from: RecordedState, to: RecordedState): void {
  if (!LEGAL_MOVES[from].includes(to)) throw new Error(`an export cannot go from ${from} to ${to}`);
}
