import type { MediaRef } from '../export-request.ts';
import type { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownNames, shownText, shownValue } from '../json/shown-value.ts';
import { TEXT_FIELDS } from '../request-documents.ts';

/** The form field a legacy manifest gives to an id, and where it does so. */
export interface ManifestEntry {
  readonly field: string;
  readonly path: string;
  readonly fieldPath: string;
}

const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);

/** The content of a legacy manifest, by id. (C25) */
export type MediaManifest = ReadonlyMap<string, ManifestEntry>;

/** The files of a request, by name. */
export interface SentFiles {
  /** Names of the media that came; null if they are not sent (yet). (C30) */
  readonly uploads: ReadonlySet<string> | null;
  /** Whether a file that is mentioned may be missing from `uploads`. (C71) */
  readonly filesOptional?: boolean;
  /** The paths of files that are referenced rather than sent as parts. (C38) */
  readonly givenAt?: ReadonlyMap<string, string>;
}

/**
 * Knows which uploads exist, resolves each mention of one, and remembers the mentions. (C3, C25)
 *
 * `uploads` is null if the files are not sent yet: then none is reported as missing. If files are optional, none is
 * reported as missing either, and those that are sent are known. (C71)
 */
export class MediaNames {
  readonly #uploads: ReadonlySet<string> | null;
  readonly #givenAt: ReadonlyMap<string, string>;
  /** The uploads that a mention must be among; null if no file has to be there. */
  readonly #required: ReadonlySet<string> | null;
  readonly #manifest: MediaManifest | null;
  readonly #issues: IssueList;
  readonly #mentioned = new Set<string>();
  readonly #usedIds = new Set<string>();

  constructor(
    { uploads, filesOptional = false, givenAt = new Map() }: SentFiles,
    manifest: MediaManifest | null,
    issues: IssueList,
  ) {
    this.#uploads = uploads;
    this.#givenAt = givenAt;
    this.#required = filesOptional ? null : uploads;
    this.#manifest = manifest;
    this.#issues = issues;
  }

  /**
   * The entry in the public format: a legacy `media_id` becomes the `file_field` from the manifest. Reports an unknown id,
   * and returns undefined.
   */
  publicShape(entry: unknown, path: string): unknown {
    if (this.#manifest === null || !isObject(entry) || !Object.hasOwn(entry, 'media_id')) return entry;
    const { media_id: id, ...rest } = entry;
    if (Object.hasOwn(rest, 'file_field')) return rest;
    const found = typeof id === 'string' ? this.#manifest.get(id) : undefined;
    if (typeof id === 'string' && found !== undefined) {
      this.#use(id, found);
      return { ...rest, file_field: found.field };
    }
    const known = this.#manifest.keys();
    const message = `media_id must be an id of media_manifest (which has ${shownNames(known)}), not ${shownValue(id)}.`;
    this.#issues.error(pointer(path, 'media_id'), 'media.unknown_id', message);
    return undefined;
  }

  /** Whether a file of that name is known to be there. */
  has(field: string): boolean {
    return this.#uploads?.has(field) ?? false;
  }

  /** The upload that an entry names. Reports a field that was not uploaded at the path that names it. */
  refer(field: string, entry: unknown, path: string): MediaRef {
    const named = isObject(entry) && Object.hasOwn(entry, 'file_field') ? 'file_field' : 'media_id';
    return this.referAt(field, pointer(path, named));
  }

  /** The same if the mention is at `place` itself. @param others values that need no file, for the message. */
  referAt(field: string, place: string, others = ''): MediaRef {
    this.#mentioned.add(field);
    if (TEXTS.has(field)) {
      const message = `${shownText(field)} is a form field of the request itself; a file needs another name.`;
      this.#issues.error(place, 'media.reserved_name', message);
      return { field, path: place };
    }
    if (this.#required !== null && !this.#required.has(field)) {
      const message = `No file was uploaded under the form field ${shownText(field)}, which this entry names.`;
      this.#issues.error(place, 'media.not_uploaded', message + this.#others(field, this.#required) + others);
    }
    return { field, path: place };
  }

  /** A used id must lead to a file; the error is reported once, at its place in the manifest. (C25) */
  #use(id: string, { field, fieldPath }: ManifestEntry): void {
    if (this.#required !== null && !this.#required.has(field) && !this.#usedIds.has(id)) {
      const message = `No file was uploaded under the form field ${shownText(field)}, which the manifest gives to ${shownText(id)}.`;
      this.#issues.error(fieldPath, 'media.not_uploaded', message + this.#others(field, this.#required));
    }
    this.#usedIds.add(id);
  }

  #others(field: string, uploads: ReadonlySet<string>): string {
    return this.#issues.hint(field, uploads) || ` Files uploaded: ${shownNames(uploads)}.`;
  }

  /** Uploads without a mention are dropped with a warning; so are unused ids of the manifest. (C3, C25) */
  warnUnmentioned(): void {
    for (const [id, { path }] of this.#manifest ?? []) {
      if (this.#usedIds.has(id)) continue;
      this.#issues.warn(path, 'media.unused_id', `No entry uses the id ${shownText(id)} of media_manifest.`);
    }
    const uploads = this.#uploads ?? new Set();
    const meant = [...TEXT_FIELDS, ...this.#mentioned].filter((name) => !uploads.has(name));
    for (const field of uploads) {
      if (this.#mentioned.has(field)) continue;
      const message = `The file ${shownText(field)} is named by no entry; it is dropped.`;
      const path = this.#givenAt.get(field) ?? pointer('', field);
      this.#issues.warn(path, 'media.unreferenced', message + this.#issues.hint(field, meant));
    }
  }
}
