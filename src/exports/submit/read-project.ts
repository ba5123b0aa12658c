import { ExportError } from '../../errors.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import { MEDIA_REFS, readSha256 } from '../../timeline/media-references.ts';
import { isObject } from '../../timeline/parse/check-schema.ts';
import type { ReadProject } from '../api/projects-api.ts';

/** The longest name of a project, in characters. */
const LONGEST_NAME = 200;
const UNNAMED = 'Untitled';

/**
 * Parses a project to store. The documents may be incomplete or invalid: only the name and the references are checked.
 * Runs in a thread. (C76, H60)
 *
 * @throws the errors of the JSON text; `project.not_an_object`; all errors of the name and the references.
 */
export function readSentProject(document: Uint8Array, limits: JsonLimits): ReadProject {
  const reading = readJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document), limits);
  if ('fault' in reading) {
    const { kind, code, path, message } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const project = reading.value;
  if (!isObject(project)) {
    const message = `A project must be a JSON object, not ${shownValue(project)}.`;
    throw new ExportError('malformed', 'project.not_an_object', message);
  }
  const issues = new IssueList();
  const name = nameOf(project, issues);
  const media = referencesOf(project[MEDIA_REFS], issues);
  issues.throwIfFailed();
  return { name, media: [...new Set(media)].join('') };
}

/** Its own name, or else the tier list's title. */
function nameOf({ name, tier_list: tierList }: Readonly<Record<string, unknown>>, issues: IssueList): string {
  if (name === undefined) {
    const title = isObject(tierList) ? tierList.title : undefined;
    return typeof title === 'string' && title.trim() !== '' ? [...title].slice(0, LONGEST_NAME).join('') : UNNAMED;
  }
  if (typeof name === 'string' && name.trim() !== '' && [...name].length <= LONGEST_NAME) return name;
  const message = `name must be a text of 1 to ${LONGEST_NAME} characters, not ${shownValue(name)}.`;
  issues.error('/name', typeof name === 'string' ? 'field.range' : 'field.type', message);
  return UNNAMED;
}

function referencesOf(references: unknown, issues: IssueList): string[] {
  if (references === undefined) return [];
  if (!isObject(references)) {
    const message = `${MEDIA_REFS} must be an object from file fields to SHA-256 hashes, not ${shownValue(references)}.`;
    issues.error(`/${MEDIA_REFS}`, 'field.type', message);
    return [];
  }
  return Object.entries(references).flatMap(([field, hash]) => {
    const sha256 = typeof hash === 'string' ? readSha256(hash) : null;
    if (sha256 !== null) return [sha256];
    const message = `A reference must be a SHA-256 of 64 hexadecimal digits, not ${shownValue(hash)}.`;
    issues.error(pointer('', MEDIA_REFS, field), typeof hash === 'string' ? 'field.format' : 'field.type', message);
    return [];
  });
}
