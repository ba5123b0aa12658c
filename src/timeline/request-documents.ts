import { IssueList } from './issue-list.ts';
import { pointer } from './json/json-pointer.ts';
import { type JsonLimits, readJson } from './json/json-text.ts';

/** The form fields that hold JSON; every other part of a request is media. (C2, C3, C25) */
export const DOCUMENT_FIELDS = ['tier_list', 'timeline_data', 'settings', 'timeline_json', 'media_manifest'] as const;
export type DocumentField = (typeof DOCUMENT_FIELDS)[number];

/** The documents as sent, read but not yet understood. */
export type RequestDocuments = { readonly [field in DocumentField]?: unknown };

/**
 * Reads the JSON fields of a request.
 *
 * @throws ExportError naming every text that is no JSON or too much of it.
 */
export function readDocuments(texts: ReadonlyMap<string, string>, limits: JsonLimits): RequestDocuments {
  const issues = new IssueList();
  const documents: { [field in DocumentField]?: unknown } = {};
  for (const field of DOCUMENT_FIELDS) {
    const text = texts.get(field);
    if (text === undefined) continue;
    const reading = readJson(text, limits);
    if ('value' in reading) documents[field] = reading.value;
    else {
      const { kind, code, path, message } = reading.fault;
      issues.error(pointer('', field) + path, code, message, kind);
    }
  }
  issues.throwIfFailed();
  return documents;
}
