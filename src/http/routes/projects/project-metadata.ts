import type { LinkView, ProjectView, RevisionView } from '../../../exports/api/projects-api.ts';

/** A project as clients see it, without its document. (C76) */
export function projectMetadata({ id, createdAtMs, thumbnail, ...project }: ProjectView) {
  const self = `/projects/${id}`;
  return {
    project_id: id,
    ...revisionMetadata(project),
    created_at: new Date(createdAtMs).toISOString(),
    links: { self, revisions: `${self}/revisions`, thumbnail: thumbnail === null ? null : `${self}/thumbnail` },
  };
}

export function revisionMetadata({ name, revision, bytes, savedAtMs, document }: RevisionView) {
  const etag = projectTag({ revision, document });
  return { name, revision, etag, bytes, saved_at: new Date(savedAtMs).toISOString() };
}

export function linkMetadata({ id, createdAtMs }: LinkView) {
  return { link_id: id, created_at: new Date(createdAtMs).toISOString() };
}

/** Differs if a project was deleted and another one was saved under its id. */
export function projectTag({ revision, document }: Pick<RevisionView, 'revision' | 'document'>): string {
  return `"${revision}.${document.slice(0, 16)}"`;
}
