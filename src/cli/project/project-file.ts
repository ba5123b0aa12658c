import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ExportError, type Issue } from '../../errors.ts';
import type { MediaRef } from '../../timeline/export-request.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { nearestName } from '../../timeline/json/nearest-name.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { isObject } from '../../timeline/parse/check-schema.ts';
import { DOCUMENT_FIELDS, type RequestDocuments } from '../../timeline/request-documents.ts';
import { requireSubtitleSize, subtitleTextOf } from '../../timeline/subtitle-file/subtitle-texts.ts';

/** A request on disk: the documents, and the file of each `file_field`. */
export interface ProjectFile {
  readonly documents: RequestDocuments;
  /** Absolute paths by `file_field`. */
  readonly media: ReadonlyMap<string, string>;
  /** The web addresses of the others, by `file_field`. (C66) */
  readonly addresses: ReadonlyMap<string, string>;
  /** Warnings about unknown keys. */
  readonly warnings: readonly Issue[];
}

/** Reads `{ "tier_list", "timeline_data", "settings", "media" }`; media are paths, relative to the file's own folder, or addresses. */
export async function readProjectFile(file: string, limits: JsonLimits): Promise<ProjectFile> {
  const json = await readJsonFile(file, limits);
  if (!isObject(json))
    throw new ExportError('malformed', 'project.not_an_object', 'A project file holds one JSON object.');
  const media = json.media ?? {};
  if (!isObject(media)) {
    throw new ExportError('invalid', 'project.media', 'media must be an object from file_field to path or address.', {
      path: '/media',
    });
  }
  const places = Object.entries(media).map(([field, place]): [string, string] => {
    if (typeof place === 'string') return [field, place];
    throw new ExportError('invalid', 'project.media', `The path of ${shownText(field)} must be a text.`, {
      path: '/media',
    });
  });
  const addresses = places.filter(([, place]) => isWebAddress(place));
  const paths = places.filter(([, place]) => !isWebAddress(place));
  const documents = Object.fromEntries(DOCUMENT_FIELDS.map((field) => [field, json[field]]));
  return {
    documents,
    media: new Map(paths.map(([field, path]) => [field, resolve(dirname(file), path)])),
    addresses: new Map(addresses),
    warnings: unknownKeys(json),
  };
}

/** Whether a medium of a project is on the web. Which addresses are allowed is decided when it is fetched. */
export function isWebAddress(place: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place);
}

const KNOWN = [...DOCUMENT_FIELDS, 'media'];

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

/** Reads a JSON file under the same limits as a request. */
export async function readJsonFile(file: string, limits: JsonLimits): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ExportError('missing', 'project.unreadable', `The file ${shownText(file)} ${unreadableReason(cause)}.`, {
      cause,
    });
  });
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
