import { createHash } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { ProjectPlace, ProjectRecords, RevisionRecord } from '../../store/records/project-records.ts';
import type { MediaBytes } from '../api/media-api.ts';
import type { Meter } from '../api/meter.ts';
import type { OpenRevision, ProjectList, ReadProject, SaveCondition, SavedProject } from '../api/projects-api.ts';
import type { Freeing } from '../freeing.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import type { Uploads } from '../uploads.ts';

/** How many projects a tenant may have. */
export interface ProjectsPolicy {
  readonly maxProjects: number;
}

/** Reads a document in a thread; large ones would hold the event loop. (H60) */
interface ProjectReader {
  project(tenant: string, sent: { readonly document: Uint8Array }, signal: AbortSignal): Promise<ReadProject>;
}

interface ProjectsPorts {
  readonly database: Database;
  readonly projects: ProjectRecords;
  readonly uploads: Pick<Uploads, 'hold' | 'addBytes' | 'read' | 'drop'>;
  readonly quota: Pick<MediaQuota, 'requireWithin' | 'forget'>;
  readonly planner: ProjectReader;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly policy: ProjectsPolicy;
  readonly meter: Pick<Meter, 'projectSaved'>;
  readonly now: () => number;
}

/** How many revisions of a project are kept, including the current one. */
const MAX_REVISIONS = 50;
/** How many files a document may refer to. */
const MAX_REFERENCES = 2_000;
/** The same in all kept revisions; older ones are dropped. One transaction can delete as many on a full disk. (H27) */
const MAX_KEPT_REFERENCES = 10_000;

/** Projects and their revisions. Documents and thumbnails are stored as content, like uploads. (C76) */
export class Projects {
  readonly #ports: ProjectsPorts;

  constructor(ports: ProjectsPorts) {
    this.#ports = ports;
  }

  /** See ProjectsApi. */
  async save(
    tenant: string,
    id: string,
    document: Uint8Array,
    condition: SaveCondition,
    signal: AbortSignal,
  ): Promise<SavedProject> {
    const { database, projects, uploads, quota, planner, meter, now } = this.#ports;
    const { name, media } = await planner.project(tenant, { document }, signal);
    requireFewReferences(media);
    const sha256 = hashOf(document);
    const known = await projects.find(tenant, id, database);
    if (known?.document !== sha256) condition(known);
    using _held = uploads.hold([sha256]);
    await uploads.addBytes(sha256, document, signal);
    const dropped: string[] = [];
    const save = async (tx: Transaction): Promise<SavedProject> => {
      dropped.length = 0;
      const current = await projects.find(tenant, id, tx);
      if (current?.document === sha256) return { project: current, outcome: 'unchanged' };
      condition(current);
      if (current === null) await this.#requireFew(tenant, tx);
      const revision = (current?.revision ?? 0) + 1;
      const saved = { revision, name, document: sha256, bytes: document.length, savedAtMs: now() };
      await projects.save({ tenant, id, ...saved, media: hashesIn(media) }, tx);
      const upTo = await projects.lastRevisionOver(tenant, id, MAX_KEPT_REFERENCES, tx);
      dropped.push(...(await projects.trim(tenant, id, Math.max(upTo, revision - MAX_REVISIONS), tx)));
      await quota.requireWithin(tenant, tx, { savesProject: true });
      const project = (await projects.find(tenant, id, tx))!;
      return { project, outcome: current === null ? 'created' : 'saved' };
    };
    const saved = await database.transaction(save, { lockTenant: tenant });
    await uploads.drop(dropped);
    meter.projectSaved(saved.outcome);
    return saved;
  }

  /** See ProjectsApi. */
  async open(tenant: string, id: string): Promise<OpenRevision | null> {
    const record = await this.#ports.projects.find(tenant, id, this.#ports.database);
    return record && this.#opened(record);
  }

  /** See ProjectsApi. */
  async list(tenant: string, limit: number, after: ProjectPlace | null): Promise<ProjectList> {
    const { projects, database } = this.#ports;
    // One more than requested shows whether there is a next page.
    const found = await projects.list(tenant, limit + 1, after, database);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { projects: shown, next: last === undefined ? null : { savedAtMs: last.savedAtMs, id: last.id } };
  }

  /** See ProjectsApi. */
  async revisions(tenant: string, id: string): Promise<readonly OpenRevision[] | null> {
    const { projects, database } = this.#ports;
    const found = await projects.revisions(tenant, id, database);
    return found.length === 0 ? null : found.map((record) => this.#opened(record));
  }

  /** See ProjectsApi. */
  async remove(tenant: string, id: string, condition: SaveCondition): Promise<boolean> {
    const { database, projects, uploads, freeing, quota } = this.#ports;
    const remove = async (tx: Transaction): Promise<string[] | null> => {
      const current = await projects.find(tenant, id, tx);
      if (current === null) return null;
      condition(current);
      return projects.delete(tenant, id, tx);
    };
    const dropped = await freeing.run(() => database.transaction(remove, { lockTenant: tenant }));
    if (dropped === null) return false;
    quota.forget(tenant);
    await freeing.run(() => uploads.drop(dropped));
    return true;
  }

  /** See ProjectsApi. */
  async setThumbnail(tenant: string, id: string, picture: Buffer, signal: AbortSignal): Promise<boolean> {
    const { database, projects, uploads, quota } = this.#ports;
    const earlier = await projects.find(tenant, id, database);
    if (earlier === null) return false;
    const sha256 = hashOf(picture);
    using _held = uploads.hold([sha256]);
    await uploads.addBytes(sha256, picture, signal);
    const replace = async (tx: Transaction): Promise<boolean> => {
      const found = await projects.setThumbnail(tenant, id, sha256, picture.length, tx);
      await quota.requireWithin(tenant, tx, { savesProject: true });
      return found;
    };
    const found = await database.transaction(replace, { lockTenant: tenant });
    if (earlier.thumbnail !== null && earlier.thumbnail.sha256 !== sha256)
      await uploads.drop([earlier.thumbnail.sha256]);
    return found;
  }

  /** See ProjectsApi. */
  async thumbnail(tenant: string, id: string): Promise<MediaBytes | null> {
    const { projects, database, uploads } = this.#ports;
    const thumbnail = (await projects.find(tenant, id, database))?.thumbnail ?? null;
    return thumbnail && { ...thumbnail, stream: (range) => uploads.read(thumbnail.sha256, range) };
  }

  #opened<T extends RevisionRecord>(record: T): T & OpenRevision {
    return { ...record, stream: () => this.#ports.uploads.read(record.document) };
  }

  async #requireFew(tenant: string, tx: Transaction): Promise<void> {
    const { projects, policy } = this.#ports;
    if ((await projects.count(tenant, tx)) < policy.maxProjects) return;
    const message = `You have ${policy.maxProjects} projects, the maximum. Delete some.`;
    throw new ExportError('invalid', 'project.too_many', message);
  }
}

/** @param media see `ReadProject`: each file once. */
function requireFewReferences(media: string): void {
  const files = media.length / SHA256_DIGITS;
  if (files <= MAX_REFERENCES) return;
  const message = `The project refers to ${files} files; ${MAX_REFERENCES} are allowed.`;
  throw new ExportError('too_large', 'project.too_many_files', message, { path: '/media_refs' });
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const SHA256_DIGITS = 64;

/** The hashes of a `ReadProject`. */
function* hashesIn(media: string): Generator<string> {
  for (let at = 0; at < media.length; at += SHA256_DIGITS) yield media.slice(at, at + SHA256_DIGITS);
}
