import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ExportError, type Issue } from '../../errors.ts';
import type { MediaRef } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { nearestName } from '../../timeline/json/nearest-name.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { MEDIA_REFS, MEDIA_URLS } from '../../timeline/media-references.ts';
import { checkedValues, filledProject, type Project, readProject } from '../../timeline/project/fill-project.ts';
import type { MediaPlace } from '../../timeline/project/project-media.ts';
import type { CheckedValues } from '../../timeline/project/template-values.ts';
import { DOCUMENT_FIELDS, type RequestDocuments } from '../../timeline/request-documents.ts';
import { requireSubtitleSize, subtitleTextOf } from '../../timeline/subtitle-file/subtitle-texts.ts';

/** A request on disk: the documents, and the file of each `file_field`. */
export interface ProjectFile {
  readonly documents: RequestDocuments;
  /** Absolute paths by `file_field`. */
  readonly media: ReadonlyMap<string, string>;
  /** The web addresses of others, by `file_field`. (C66) */
  readonly addresses: ReadonlyMap<string, string>;
  /** Those that are stored on a service. (C82) */
  readonly stored: ReadonlyMap<string, Extract<MediaPlace, { kind: 'stored' }>>;
  readonly warnings: readonly Issue[];
}

/** A project that was read, and is filled in once or many times. (C83) */
export interface ProjectTemplate {
  readonly project: Project;
  /** The documents of older clients, which are not filled in. (C25) */
  readonly older: RequestDocuments;
  /** Paths of media are relative to it. */
  readonly folder: string;
  /** Warnings about unknown keys. */
  readonly warnings: readonly Issue[];
}

/**
 * Reads a project file, with the defaults of its fields. (C82)
 *
 * @param sent the value of `--values`: JSON, or the path of a JSON file; paths of media in it are relative to the project.
 */
export async function readProjectFile(
  file: string,
  sent: string | undefined,
  limits: JsonLimits,
  timeline: TimelineLimits,
): Promise<ProjectFile> {
  const template = await readTemplate(file, limits, timeline);
  const issues = new IssueList();
  const given = sent === undefined ? {} : await readValues(sent, limits);
  const values = checkedValues(template.project, given, '/values', issues);
  issues.throwIfFailed();
  return filledFile(template, values);
}

/** @throws ExportError with all errors of media, fields and placeholders. */
export async function readTemplate(
  file: string,
  limits: JsonLimits,
  timeline: TimelineLimits,
): Promise<ProjectTemplate> {
  const json = await readJsonFile(file, limits);
  if (!isObject(json))
    throw new ExportError('malformed', 'project.not_an_object', 'A project file holds one JSON object.');
  const unknown = unknownKeys(json);
  const issues = new IssueList();
  const project = readProject(json, issues, { limits: timeline, files: true });
  issues.throwIfFailed();
  const older = Object.fromEntries(DOCUMENT_FIELDS.map((field) => [field, json[field]]));
  return { project, older, folder: dirname(file), warnings: [...unknown, ...issues.warnings] };
}

/** The project with values. */
export function filledFile({ project, older, folder, warnings }: ProjectTemplate, values: CheckedValues): ProjectFile {
  const { documents, media } = filledProject(project, values);
  const files = new Map<string, string>();
  const addresses = new Map<string, string>();
  const stored = new Map<string, Extract<MediaPlace, { kind: 'stored' }>>();
  for (const [field, place] of media) {
    if (place.kind === 'stored') stored.set(field, place);
    else if (place.kind === 'web') addresses.set(field, place.url);
    else files.set(field, resolve(folder, place.file));
  }
  return { documents: { ...older, ...documents }, media: files, addresses, stored, warnings };
}

const KNOWN = [...DOCUMENT_FIELDS, 'media', MEDIA_REFS, MEDIA_URLS, 'fields', 'name', '$schema', 'studio'];

/**
 * A misspelt key would show only in the finished video, so it is an error. A key that resembles none (a note, a tool's
 * own) is ignored with a warning, as in a request. (C6)
 */
function unknownKeys(project: Readonly<Record<string, unknown>>): Issue[] {
  const unknown = Object.keys(project)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => ({ key, near: nearestName(key, KNOWN), path: pointer('', key) }));
  const misspelt = unknown.flatMap(({ key, near, path }) => {
    if (near === null) return [];
    const message = `${shownText(key)} is an unknown field. Did you mean ${shownText(near)}?`;
    return [{ path, code: 'project.misspelt', message }];
  });
  if (misspelt.length > 0) {
    const { message } = misspelt[0]!;
    throw new ExportError('invalid', 'project.misspelt', message, { issues: misspelt });
  }
  return unknown.map(({ key, path }) => {
    return { path, code: 'field.unknown', message: `${shownText(key)} is an unknown field and is ignored.` };
  });
}

/** A template whose media are at these addresses, unless values say otherwise. */
export function withAddresses(template: ProjectTemplate, named: ReadonlyMap<string, string>): ProjectTemplate {
  const media = new Map(template.project.media);
  const fields = new Map(template.project.fields);
  for (const [field, url] of named) {
    media.set(field, { kind: 'web', url, path: pointer('/media', field) });
    const declared = fields.get(field);
    if (declared !== undefined) fields.set(field, { ...declared, default: undefined });
  }
  return { ...template, project: { ...template.project, media, fields } };
}

/** Values as JSON on the command line, or in a file. */
function readValues(sent: string, limits: JsonLimits): Promise<unknown> {
  return /^\s*\{/.test(sent) ? Promise.resolve(readJsonText(sent, limits)) : readJsonFile(sent, limits);
}

/** Reads a JSON file under the same limits as a request. */
export async function readJsonFile(file: string, limits: JsonLimits): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ExportError('missing', 'project.unreadable', `The file ${shownText(file)} ${unreadableReason(cause)}.`, {
      cause,
    });
  });
  return readJsonText(text, limits);
}

function readJsonText(text: string, limits: JsonLimits): unknown {
  const reading = readJson(text, limits);
  if ('value' in reading) return reading.value;
  const { kind, code, path, message } = reading.fault;
  throw new ExportError(kind, code, message, { path });
}

/** Why a file cannot be read, as the end of a sentence. */
export function unreadableReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  return code === 'EACCES' ? 'may not be read' : 'cannot be read';
}

/**
 * The texts of a project's subtitle files, by field. (C43) @throws `project.unreadable`, and the errors of the files.
 */
export async function readProjectSubtitles(
  files: readonly MediaRef[],
  media: ReadonlyMap<string, string>,
  maxBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const path = media.get(file.field)!;
    const { size } = await stat(path).catch(unreadable(path, file));
    requireSubtitleSize(file, size, maxBytes);
    texts.set(file.field, subtitleTextOf(file, await readFile(path).catch(unreadable(path, file))));
  }
  return texts;
}

function unreadable(path: string, { path: place }: MediaRef): (cause: unknown) => never {
  return (cause) => {
    const message = `The file ${shownText(path)} cannot be read.`;
    throw new ExportError('missing', 'project.unreadable', message, { path: place, cause });
  };
}
