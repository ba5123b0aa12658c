import type { MediaRef } from '../export-request.ts';
import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import { isObject } from './check-schema.ts';

/** Form field names by the ids a legacy manifest gives them. (C25) */
export type MediaManifest = ReadonlyMap<string, string>;

/**
 * Knows which uploads there are, resolves each mention of one, and remembers what was mentioned. (C3, C25)
 *
 * `uploads` is null where the files are not there yet: then nothing is missing. (C30)
 */
export class MediaNames {
  readonly #uploads: ReadonlySet<string> | null;
  readonly #manifest: MediaManifest | null;
  readonly #issues: IssueList;
  readonly #mentioned = new Set<string>();

  constructor(uploads: ReadonlySet<string> | null, manifest: MediaManifest | null, issues: IssueList) {
    this.#uploads = uploads;
    this.#manifest = manifest;
    this.#issues = issues;
  }

  /**
   * The entry as the public schema knows it: a legacy `media_id` becomes the `file_field` the manifest gives it. An id
   * that leads nowhere is left for the schema to miss, unless it was a real id and is reported here.
   */
  publicShape(entry: unknown, path: string): unknown {
    if (this.#manifest === null || !isObject(entry) || !Object.hasOwn(entry, 'media_id')) return entry;
    const { media_id: id, ...rest } = entry;
    if (Object.hasOwn(rest, 'file_field')) return rest;
    const field = typeof id === 'string' ? this.#manifest.get(id) : undefined;
    if (field !== undefined) return { ...rest, file_field: field };
    const known = [...this.#manifest.keys()].slice(0, 5).map(shownText).join(', ') || 'no id at all';
    const found = typeof id === 'string' ? shownText(id) : typeof id;
    const message = `media_id must be an id of media_manifest (which has ${known}), not ${found}.`;
    this.#issues.error(pointer(path, 'media_id'), 'media.unknown_id', message);
    return undefined;
  }

  /** The upload an entry names; a field nobody uploaded is reported at the place that names it. */
  refer(field: string, entry: unknown, path: string): MediaRef {
    const named = isObject(entry) && Object.hasOwn(entry, 'file_field') ? 'file_field' : 'media_id';
    const place = pointer(path, named);
    this.#mentioned.add(field);
    if (this.#uploads !== null && !this.#uploads.has(field)) {
      const message = `No file was uploaded under the form field ${shownText(field)}, which this entry names.`;
      this.#issues.error(place, 'media.not_uploaded', message);
    }
    return { field, path: place };
  }

  /** Uploads nothing mentions are dropped, and said to be. (C3) */
  warnUnmentioned(): void {
    for (const field of this.#uploads ?? []) {
      if (this.#mentioned.has(field)) continue;
      const message = `The file uploaded as ${shownText(field)} is named by no entry; it is dropped.`;
      this.#issues.warn(pointer('', field), 'media.unreferenced', message);
    }
  }
}
