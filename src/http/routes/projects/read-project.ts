import { ExportError } from '../../../errors.ts';
import type { SentProject } from '../../../exports/api/projects-api.ts';
import { IssueList } from '../../../timeline/issue-list.ts';
import { pointer } from '../../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson } from '../../../timeline/json/json-text.ts';
import { MEDIA_REFS, readSha256 } from '../../../timeline/media-references.ts';
import { isObject } from '../../../timeline/parse/check-schema.ts';

/** The longest name of a project, in characters. */
const LONGEST_NAME = 200;
const UNNAMED = 'Untitled';

/**
 * Parses a project to store. The documents may be incomplete or invalid: only the name and the references are checked.
 * (C76)
 *
 * @throws the errors of the JSON text; `project.not_an_object`; all errors of the name and the references.
 */
export function readSentProject(document: Buffer, limits: JsonLimits): SentProject {
  const reading = readJson(document.toString('utf8'), limits);
  if ('fault' in reading) {
    const { kind, code, path, message } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const project = reading.value;
  if (!isObject(project)) {
    throw new ExportError('malformed', 'project.not_an_object', 'A project is one JSON object.');
  }
  const issues = new IssueList();
  const name = nameOf(project, issues);
  const media = referencesOf(project[MEDIA_REFS], issues);
  issues.throwIfFailed();
  return { document, name, media };
}

/** Its own name, or else the tier list's title. */
function nameOf({ name, tier_list: tierList }: Readonly<Record<string, unknown>>, issues: IssueList): string {
  if (name === undefined) {
    const title = isObject(tierList) ? tierList.title : undefined;
    return typeof title === 'string' && title.trim() !== '' ? [...title].slice(0, LONGEST_NAME).join('') : UNNAMED;
  }
  if (typeof name !== 'string') issues.error('/name', 'field.type', 'name must be a text.');
  else if (name.trim() === '' || [...name].length > LONGEST_NAME) {
    issues.error('/name', 'field.range', `name must be a text of 1 to ${LONGEST_NAME} characters.`);
  } else return name;
  return UNNAMED;
}

function referencesOf(references: unknown, issues: IssueList): string[] {
  if (references === undefined) return [];
  if (!isObject(references)) {
    issues.error(`/${MEDIA_REFS}`, 'field.type', 'It must be an object from file fields to SHA-256 hashes.');
    return [];
  }
  return Object.entries(references).flatMap(([field, hash]) => {
    const sha256 = typeof hash === 'string' ? readSha256(hash) : null;
    if (sha256 !== null) return [sha256];
    issues.error(pointer('', MEDIA_REFS, field), 'field.format', 'It must be a SHA-256: 64 hexadecimal digits.');
    return [];
  });
}
