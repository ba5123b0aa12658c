import { sha256 } from '../../platform/sha256.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { MEDIA_REFS, MEDIA_URLS } from '../../timeline/media-references.ts';
import { checkedValues, filledProject, type Project, readProject } from '../../timeline/project/fill-project.ts';
import { MEDIA } from '../../timeline/project/project-media.ts';
import { notesText } from '../../timeline/project/project-notes.ts';
import type { CheckedValues } from '../../timeline/project/template-values.ts';
import { DOCUMENT_FIELDS, TEXT_FIELDS } from '../../timeline/request-documents.ts';

/** The values of the fields of a template, in a body. (C83) */
const VALUES = 'values';

/** What a project has besides the documents of a form; nothing of it makes the video. (C82) */
const OF_EDITORS = ['$schema', 'name', 'studio'];

/** The members of a body, by name. */
type Members = Readonly<Record<string, unknown>>;

/** The members of a form. */
interface FormMembers {
  readonly members: Members;
  /** A text that the form needs besides; null: none. */
  readonly notes: ReturnType<typeof notesText> | null;
}

/**
 * The form that a body is: a project's media become references and addresses, and its fields are filled in. A body
 * without them stays as it is. (C82, C83)
 *
 * @param beside settings that replace those of the body.
 */
export function formMembers(
  body: Members,
  limits: TimelineLimits,
  issues: IssueList,
  beside: Members = {},
): FormMembers {
  const left = Object.entries(body).filter(([name]) => !OF_EDITORS.includes(name));
  const has = (name: string) => Object.hasOwn(body, name);
  if (![MEDIA, 'fields', VALUES].some(has)) return { members: Object.fromEntries(left), notes: null };
  const found = issues.count;
  const project = readProject(body, issues, { limits, files: false });
  const values = checkedValues(project, has(VALUES) ? body[VALUES] : undefined, pointer('', VALUES), issues);
  const rest = left.filter(([name]) => ![MEDIA, 'fields', VALUES, MEDIA_REFS, MEDIA_URLS].includes(name));
  if (issues.failed && issues.count > found) return { members: Object.fromEntries(rest), notes: null };
  const { documents, media } = filledProject(project, values);
  const stored = [...media].flatMap(([field, place]) => (place.kind === 'stored' ? [[field, place.sha256]] : []));
  const fetched = [...media].flatMap(([field, place]) => (place.kind === 'web' ? [[field, place.url]] : []));
  const members = {
    ...Object.fromEntries(rest),
    ...documents,
    ...(Object.keys(beside).length > 0 && {
      settings: { ...(isObject(documents.settings) && documents.settings), ...beside },
    }),
    ...(stored.length > 0 && { [MEDIA_REFS]: Object.fromEntries(stored) }),
    ...(fetched.length > 0 && { [MEDIA_URLS]: Object.fromEntries(fetched) }),
  };
  const places = Object.fromEntries([...media].map(([field, { path }]) => [field, path]));
  const kinds = Object.fromEntries(
    [...media.keys()].flatMap((field) => {
      const kind = kindOf(project, values, field);
      return kind === null ? [] : [[field, kind]];
    }),
  );
  return { members, notes: notesText({ places, kinds, warnings: issues.warnings }) };
}

function kindOf({ fields, media: own }: Project, values: CheckedValues, field: string) {
  const declared = fields.get(field);
  if (declared !== undefined) return declared.kind;
  // What is neither the project's nor a field is the picture of an item.
  return own.has(field) || values.media.has(field) ? null : 'picture';
}

/** What a body beside a stored project may have: everything of a form but documents and media. */
const OF_PROJECT: ReadonlySet<string> = new Set([...DOCUMENT_FIELDS, MEDIA_REFS, MEDIA_URLS]);

/** Its members. (C84) */
const BESIDE_PROJECT = [VALUES, 'settings', 'revision', ...TEXT_FIELDS.filter((name) => !OF_PROJECT.has(name))];

/**
 * One body of a stored project and of what is sent to export it, without `settings`: these replace those of the project
 * after the values are put in. (C84)
 *
 * @param plainFields additional names.
 */
export function bodyOfProject(
  project: Members,
  sent: Members,
  plainFields: readonly string[],
): { readonly body: Members; readonly unknown: readonly string[] } {
  const { [VALUES]: values = {}, settings: _settings, revision: _revision, ...rest } = sent;
  const known = new Set([...BESIDE_PROJECT, ...plainFields]);
  const own = Object.entries(project).filter(([name]) => OF_PROJECT.has(name) || name === MEDIA || name === 'fields');
  const body = {
    ...Object.fromEntries(own),
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => known.has(name))),
    [VALUES]: values,
  };
  return { body, unknown: Object.keys(rest).filter((name) => !known.has(name)) };
}

/** The settings of a body that replace those of a project, one by one. (C84) */
export function settingsBeside({ settings = {} }: Members, issues: IssueList): Members {
  if (isObject(settings)) return settings;
  issues.error('/settings', 'field.type', `settings must be an object, not ${shownValue(settings)}.`);
  return {};
}

/** The revision that a body names; null: the current one. (C84) */
export function wantedRevision({ revision }: Members, issues: IssueList): number | null {
  if (revision === undefined) return null;
  if (typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0) return revision;
  const message = `revision must be a whole number above 0, not ${shownValue(revision)}.`;
  issues.error('/revision', typeof revision === 'number' ? 'field.range' : 'field.type', message);
  return null;
}

/** Equal for the same project and the same content of bodies: a later revision is not another request. (C9, C84) */
export function projectRequestHash(id: string, sent: string): string {
  return sha256(`project ${id}\n${sent}`);
}
