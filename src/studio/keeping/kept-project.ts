import type { Steps } from '../document/history.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import type { Version } from '../document/versions.ts';

/** A project in this browser's database. */
export interface KeptProject {
  readonly id: string;
  readonly changedAtMs: number;
  readonly project: Project;
  readonly versions: readonly Version[];
  /** The undo and redo steps. Saved with the project, so that both always match. */
  readonly steps?: Steps;
  /** Its last export. */
  readonly made?: KeptExport | null;
  /** The last batch of its table. */
  readonly batch?: KeptBatch | null;
  /** The state of the project on the service; null or absent if it is in this browser only. */
  readonly remote?: Remote | null;
  /** The thumbnail for lists. */
  readonly picture?: Blob;
}

/** The last known state of a project on the service. (C76) */
export interface Remote {
  /** Its id there. */
  readonly id: string;
  /** The ETag of the revision that the local project is based on; null if nothing is stored yet. */
  readonly etag: string | null;
  /** The digest of the local project that equals that revision. */
  readonly clean: string | null;
  /** The digest of the last save without a response. */
  readonly sent: string | null;
  /** The secrets of its links, by link id: the service returns each only once. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The id of an export, and the project it was made from. */
interface KeptExport {
  readonly exportId: string;
  readonly project: Project;
  /** The requested presets; absent means all. */
  readonly formats?: readonly string[];
}

/** A batch of a table, and what it was made from. (C85) */
export interface KeptBatch {
  /** null: the service has not confirmed it. */
  readonly id: string | null;
  /** The copy of the template on the service, which is deleted after the end. */
  readonly template: string;
  /** The ids of the rows, in the order of the batch. */
  readonly rows: readonly number[];
  /** The digest of each row as it was sent: a row with another one has changed. Absent in batches of earlier releases. */
  readonly digests?: readonly string[];
  readonly formats: readonly string[];
  /** What is sent, until the service has confirmed it: a page that is opened again goes on with the same request. */
  readonly request?: BatchToSend;
  /** The batches before it whose videos are still shown: those of rows that were not sent again. */
  readonly earlier?: readonly KeptBatch[];
  /** Until the service has confirmed it: the last batch before it, which counts again if this one is cancelled. */
  readonly before?: KeptBatch | null;
}

/** A batch as it is sent. */
export interface BatchToSend {
  /** So that a request that is repeated makes no second batch. (C9) */
  readonly key: string;
  /** The template as JSON. */
  readonly document: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly files: readonly MediaEntry[];
}
