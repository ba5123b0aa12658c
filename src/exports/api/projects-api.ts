import type { Readable } from 'node:stream';
import type { ProjectPlace, ProjectRecord } from '../../store/projects/project-records.ts';
import type { MediaBytes } from './media-api.ts';

/** A project without its document. */
export type ProjectView = Omit<ProjectRecord, 'tenant'>;

/** A revision, without its document. */
export type RevisionView = Pick<ProjectView, 'revision' | 'name' | 'document' | 'bytes' | 'savedAtMs'>;

/** A revision, and its document as it was sent. */
export interface OpenRevision extends RevisionView {
  stream(): Promise<Readable>;
}

/** A sent project. Only what the store needs is checked. */
export interface SentProject {
  /** The exact bytes of the document. */
  readonly document: Buffer;
  readonly name: string;
  /** SHA-256 of the media that it refers to, stored or not. */
  readonly media: readonly string[];
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

/** What a secret address opens: the current revision, its media and its thumbnail. */
export interface SharedProject {
  readonly project: OpenRevision;
  /** null if the project does not refer to it, or if it is not stored. */
  media(sha256: string): Promise<MediaBytes | null>;
  thumbnail(): Promise<MediaBytes | null>;
}

/** What HTTP needs of projects. Other tenants cannot see them. (C76) */
export interface ProjectsApi {
  /**
   * Saves a project. The same document as the current one makes no revision, whatever the condition says: a client that repeats
   * a save whose response was lost gets the same response.
   *
   * @throws what `condition` throws, `project.too_many`, `media.quota_full`.
   */
  save(
    tenant: string,
    id: string,
    sent: SentProject,
    condition: SaveCondition,
    signal: AbortSignal,
  ): Promise<SavedProject>;
  /** The current revision; null if there is no such project. */
  open(tenant: string, id: string): Promise<OpenRevision | null>;
  list(tenant: string, limit: number, after: ProjectPlace | null): Promise<ProjectList>;
  /** null if there is no such project. */
  revisions(tenant: string, id: string): Promise<readonly OpenRevision[] | null>;
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
  /** null if no link has this secret. */
  openShared(secret: string): Promise<SharedProject | null>;
}
