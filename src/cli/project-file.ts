import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ExportError } from '../errors.ts';
import { type JsonLimits, readJson } from '../timeline/json/json-text.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { isObject } from '../timeline/parse/check-schema.ts';
import { DOCUMENT_FIELDS, type RequestDocuments } from '../timeline/request-documents.ts';

/** A request on disk: the documents, and where each `file_field`'s file is. */
export interface Project {
  readonly documents: RequestDocuments;
  /** Absolute paths by `file_field`. */
  readonly media: ReadonlyMap<string, string>;
}

/** Reads `{ "tier_list", "timeline_data", "settings", "media" }`; media paths are relative to the file's own folder. */
export async function readProject(file: string, limits: JsonLimits): Promise<Project> {
  const json = await readJsonFile(file, limits);
  if (!isObject(json))
    throw new ExportError('malformed', 'project.not_an_object', 'A project file holds one JSON object.');
  const media = json.media ?? {};
  if (!isObject(media)) {
    throw new ExportError('invalid', 'project.media', 'media must be an object from file_field to path.', {
      path: '/media',
    });
  }
  const paths = Object.entries(media).map(([field, path]): [string, string] => {
    if (typeof path === 'string') return [field, resolve(dirname(file), path)];
    throw new ExportError('invalid', 'project.media', `The path of ${shownText(field)} must be a text.`, {
      path: '/media',
    });
  });
  const documents = Object.fromEntries(DOCUMENT_FIELDS.map((field) => [field, json[field]]));
  return { documents, media: new Map(paths) };
}

/** Reads a JSON file under the same limits a request is read under. */
export async function readJsonFile(file: string, limits: JsonLimits): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ExportError('missing', 'project.unreadable', `The file ${shownText(file)} cannot be read.`, { cause });
  });
  const reading = readJson(text, limits);
  if ('value' in reading) return reading.value;
  const { kind, code, path, message } = reading.fault;
  throw new ExportError(kind, code, message, { path });
}
