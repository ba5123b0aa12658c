import { TiercutError } from '../../../packages/client/src/client.ts';
import type { Project } from '../document/project.ts';
import { type Remote, saveBeside } from '../keeping/project-store.ts';
import { mediaFile } from '../media/media-store.ts';
import { service } from '../service/service.ts';
import { uploadMedia } from '../service/upload-media.ts';
import { edit } from '../session/session.ts';
import * as texts from '../texts/en/projects.ts';
import { type MediaOrigin, readStored } from './fetch-media.ts';
import { drawPicture } from './project-picture.ts';
import { StaleRevision, type SyncPort, type Theirs } from './project-sync.ts';
import { digestOf, wireProject } from './wire-project.ts';

/** The service of this page, for one project. Requests are retried until it responds. */
export function servicePort(projectId: string, remote: Remote): SyncPort {
  const { id } = remote;
  let drawn: Project['tier_list'] | null = null;
  return {
    async save(project, etag, signal) {
      for (const { hash } of Object.values(project.studio.media)) {
        const file = await mediaFile(hash);
        // A file that is missing here is already on the service, or arrives later.
        if (file !== null) await uploadMedia(hash, file, { signal });
      }
      const { etag: saved } = await service.projects
        .save(id, wireProject(project), { ...(etag !== null && { etag }), signal })
        .catch((error: unknown) => {
          throw isStale(error) ? new StaleRevision() : error;
        });
      if (drawn !== project.tier_list) {
        drawn = project.tier_list;
        const picture = await drawPicture(project);
        if (picture !== null) await service.projects.setThumbnail(id, picture, { signal }).catch(() => null);
      }
      return saved;
    },
    tag: async (signal) => (await orNull(service.projects.revisions(id, { signal })))?.revisions[0]?.etag ?? null,
    read: (signal) => readTheirs(id, signal),
    digest: async (project) => digestOf(wireProject(project)),
    remember: (known) => saveBeside(projectId, { remote: known }),
    show: replaceProject,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Files stored on the service. */
export const ofService: MediaOrigin = (sha256, signal) => service.bytes(sha256, { signal });

/** The stored project; null if there is none. */
export async function readTheirs(id: string, signal: AbortSignal): Promise<Theirs | null> {
  const stored = await orNull(service.projects.get(id, { signal }));
  if (stored === null) return null;
  const { revisions } = await service.projects.revisions(id, { signal });
  const project = await readStored(stored.project, ofService, signal);
  const savedAtMs = Date.parse(revisions.find(({ etag }) => etag === stored.etag)?.saved_at ?? '') || Date.now();
  return { project, etag: stored.etag, savedAtMs, digest: digestOf(stored.project) };
}

/** Makes one undo step, so that the previous project is not lost. */
function replaceProject(next: Project): void {
  edit(texts.theirChanges, (draft) => {
    Object.assign(draft, next);
  });
}

function isStale(error: unknown): boolean {
  return error instanceof TiercutError && (error.status === 412 || error.status === 428);
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof TiercutError && error.status === 404) return null;
    throw error;
  });
}
