import { ExportError } from '../errors.ts';
import { isObject } from '../timeline/json/json-object.ts';
import { shownText, shownValue } from '../timeline/json/shown-value.ts';
import { MEDIA_REFS, readSha256 } from '../timeline/media-references.ts';
import { readStored } from '../timeline/project/project-media.ts';

/**
 * A project as files: in a folder, or in a .zip. `project.json` and `media/` are what `render` and the studio open;
 * `revisions/` has every kept revision as it was saved, and `archive.json` lists everything. (C89)
 */
export const ARCHIVE_FILE = 'archive.json';
export const PROJECT_FILE = 'project.json';
export const MISSING_FILE = 'MISSING.txt';
const FORMAT = 'tiercut.project';
const VERSION = 1;

/** A file of an archive and its content. */
export interface ArchivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A revision of an archive. */
interface ArchivedRevision extends ArchivedFile {
  readonly revision: number;
  readonly name: string;
  readonly saved_at: string;
}

/** `archive.json`. */
export interface ArchiveManifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: string;
  /** Oldest first; the last one is the current one. */
  readonly revisions: readonly ArchivedRevision[];
  readonly media: readonly ArchivedFile[];
  /** SHA-256 of media that the current revision refers to and the service does not have. */
  readonly missing: readonly string[];
  readonly thumbnail: ArchivedFile | null;
  /** Their secrets are stored nowhere. */
  readonly links: readonly { readonly link_id: string; readonly created_at: string }[];
}

/** A project as JSON. */
export type ProjectJson = Readonly<Record<string, unknown>>;

/** The manifest of a project. */
export function manifestOf(parts: Omit<ArchiveManifest, 'format' | 'version'>): ArchiveManifest {
  return { format: FORMAT, version: VERSION, ...parts };
}

export function revisionPath(revision: number): string {
  return `revisions/${revision}.json`;
}

/**
 * The path of each medium that the projects refer to. A hash is a safe name on every system; the extension is that of
 * the name in the project, if it is a plain one.
 */
export function mediaPaths(projects: readonly ProjectJson[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const project of projects) {
    for (const [field, sha256] of referencesOf(project)) {
      if (!paths.get(sha256)?.includes('.')) paths.set(sha256, `media/${sha256}${extensionOf(project, field)}`);
    }
  }
  return paths;
}

/** The project file of a revision: fields have the paths of their media in place of references. */
export function projectFileOf(project: ProjectJson, stored: ReadonlyMap<string, string>): ProjectJson {
  const { [MEDIA_REFS]: references, ...rest } = project;
  const media: Record<string, unknown> = isObject(rest.media) ? { ...rest.media } : {};
  const left: Record<string, unknown> = isObject(references) ? { ...references } : {};
  for (const [field, sha256] of referencesOf(project)) {
    const path = stored.get(sha256);
    if (path === undefined) continue;
    media[field] = path;
    delete left[field];
  }
  return { ...rest, media, ...(Object.keys(left).length > 0 && { [MEDIA_REFS]: left }) };
}

/** What the archive lacks, for people. */
export function missingText({ name, missing }: Pick<ArchiveManifest, 'name' | 'missing'>): string {
  return [
    `The project "${name}" refers to media that the service did not have when this archive was made:`,
    '',
    ...missing.map((sha256) => `  ${sha256}`),
    '',
    'They were never uploaded, or they were deleted. Entries of the timeline that use them cannot be rendered.',
    '',
  ].join('\n');
}

/** The references of a project, by field. Wrong ones are ignored: they were refused when it was saved. */
function referencesOf(project: ProjectJson): [field: string, sha256: string][] {
  const { [MEDIA_REFS]: references, media } = project;
  const older = Object.entries(isObject(references) ? references : {}).map(([field, hash]) => {
    return [field, typeof hash === 'string' ? readSha256(hash) : null] as const;
  });
  const named = Object.entries(isObject(media) ? media : {}).map(
    ([field, place]) => [field, readStored(place)] as const,
  );
  return [...older, ...named].flatMap(([field, sha256]) =>
    sha256 === null ? [] : [[field, sha256] as [string, string]],
  );
}

function extensionOf({ media, studio }: ProjectJson, field: string): string {
  const own = isObject(studio) && isObject(studio.media) ? studio.media[field] : undefined;
  const names = [isObject(own) ? own.name : undefined, isObject(media) ? media[field] : undefined];
  const [, extension] = names.map((name) => /\.([a-z\d]{1,5})$/i.exec(String(name ?? ''))).find((found) => found) ?? [];
  return extension === undefined ? '' : `.${extension.toLowerCase()}`;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** The only paths that an archive has: no folder above, no absolute path, no name that a system reserves. */
const PATHS = {
  revisions: /^revisions\/\d{1,15}\.json$/,
  media: /^media\/[\da-f]{64}(\.[a-z\d]{1,5})?$/,
  thumbnail: /^thumbnail\.(png|jpeg|webp)$/,
} as const;
/** More than a project can have. */
const MAX_REVISIONS = 1_000;
const MAX_MEDIA = 100_000;

/** @throws `archive.invalid`, with the place of the first fault. */
export function readManifest(json: unknown): ArchiveManifest {
  const manifest = objectAt(json, '');
  if (manifest.format !== FORMAT) throw invalid('/format', manifest.format, `"${FORMAT}"`);
  if (manifest.version !== VERSION) throw invalid('/version', manifest.version, `${VERSION}`);
  const id = textAt(manifest.project_id, '/project_id');
  if (!UUID.test(id)) throw invalid('/project_id', id, 'a UUID');
  const revisions = listAt(manifest.revisions, '/revisions', MAX_REVISIONS).map((one, place) => {
    const path = `/revisions/${place}`;
    const { revision, name, saved_at } = objectAt(one, path);
    return {
      ...fileAt(one, path, PATHS.revisions),
      revision: countAt(revision, `${path}/revision`),
      name: textAt(name, `${path}/name`),
      saved_at: textAt(saved_at, `${path}/saved_at`),
    };
  });
  if (revisions.length === 0) throw invalid('/revisions', [], 'at least one revision');
  return manifestOf({
    project_id: id.toLowerCase(),
    name: textAt(manifest.name, '/name'),
    created_at: textAt(manifest.created_at, '/created_at'),
    revisions,
    media: listAt(manifest.media, '/media', MAX_MEDIA).map((one, place) => {
      const file = fileAt(one, `/media/${place}`, PATHS.media);
      if (!file.path.startsWith(`media/${file.sha256}`))
        throw invalid(`/media/${place}/path`, file.path, 'its own hash');
      return file;
    }),
    missing: listAt(manifest.missing, '/missing', MAX_MEDIA).map((one, place) => hashAt(one, `/missing/${place}`)),
    thumbnail: manifest.thumbnail === null ? null : fileAt(manifest.thumbnail, '/thumbnail', PATHS.thumbnail),
    links: listAt(manifest.links, '/links', MAX_REVISIONS).map((one, place) => {
      const { link_id, created_at } = objectAt(one, `/links/${place}`);
      const path = `/links/${place}`;
      return { link_id: textAt(link_id, `${path}/link_id`), created_at: textAt(created_at, `${path}/created_at`) };
    }),
  });
}

function fileAt(json: unknown, place: string, allowed: RegExp): ArchivedFile {
  const file = objectAt(json, place);
  const path = textAt(file.path, `${place}/path`);
  if (!allowed.test(path)) throw invalid(`${place}/path`, path, `a path such as ${exampleOf(allowed)}`);
  return { path, sha256: hashAt(file.sha256, `${place}/sha256`), bytes: countAt(file.bytes, `${place}/bytes`) };
}

function exampleOf(allowed: RegExp): string {
  if (allowed === PATHS.media) return 'media/<sha256>.mp4';
  return allowed === PATHS.revisions ? 'revisions/1.json' : 'thumbnail.png';
}

function objectAt(json: unknown, place: string): ProjectJson {
  if (!isObject(json)) throw invalid(place, json, 'an object');
  return json;
}

function listAt(json: unknown, place: string, max: number): readonly unknown[] {
  if (!Array.isArray(json)) throw invalid(place, json, 'a list');
  if (json.length > max) throw invalid(place, `${json.length} entries`, `at most ${max}`);
  return json;
}

function textAt(json: unknown, place: string): string {
  if (typeof json !== 'string') throw invalid(place, json, 'a text');
  return json;
}

function countAt(json: unknown, place: string): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw invalid(place, json, 'a whole number from 0');
  return json as number;
}

function hashAt(json: unknown, place: string): string {
  const sha256 = typeof json === 'string' ? readSha256(json) : null;
  if (sha256 === null) throw invalid(place, json, 'a SHA-256 of 64 hexadecimal digits');
  return sha256;
}

function invalid(path: string, found: unknown, allowed: string): ExportError {
  const shown = typeof found === 'string' ? shownText(found) : shownValue(found);
  const message = `${ARCHIVE_FILE}${path === '' ? '' : ` ${path}`} must be ${allowed}, not ${shown}.`;
  return new ExportError('malformed', 'archive.invalid', message);
}
