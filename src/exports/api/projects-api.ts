import type { Readable } from 'node:stream';
import type { DraftState } from '../../store/records/draft-records.ts';
import type { ProjectPlace, ProjectRecord } from '../../store/records/project-records.ts';
import type { Range, Seconds } from '../../time.ts';
import type { MediaBytes } from './media-api.ts';
import type { ProjectSource, SentTexts, Submission } from './submission.ts';

/** A project without its document. */
export type ProjectView = Omit<ProjectRecord, 'tenant'>;

/** A revision, without its document. */
export type RevisionView = Pick<ProjectView, 'revision' | 'name' | 'document' | 'bytes' | 'savedAtMs'>;

/** A revision, and its document as it was sent. */
export interface OpenRevision extends RevisionView {
  stream(): Promise<Readable>;
}

/** What the store needs of a project. */
export interface ReadProject {
  readonly name: string;
  /** The SHA-256 of each file that it refers to, once, one after the other: one text is cheap to receive. */
  readonly media: string;
}

/** Whether a client may overwrite a project, by the revision it has seen. null: there is no project yet. */
export type SaveCondition = (current: ProjectView | null) => void;

/** A saved project. */
export interface SavedProject {
  readonly project: ProjectView;
  readonly outcome: 'created' | 'saved' | 'unchanged';
}

/** A page of a tenant's projects. */
export interface ProjectList {
  /** Last saved first. */
  readonly projects: readonly ProjectView[];
  readonly next: ProjectPlace | null;
}

/** A secret address of a project. */
export interface LinkView {
  readonly id: string;
  readonly createdAtMs: number;
}

/** A project as its links show it: without the table of episodes that the studio keeps in it. */
export interface SharedDocument {
  readonly document: Uint8Array;
  /** The SHA-256 of each file that is in the table only, one after the other. */
  readonly hidden: string;
}

/** What a secret address opens: the current revision, its media and its thumbnail. */
export interface SharedProject {
  document(): Promise<OpenRevision>;
  /** null if the project does not refer to it, or if it is not stored. */
  media(sha256: string): Promise<MediaBytes | null>;
  thumbnail(): Promise<MediaBytes | null>;
}

/** A file of an archive, which is read when it is sent. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
  /** @throws `store.blob_missing` before the first byte. */
  stream(): Promise<Readable>;
}

/** A project with its revisions and media, as files. (C89) */
export interface ProjectArchive {
  readonly name: string;
  readonly files: readonly ArchiveFile[];
}

/** The body of a request for a stored project. */
export interface ProjectBody {
  readonly id: string;
  readonly body: Uint8Array;
  /** Additional texts and numbers that it may have. */
  readonly plainFields: readonly string[];
}

/** The form of a project with its values. (C84) */
export interface ExportedProject {
  readonly texts: SentTexts;
  /** Equal for the same project and the same content of bodies. (C9) */
  readonly requestHash: string;
  readonly source: ProjectSource;
}

/** What HTTP needs of projects. Other tenants cannot see them. (C76) */
export interface ProjectsApi {
  /**
   * Saves a project. The same document as the current one makes no revision, whatever the condition says: a client that repeats
   * a save whose response was lost gets the same response. Only what the store needs of the document is checked.
   *
   * @throws what `condition` throws, `project.too_many`, `media.quota_full`.
   */
  save(
    tenant: string,
    id: string,
    document: Uint8Array,
    condition: SaveCondition,
    signal: AbortSignal,
  ): Promise<SavedProject>;
  /** The current revision; null if there is no such project. */
  open(tenant: string, id: string): Promise<OpenRevision | null>;
  list(tenant: string, limit: number, after: ProjectPlace | null): Promise<ProjectList>;
  /** null if there is no such project. */
  revisions(tenant: string, id: string): Promise<readonly OpenRevision[] | null>;
  /** null if there is no such project. */
  archive(tenant: string, id: string): Promise<ProjectArchive | null>;
  /** False if there is no such project. @throws what `condition` throws. */
  remove(tenant: string, id: string, condition: SaveCondition): Promise<boolean>;
  /** False if there is no such project. @throws `media.quota_full` */
  setThumbnail(tenant: string, id: string, picture: Buffer, signal: AbortSignal): Promise<boolean>;
  /** null if there is no such project, or if it has none. */
  thumbnail(tenant: string, id: string): Promise<MediaBytes | null>;
  /** A new link and its secret, which is not stored; null if there is no such project. @throws `link.too_many` */
  share(tenant: string, id: string): Promise<(LinkView & { readonly secret: string }) | null>;
  /** null if there is no such project. */
  links(tenant: string, id: string): Promise<readonly LinkView[] | null>;
  /** False if there is no such link. */
  revoke(tenant: string, id: string, link: string): Promise<boolean>;
  /**
   * The form of a project with the values of a body; null if there is no such project or revision. @throws ExportError with all
   * errors of the body and of the project's fields. (C84)
   */
  form(tenant: string, sent: ProjectBody, signal: AbortSignal): Promise<ExportedProject | null>;
  /** null if no link has this secret. */
  openShared(secret: string): Promise<SharedProject | null>;
}

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
