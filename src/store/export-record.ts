import type { ErrorKind, Issue } from '../errors.ts';
import type { Settings } from '../timeline/export-request.ts';
import type { BlobKey } from './blob-store.ts';
import type { RecordedState } from './export-state.ts';

/** `waiting`: nobody has asked for it yet; `queued` and `rendering`: its jobs are in the queue. */
export type RecordedOutputState = 'waiting' | 'queued' | 'rendering' | 'completed' | 'failed';

/** The sound is made once for all outputs, with the first that starts. */
export type SoundState = 'waiting' | 'queued' | 'completed';

/** Events of an export that a webhook can report; the first three by default. (C68) */
export const CALLBACK_EVENTS = [
  'export.completed',
  'export.failed',
  'export.cancelled',
  'output.completed',
  'output.failed',
  'short.completed',
] as const;
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

/** One thing that happened. An export has no two of the same type and preset. */
export interface WebhookEvent {
  readonly type: CallbackEvent;
  /** The output it happened to; null: the export. */
  readonly preset: string | null;
  readonly atMs: number;
}

/** `none`: nothing to tell, or not yet. (C37) */
export type WebhookState = 'none' | 'pending' | 'delivered' | 'given_up';

/** Where sending a finished output stands. `waiting`: for the output, or for the next attempt. (C69) */
export type DestinationState = 'waiting' | 'sending' | 'sent' | 'failed';

/** An export as it is remembered. */
export interface ExportRecord {
  /** UUID, version 4. */
  readonly id: string;
  readonly tenant: string;
  readonly createdAtMs: number;
  /** Set once it has ended. */
  readonly expiresAtMs: number | null;
  readonly state: RecordedState;
  /** Grows with every change to the export or its outputs: what a client has seen stays in order across restarts. (C26) */
  readonly revision: number;
  /** The revision that changed more than figures last: a state, a warning, a time. */
  readonly stateRevision: number;
  readonly selectedPreset: string;
  readonly settings: Settings;
  readonly title: string;
  /** Of the download, clean. */
  readonly fileName: string;
  readonly durationSeconds: number;
  readonly totalFrames: number;
  readonly warnings: readonly Issue[];
  readonly error: RecordedError | null;
  /** Of all that was sent, to tell a repeated request from another one under the same key. (C9) */
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly callbackUrl: string | null;
  /** The events that the client subscribed to. (C68) */
  readonly callbackEvents: readonly CallbackEvent[];
  /** What the client calls it. (C40) */
  readonly externalId: string | null;
  /** How long it is kept once it has ended; null: as long as any. (C73) */
  readonly retentionMs: number | null;
  readonly webhook: Webhook;
  readonly uploads: readonly Upload[];
  /** How far its files have come that are fetched from addresses; null once all are here. (C66) */
  readonly fetching: Fetching | null;
  readonly soundState: SoundState;
  /** In the presets' order; then the shorts, in theirs. */
  readonly outputs: readonly OutputRecord[];
}

/** One of an export's three presets, or a short cut from one of them. */
export interface OutputRecord {
  /** What it is called among the export's outputs. */
  readonly preset: string;
  readonly state: RecordedOutputState;
  readonly width: number;
  readonly height: number;
  readonly totalFrames: number;
  /** Of finished jobs; what a worker has done of the current one comes on top. Never falls. */
  readonly framesDone: number;
  /** Of running jobs, as reported by other workers. */
  readonly framesInFlight: number;
  /** Chunks and sound that are missing before the assembly can start. */
  readonly jobsLeft: number;
  readonly bytes: number | null;
  /** The finished video; null where there is none. */
  readonly blob: BlobKey | null;
  readonly sha256: string | null;
  /** Where it failed; the export itself may be fine, if another output was selected. */
  readonly error: RecordedError | null;
  /** The engine it was planned for. */
  readonly engineVersion: string;
  /** null: it is one of the three. */
  readonly short: ShortRecord | null;
  /** null: it is sent nowhere. (C69) */
  readonly destination: Destination | null;
}

/** How sending an output has gone; where it goes is not shown. */
export interface Destination {
  readonly state: DestinationState;
  readonly attempts: number;
  /** Why the last attempt failed; null where none has. */
  readonly error: RecordedError | null;
}

/** What a short shows. (C52) */
export interface ShortRecord {
  /** Counted from 1, by time. */
  readonly number: number;
  readonly title: string;
  /** The frame of the whole video it begins with. */
  readonly startFrame: number;
}

/** Files that are fetched from addresses, and what has come of them so far. */
export interface Fetching {
  readonly files: number;
  readonly filesDone: number;
  readonly bytesDone: number;
}

/** A file of the request: the form field it came under, and its content's SHA-256 in hex. */
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

/** How far telling the client's address has come. */
export interface Webhook {
  readonly state: WebhookState;
  readonly attempts: number;
  /** When to try next; null where there is nothing to try. */
  readonly dueAtMs: number | null;
  /** The one that state and attempts are about, then those that wait behind it. None: nothing has happened yet. (C68) */
  readonly events: readonly WebhookEvent[];
}

/** Which exports of a tenant are listed, and how many at the most. (C40) */
export interface ExportListing {
  /** null: whatever state they are in. */
  readonly state: RecordedState | null;
  readonly externalId: string | null;
  readonly limit: number;
  /** Those that come after this place; null: from the newest. */
  readonly after: ListPlace | null;
}

/** A place in a list, newest first; whether the export that stood there still is makes no difference. */
export interface ListPlace {
  readonly createdAtMs: number;
  readonly id: string;
}

/** What an export begins with. It is queued, and none of its outputs has started. */
export type NewExport = Omit<
  ExportRecord,
  'expiresAtMs' | 'state' | 'revision' | 'stateRevision' | 'error' | 'webhook' | 'fetching' | 'soundState' | 'outputs'
> & { readonly outputs: readonly NewOutput[] };

/** What an output begins with. */
type NewOutput = Pick<OutputRecord, 'preset' | 'width' | 'height' | 'totalFrames' | 'engineVersion' | 'short'>;
