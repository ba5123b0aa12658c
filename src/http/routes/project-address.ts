import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID that a client chose, in lower case; null if it is invalid. */
export function readClientUuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}

/** The id in the address of a project, in lower case. @throws `project.address` */
export function readProjectId(text: string): string {
  const id = readClientUuid(text);
  if (id !== null) return id;
  const message = `The id of a project is a UUID that you choose, not ${shownText(text)}.`;
  throw new ExportError('malformed', 'project.address', message);
}

/** The same for unknown, deleted and other tenants' projects, and for missing revisions and thumbnails. (H19) */
export function unknownProject(): ExportError {
  return new ExportError('missing', 'project.unknown', 'This project does not exist or was deleted.');
}
