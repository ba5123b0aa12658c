import type { Connection } from './connection.ts';
import { createExport, type WaitForRoom } from './create-export.ts';
import { everyPage } from './every-page.ts';
import { framePicture } from './frame-picture.ts';
import type { FramePicture } from './requests.ts';
import type {
  Export,
  LinkList,
  NewLink,
  Project,
  ProjectExport,
  ProjectFrame,
  ProjectList,
  ProjectMetadata,
  RevisionList,
  Validation,
} from './wire-types.ts';

interface Abortable {
  readonly signal?: AbortSignal;
}

/** A project as it was sent, and the tag of its revision. */
export interface StoredProject {
  readonly project: Project;
  /** The value for `save` to overwrite this revision. */
  readonly etag: string;
}

/** What a video of a stored project is made with. */
export interface ProjectExportRequest extends ProjectExport {
  /** The same key and content again return the same export; random if absent. */
  readonly idempotencyKey?: string;
}

/** A frame of a video of a stored project. */
export interface ProjectFrameRequest extends ProjectFrame {
  readonly type?: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** Project documents, stored with their revisions. */
export class Projects {
  readonly #connection: Connection;
  readonly #newKey: () => string;

  /** @param newKey for an export without a key of its own, so that a broken connection makes no second one. */
  constructor(connection: Connection, newKey: () => string) {
    this.#connection = connection;
    this.#newKey = newKey;
  }

  /**
   * Stores a project under a UUID of your choice. To overwrite one, pass the `etag` of the revision you have. A text is
   * stored exactly as it is.
   *
   * @throws TiercutError `request.if_match_required` without an etag, `request.precondition` if another client has saved meanwhile.
   */
  save(id: string, project: Project | string, { etag, signal }: Abortable & { readonly etag?: string } = {}) {
    const headers = {
      ...(etag !== undefined && { 'if-match': etag }),
      ...(typeof project === 'string' && { 'content-type': 'application/json' }),
    };
    const sent = typeof project === 'string' ? { body: project } : { json: project };
    return this.#connection.json<ProjectMetadata>(pathOf(id), { method: 'PUT', headers, ...sent, signal });
  }

  /** The current revision, or an earlier one. */
  get(id: string, { revision, signal }: Abortable & { readonly revision?: number } = {}): Promise<StoredProject> {
    return this.#read(revision === undefined ? pathOf(id) : `${pathOf(id)}/revisions/${revision}`, signal);
  }

  /** The project that a link reads, by the secret at the end of the link's `url`. */
  shared(secret: string, { signal }: Abortable = {}): Promise<StoredProject> {
    return this.#read(sharedPath(secret), signal);
  }

  /** The bytes of a file of that project. */
  sharedBytes(secret: string, sha256: string, { signal }: Abortable = {}): Promise<Blob> {
    return this.#connection.blob(`${sharedPath(secret)}/media/${encodeURIComponent(sha256)}`, { signal });
  }

  /** A page of your projects, last saved first. */
  list(query: { limit?: number; cursor?: string } & Abortable = {}): Promise<ProjectList> {
    const { signal, ...asked } = query;
    const given = Object.entries(asked).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    return this.#connection.json(`/projects?${parameters}`, { signal });
  }

  /** Yields your projects, last saved first, page by page. */
  async *all({ signal }: Abortable = {}): AsyncGenerator<ProjectList['projects'][number], void, undefined> {
    yield* everyPage(
      (cursor) => this.list({ ...(cursor !== undefined && { cursor }), ...(signal && { signal }) }),
      ({ projects }) => projects,
    );
  }

  /**
   * Starts an export of a project, with `values` for the fields of a template.
   *
   * @throws TiercutError `queue.full` if there is no room in the queue within `roomWithinMs`.
   */
  export(
    id: string,
    { idempotencyKey = this.#newKey(), ...json }: ProjectExportRequest = {},
    options: WaitForRoom = {},
  ): Promise<Export> {
    return createExport(this.#connection, `${pathOf(id)}/exports`, { json, idempotencyKey }, options);
  }

  /** Returns the errors and warnings that an export of a project would have. Creates nothing. */
  validate(id: string, json: ProjectExport = {}, { signal }: Abortable = {}): Promise<Validation> {
    return this.#connection.json(`${pathOf(id)}/validate`, { method: 'POST', json, signal });
  }

  /** One frame of a project, exactly as its video will have it. */
  frame(
    id: string,
    { type = 'image/png', ...json }: ProjectFrameRequest,
    { signal }: Abortable = {},
  ): Promise<FramePicture> {
    return framePicture(this.#connection, `${pathOf(id)}/frames`, { json, type, signal });
  }

  /** The kept revisions, the last first. */
  revisions(id: string, { signal }: Abortable = {}): Promise<RevisionList> {
    return this.#connection.json(`${pathOf(id)}/revisions`, { signal });
  }

  /** The project with its revisions and media: the bytes of a .zip, which can be larger than the memory. */
  async archive(id: string, { signal }: Abortable = {}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const response = await this.#connection.send(`${pathOf(id)}/archive`, { signal });
    return response.body!;
  }

  /** Deletes a project with its revisions and links. */
  async delete(id: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(pathOf(id), { method: 'DELETE', signal });
  }

  /** Sets the thumbnail: a PNG, JPEG or WebP of up to 256 KiB. */
  async setThumbnail(id: string, picture: Blob, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(`${pathOf(id)}/thumbnail`, { method: 'PUT', body: picture, signal });
  }

  /** Its thumbnail. */
  thumbnail(id: string, { signal }: Abortable = {}): Promise<Blob> {
    return this.#connection.blob(`${pathOf(id)}/thumbnail`, { headers: { accept: 'image/*' }, signal });
  }

  /** Makes a secret address that reads the project and its media without a key. Sent once: a second one would be a second link. */
  async share(id: string, { signal }: Abortable = {}): Promise<NewLink> {
    const response = await this.#connection.send(`${pathOf(id)}/links`, { method: 'POST', signal });
    return (await response.json()) as NewLink;
  }

  links(id: string, { signal }: Abortable = {}): Promise<LinkList> {
    return this.#connection.json(`${pathOf(id)}/links`, { signal });
  }

  async revoke(id: string, link: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(`${pathOf(id)}/links/${encodeURIComponent(link)}`, { method: 'DELETE', signal });
  }

  #read(path: string, signal: AbortSignal | undefined): Promise<StoredProject> {
    return this.#connection.again(async () => {
      const response = await this.#connection.send(path, { headers: { accept: 'application/json' }, signal });
      return { project: (await response.json()) as Project, etag: response.headers.get('etag') ?? '' };
    }, signal);
  }
}

function sharedPath(secret: string): string {
  return `/shared/${encodeURIComponent(secret)}`;
}

function pathOf(id: string): string {
  return `/projects/${encodeURIComponent(id)}`;
}
