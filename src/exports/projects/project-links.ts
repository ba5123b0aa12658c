import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RecentMap } from '../../collections.ts';
import { ExportError } from '../../errors.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { LinkRecords, ProjectRecords } from '../../store/records/project-records.ts';
import type { MediaApi } from '../api/media-api.ts';
import type { LinkView, OpenRevision, SharedDocument, SharedProject } from '../api/projects-api.ts';
import type { Planner } from '../submit/planner.ts';
import type { Projects } from './keep-projects.ts';

interface ProjectLinksPorts {
  readonly database: Database;
  readonly records: Pick<ProjectRecords, 'find' | 'mediaOf'>;
  readonly links: LinkRecords;
  readonly projects: Pick<Projects, 'open' | 'thumbnail'>;
  readonly media: Pick<MediaApi, 'open'>;
  readonly planner: Pick<Planner, 'sharedProject'>;
  readonly now: () => number;
}

/** Links that a project may have at a time. */
const MAX_LINKS = 20;

/** 192 bits cannot be guessed. */
const SECRET_BYTES = 24;

/** Secret addresses that read a project without a key, until they are revoked. (C76) */
export class ProjectLinks {
  readonly #ports: ProjectLinksPorts;
  /** The files that links of a revision do not show: a page asks for one file after the other. */
  readonly #hidden = new RecentMap<string, Promise<ReadonlySet<string>>>(100);

  constructor(ports: ProjectLinksPorts) {
    this.#ports = ports;
  }

  /** See ProjectsApi. */
  async share(tenant: string, id: string): Promise<(LinkView & { readonly secret: string }) | null> {
    const { database, records, links, now } = this.#ports;
    const link = { id: randomUUID(), createdAtMs: now(), secret: randomBytes(SECRET_BYTES).toString('base64url') };
    const add = async (tx: Transaction): Promise<boolean> => {
      if ((await records.find(tenant, id, tx)) === null) return false;
      if ((await links.list({ tenant, id }, tx)).length >= MAX_LINKS) throw tooMany();
      await links.add({ tenant, id }, link, sha256(link.secret), tx);
      return true;
    };
    return (await database.transaction(add, { lockTenant: tenant })) ? link : null;
  }

  /** See ProjectsApi. */
  async list(tenant: string, id: string): Promise<readonly LinkView[] | null> {
    const { database, records, links } = this.#ports;
    if ((await records.find(tenant, id, database)) === null) return null;
    return links.list({ tenant, id }, database);
  }

  /** See ProjectsApi. */
  revoke(tenant: string, id: string, link: string): Promise<boolean> {
    return this.#ports.links.delete({ tenant, id }, link, this.#ports.database);
  }

  /** See ProjectsApi. */
  async open(secret: string): Promise<SharedProject | null> {
    const { database, records, links, projects, media } = this.#ports;
    const linked = await links.open(sha256(secret), database);
    if (linked === null) return null;
    const { tenant, id } = linked;
    const project = await projects.open(tenant, id);
    if (project === null) return null;
    return {
      document: async () => {
        const shown = await this.#shown(tenant, project);
        if (shown === null) return project;
        const { document } = shown;
        return { ...project, bytes: document.length, stream: async () => Readable.from([document]) };
      },
      media: async (hash) => {
        const shared = await records.mediaOf(tenant, id, database);
        return shared.has(hash) && !(await this.#isHidden(tenant, project, hash)) ? media.open(tenant, hash) : null;
      },
      thumbnail: () => projects.thumbnail(tenant, id),
    };
  }

  /** What links show of a revision; null: all of it. */
  async #shown(tenant: string, { stream }: OpenRevision): Promise<SharedDocument | null> {
    const document = await buffer(await stream());
    // Nearly no project has a table. The name in another place costs a look in a thread.
    if (!document.includes('"table"')) return null;
    return this.#ports.planner.sharedProject(tenant, { document }, new AbortController().signal);
  }

  async #isHidden(tenant: string, project: OpenRevision, sha256: string): Promise<boolean> {
    const key = `${tenant} ${project.document}`;
    const found = this.#hidden.getOrMake(key, async () => {
      const { hidden } = (await this.#shown(tenant, project)) ?? { hidden: '' };
      return new Set(hidden.match(/[\da-f]{64}/g));
    });
    // A busy planner is no answer to keep.
    found.catch(() => this.#hidden.delete(key));
    return (await found).has(sha256);
  }
}

function tooMany(): ExportError {
  const message = `The project has ${MAX_LINKS} links, the maximum. Revoke one.`;
  return new ExportError('invalid', 'link.too_many', message);
}
