import type { Issue } from '../../errors.ts';
import type { RowPlace } from '../../store/records/batch-records.ts';
import { DESTINATIONS, METADATA, PRESETS } from '../../timeline/request-documents.ts';
import type { ExportView } from './export-view.ts';

/** How many headers a destination may have, and their total size: what servers commonly accept. (C69) */
export const DESTINATION_HEADERS = { max: 32, maxBytes: 8192 } as const;

/** The longest `external_id`, in characters. (C40) */
export const LONGEST_EXTERNAL_ID = 200;

/** The limits of `metadata`: pairs, and characters of a key and of a value. (C87) */
export const METADATA_LIMITS = { pairs: 20, key: 40, value: 500 } as const;

/** A received file. The client sets `fileName` and `contentType`, so they prove nothing. */
export interface SubmittedFile {
  /** A name that the service chose, on the disk of the blobs. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string | null;
  readonly contentType: string;
}

/**
 * The text fields of a request. Documents and references are bytes in UTF-8, which only threads decode and parse: a large
 * one would hold the event loop. The other fields are strings. (H60)
 */
export type SentTexts = ReadonlyMap<string, string | Uint8Array>;

/** The documents of an export as they were sent, and the SHA-256 of each file. (C94) */
export interface SentDocuments {
  readonly texts: SentTexts;
  readonly media: ReadonlyMap<string, string>;
}

/** How many documents of the maximum size one body may have: a form as JSON, or a project. (C67, C76) */
export const MAX_DOCUMENTS = 4;

/** The fields that are strings. */
export function plainTexts(texts: SentTexts): ReadonlyMap<string, string> {
  return new Map([...texts].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A request that was received completely. The caller removes the files; code that keeps a file moves it. */
export interface Submission {
  readonly tenant: string;
  readonly texts: SentTexts;
  readonly uploads: ReadonlyMap<string, SubmittedFile>;
  readonly idempotencyKey: string | null;
  /** Equal for the same texts and files in any order. (C9) */
  readonly requestHash: string;
  readonly callbackUrl: string | null;
  /** The subscribed events, as JSON; null for the default events. (C68) */
  readonly callbackEvents: string | null;
  readonly externalId: string | null;
  /** How many hours to keep it after it ends; null for the retention of the service. (C73) */
  readonly retentionHours: string | null;
  /** The destinations of finished videos by preset, as JSON; null if there are none. (C69) */
  readonly destinations: string | null;
  /** The presets that are rendered now, as JSON; null for those that the service renders by itself. (C86) */
  readonly presets: string | null;
  /** The client's own pairs of texts, as JSON; null if there are none. (C87) */
  readonly metadata: string | null;
  /** The project that it is made of; null: the documents were sent. (C84) */
  readonly project: ProjectSource | null;
  /** Whether the client waits for the selected output. If so, it is rendered first, however short it is. */
  readonly waits: boolean;
  /** The row of a batch that it is made of. (C85) */
  readonly batchRow?: RowPlace;
}

/** What an export was made of. (C84) */
export interface ProjectSource {
  readonly id: string;
  readonly revision: number;
  /** As they were sent, as JSON. */
  readonly values: string;
}

/**
 * The form fields that are not documents: webhooks (C37), destinations (C69), the client's id (C40), chosen presets
 * (C86), metadata (C87).
 */
export type FormFields = Pick<
  Submission,
  'callbackUrl' | 'callbackEvents' | 'externalId' | 'retentionHours' | 'destinations' | 'presets' | 'metadata'
>;

/** Returns the fields as sent; an empty `external_id` counts as absent. */
export function readFormFields(texts: SentTexts): FormFields {
  const plain = plainTexts(texts);
  return {
    callbackUrl: plain.get('callback_url') ?? null,
    callbackEvents: plain.get('callback_events') ?? null,
    externalId: plain.get('external_id') || null,
    retentionHours: plain.get('retention_hours') ?? null,
    destinations: plain.get(DESTINATIONS) ?? null,
    presets: plain.get(PRESETS) ?? null,
    metadata: plain.get(METADATA) ?? null,
  };
}

/** What the headers of a request say about its body. */
export interface Announcement {
  readonly tenant: string;
  /** null if the length is unknown. */
  readonly bytes: number | null;
  readonly idempotencyKey: string | null;
  /** Whether the request creates an export. */
  readonly creates: boolean;
}

/** An admitted request. Disposing releases its reservation. */
export interface Admitted extends Disposable {
  /** Whether the idempotency key already has an export. If so, the body is not kept. (C9) */
  readonly known: boolean;
  /** Releases the reservation of received bytes. @throws `disk.full` if their number was not announced. */
  arrived(bytes: number): Promise<void>;
}

/** A JSON text in UTF-8. A thread has written it, because a large one would hold the event loop. (H60) */
export type JsonBytes = Uint8Array<ArrayBuffer>;

/** The result of validating a request. (C30) */
export interface Validation {
  readonly settings: ExportView['settings'];
  readonly warnings: readonly Issue[];
  /** The timeline with the entries that `auto` adds; null if it adds none. (C64) */
  readonly timelineData: JsonBytes | null;
  /** null if it depends on files that were not sent. */
  readonly durationSeconds: number | null;
  /** The resolved plan of the selected preset, as text and as JSON; null if the duration is null. (C71) */
  readonly plan: JsonBytes | null;
  readonly planJson: JsonBytes | null;
  /** The fields of files that were not sent. */
  readonly unchecked: readonly string[];
}
