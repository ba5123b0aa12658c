import type { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';
import type { RequestDocuments } from '../request-documents.ts';
import type { ManifestEntry, MediaManifest } from './media-names.ts';

/** A document and where in the request it was found. */
export interface FoundDocument {
  readonly value: unknown;
  readonly path: string;
}

/** The three documents, wherever the client put them. */
interface FoundDocuments {
  readonly tierList: FoundDocument;
  readonly timeline: FoundDocument;
  readonly settings: FoundDocument;
  /** null for clients of the public interface. */
  readonly manifest: MediaManifest | null;
}

/**
 * Finds the documents in the public fields or, failing that, in the legacy ones. Public fields win; a legacy client may
 * have no tier list. (C25)
 *
 * @param wantsTierList false if one was sent and could not be read: that error is already reported.
 */
export function findDocuments(sent: RequestDocuments, issues: IssueList, wantsTierList = true): FoundDocuments {
  const legacy = isObject(sent.timeline_json) ? sent.timeline_json : {};
  const isLegacy = sent.timeline_json !== undefined;
  const find = (field: 'tier_list' | 'settings'): FoundDocument => {
    if (sent[field] === undefined && legacy[field] !== undefined) {
      return { value: legacy[field], path: pointer('/timeline_json', field) };
    }
    return { value: sent[field], path: pointer('', field) };
  };
  const tierList = find('tier_list');
  if (tierList.value === undefined && !isLegacy && wantsTierList) {
    const message = '"tier_list" is missing: it must be a JSON object with title, rows and items.';
    issues.error('', 'field.required', message);
  }
  return {
    tierList,
    timeline: findTimeline(sent, issues),
    settings: find('settings'),
    manifest: isLegacy || sent.media_manifest !== undefined ? readManifest(sent.media_manifest, issues) : null,
  };
}

function findTimeline(sent: RequestDocuments, issues: IssueList): FoundDocument {
  if (sent.timeline_data !== undefined) {
    if (sent.timeline_json !== undefined) {
      issues.warn('/timeline_json', 'legacy.ignored', 'These lanes are ignored, because timeline_data is sent too.');
    }
    return { value: sent.timeline_data, path: '/timeline_data' };
  }
  if (sent.timeline_json !== undefined) return { value: sent.timeline_json, path: '/timeline_json' };
  const message = '"timeline_data" is missing: it must be a JSON object with the lanes of the timeline.';
  issues.error('', 'field.required', message);
  return { value: {}, path: '/timeline_data' };
}

/** A list of `{ id, file_field }`, or an object from id to field name or to `{ file_field }`. */
function readManifest(value: unknown, issues: IssueList): MediaManifest {
  const fields = new Map<string, ManifestEntry>();
  const root = '/media_manifest';
  const add = (id: unknown, field: unknown, path: string, fieldPath: string): void => {
    if (typeof id !== 'string' || typeof field !== 'string') {
      const message = `A manifest entry must have a text "id" and a text "file_field"; found ${shownValue(id)} and ${shownValue(field)}.`;
      issues.error(path, 'field.type', message);
    } else if (fields.has(id)) {
      issues.error(path, 'id.duplicate', `The id ${shownText(id)} occurs twice in media_manifest.`);
    } else fields.set(id, { field, path, fieldPath });
  };
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const path = pointer(root, index);
      if (isObject(entry)) add(entry.id, entry.file_field, path, pointer(path, 'file_field'));
      else add(undefined, undefined, path, path);
    }
  } else if (isObject(value)) {
    for (const [id, entry] of Object.entries(value)) {
      const path = pointer(root, id);
      if (isObject(entry)) add(id, entry.file_field, path, pointer(path, 'file_field'));
      else add(id, entry, path, path);
    }
  } else if (value !== undefined) {
    issues.error(root, 'field.type', `media_manifest must be a list or an object, not ${shownValue(value)}.`);
  }
  return fields;
}
