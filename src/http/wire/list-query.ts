import {
  type ExportListing,
  type ExportState,
  type ListPlace,
  LONGEST_EXTERNAL_ID,
} from '../../exports/exports-api.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** What a list can be asked for; those that are cancelled are gone, so there never are any. */
const LISTED_STATES: readonly ExportState[] = ['queued', 'rendering', 'completed', 'failed', 'cancelled'];
const USUAL_LIMIT = 20;
export const MOST_LISTED = 100;

const KNOWN = ['state', 'external_id', 'limit', 'cursor'] as const;

/** A query as the framework reads it: texts, lists where something stands twice. */
type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads what stands behind `GET /video/exports?`. An empty value is none. (C40)
 *
 * @throws ExportError with everything that is wrong, each at its name.
 */
export function parseListQuery(query: Query): { listing: ExportListing; warnings: IssueList['warnings'] } {
  const issues = new IssueList();
  for (const name of Object.keys(query)) {
    if (KNOWN.includes(name as (typeof KNOWN)[number])) continue;
    const message = `${shownText(name)} is not known here; it is ignored.${issues.hint(name, KNOWN)}`;
    issues.warn(pointer('', name.slice(0, 100)), 'field.unknown', message);
  }
  const sent = (name: (typeof KNOWN)[number]): string | null => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value === '' ? null : (value ?? null);
    issues.error(`/${name}`, 'field.type', `${name} must stand in the address once, not ${value.length} times.`);
    return null;
  };
  const [stateText, externalId, limitText, cursor] = KNOWN.map(sent);
  const state = LISTED_STATES.find((known) => known === stateText) ?? null;
  if (stateText !== null && state === null) {
    const message = `state must be one of ${LISTED_STATES.join(', ')}, not ${shownText(stateText!)}.`;
    issues.error('/state', 'field.choice', message);
  }
  if (externalId !== null && [...externalId!].length > LONGEST_EXTERNAL_ID) {
    const message = `external_id must be a text of at most ${LONGEST_EXTERNAL_ID} characters.`;
    issues.error('/external_id', 'field.range', message);
  }
  const limit = limitText === null ? USUAL_LIMIT : /^\d{1,9}$/.test(limitText!) ? Number(limitText) : Number.NaN;
  if (!(limit >= 1 && limit <= MOST_LISTED)) {
    const message = `limit must be a whole number from 1 to ${MOST_LISTED}, not ${shownText(limitText!)}.`;
    issues.error('/limit', 'field.range', message);
  }
  const after = cursor === null ? null : placeOf(cursor!);
  if (cursor !== null && after === null) {
    issues.error('/cursor', 'field.format', 'cursor must be the `next` of an earlier page, as it was.');
  }
  issues.throwIfFailed();
  return { listing: { state, externalId: externalId!, limit, after }, warnings: issues.warnings };
}

/** A place as clients get it: to be handed back, not to be read. */
export function cursorOf({ createdAtMs, id }: ListPlace): string {
  return Buffer.from(`${createdAtMs} ${id}`).toString('base64url');
}

function placeOf(cursor: string): ListPlace | null {
  const [, createdAtMs, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === undefined ? null : { createdAtMs: Number(createdAtMs), id };
}
