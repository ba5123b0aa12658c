import type { Database } from '../../store/database.ts';
import type { LinkRecords } from '../../store/projects/link-records.ts';
import type { ProjectRecords } from '../../store/projects/project-records.ts';
import type { MediaApi } from '../api/media-api.ts';
import type { ProjectsApi } from '../api/projects-api.ts';
import type { Freeing } from '../freeing.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import type { Meter } from '../meter.ts';
import type { Uploads } from '../uploads.ts';
import { archiveProject } from './archive-project.ts';
import { ProjectLinks } from './project-links.ts';
import { type ProjectReader, Projects, type ProjectsPolicy } from './projects.ts';

interface ProjectsPorts {
  readonly database: Database;
  readonly projects: ProjectRecords;
  readonly links: LinkRecords;
  readonly uploads: Uploads;
  readonly quota: MediaQuota;
  readonly media: MediaApi;
  readonly planner: ProjectReader;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly policy: ProjectsPolicy;
  readonly meter: Meter;
  readonly now: () => number;
}

/** Gives each use case of projects the ports it uses. */
export function composeProjects(ports: ProjectsPorts): ProjectsApi {
  const projects = new Projects(ports);
  const links = new ProjectLinks({ ...ports, records: ports.projects, projects });
  return {
    save: (...sent) => projects.save(...sent),
    open: (tenant, id) => projects.open(tenant, id),
    list: (tenant, limit, after) => projects.list(tenant, limit, after),
    revisions: (tenant, id) => projects.revisions(tenant, id),
    archive: (tenant, id) => archiveProject(tenant, id, { ...ports, records: ports.projects, projects }),
    remove: (tenant, id, condition) => projects.remove(tenant, id, condition),
    setThumbnail: (tenant, id, picture, signal) => projects.setThumbnail(tenant, id, picture, signal),
    thumbnail: (tenant, id) => projects.thumbnail(tenant, id),
    share: (tenant, id) => links.share(tenant, id),
    links: (tenant, id) => links.list(tenant, id),
    revoke: (tenant, id, link) => links.revoke(tenant, id, link),
    openShared: (secret) => links.open(secret),
  };
}
