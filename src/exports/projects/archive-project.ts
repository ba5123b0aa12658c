import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  ARCHIVE_FILE,
  MISSING_FILE,
  manifestOf,
  mediaPaths,
  missingText,
  PROJECT_FILE,
  type ProjectJson,
  projectFileOf,
  revisionPath,
} from '../../archive/project-archive.ts';
import { MAGIC_BYTES, pictureMagic } from '../../image-header/read-image-header.ts';
import type { Database } from '../../store/database.ts';
import type { LinkRecords, ProjectRecords } from '../../store/records/project-records.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import type { MediaApi, MediaBytes } from '../api/media-api.ts';
import type { ArchiveFile, OpenRevision, ProjectArchive } from '../api/projects-api.ts';
import type { Projects } from './keep-projects.ts';

interface ArchivePorts {
  readonly database: Database;
  readonly records: Pick<ProjectRecords, 'find' | 'mediaOf' | 'storedMedia'>;
  readonly links: Pick<LinkRecords, 'list'>;
  readonly projects: Pick<Projects, 'revisions' | 'thumbnail'>;
  readonly media: Pick<MediaApi, 'open'>;
}

/**
 * A project with its revisions and media, as files. Only the current document is read here; everything else is read when
 * its file is sent. null if there is no such project. (C89)
 */
export async function archiveProject(tenant: string, id: string, ports: ArchivePorts): Promise<ProjectArchive | null> {
  const { database, records, links, projects, media } = ports;
  const record = await records.find(tenant, id, database);
  const revisions = (await projects.revisions(tenant, id))?.toReversed();
  const current = revisions?.at(-1);
  if (record === null || revisions === undefined || current === undefined) return null;
  const document = await readDocument(current);
  const paths = mediaPaths([document]);
  const stored: (MediaBytes & { readonly path: string })[] = [];
  for (const sha256 of await records.storedMedia(tenant, id, database)) {
    const content = await media.open(tenant, sha256);
    if (content !== null) stored.push({ ...content, path: paths.get(sha256) ?? `media/${sha256}` });
  }
  const known = new Set(stored.map(({ sha256 }) => sha256));
  const missing = [...(await records.mediaOf(tenant, id, database))].filter((sha256) => !known.has(sha256)).sort();
  const thumbnail = await named(await projects.thumbnail(tenant, id));
  const files = revisions.map((one) => ({ ...one, path: revisionPath(one.revision), sha256: one.document }));
  const manifest = manifestOf({
    project_id: id,
    name: current.name,
    created_at: timeText(record.createdAtMs),
    revisions: files.map(({ path, sha256, bytes, revision, name, savedAtMs }) => {
      return { path, sha256, bytes, revision, name, saved_at: timeText(savedAtMs) };
    }),
    media: stored.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    missing,
    thumbnail: thumbnail && { path: thumbnail.path, sha256: thumbnail.sha256, bytes: thumbnail.bytes },
    links: (await links.list({ tenant, id }, database)).map((link) => {
      return { link_id: link.id, created_at: timeText(link.createdAtMs) };
    }),
  });
  const project = projectFileOf(document, new Map(stored.map(({ sha256, path }) => [sha256, path])));
  return {
    name: current.name,
    files: [
      text(PROJECT_FILE, `${JSON.stringify(project, null, 2)}\n`),
      text(ARCHIVE_FILE, `${JSON.stringify(manifest, null, 2)}\n`),
      ...(missing.length > 0 ? [text(MISSING_FILE, missingText(manifest))] : []),
      ...(thumbnail === null ? [] : [thumbnail]),
      ...files,
      ...stored,
    ].map(({ path, bytes, stream }) => ({ path, bytes, stream: () => stream() })),
  };
}

/** It was checked when it was saved. */
async function readDocument(revision: OpenRevision): Promise<ProjectJson> {
  const json: unknown = JSON.parse((await buffer(await revision.stream())).toString('utf8'));
  return isObject(json) ? json : {};
}

async function named(thumbnail: MediaBytes | null): Promise<(MediaBytes & { readonly path: string }) | null> {
  if (thumbnail === null) return null;
  const head = await buffer(await thumbnail.stream({ start: 0, end: Math.min(MAGIC_BYTES, thumbnail.bytes) }));
  return { ...thumbnail, path: `thumbnail.${pictureMagic(head)}` };
}

function text(path: string, content: string): ArchiveFile {
  const bytes = Buffer.from(content);
  return { path, bytes: bytes.length, stream: async () => Readable.from([bytes]) };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
