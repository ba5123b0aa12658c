import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { namesAllJobs } from './boss-inside.ts';

/** More texts than there are in the code. Beyond them, each is planned when it comes: a connection keeps its prepared statements. */
const MOST_STATEMENTS = 500;
/** The server refuses to run the plan it kept for such a statement once a column is added. */
const ALL_COLUMNS = /(?:select\s|\.)\*/i;
const names = new Map<string, string>();

/**
 * A statement that a connection has the server read and plan once, and from then on only run: with short statements that is most
 * of what they cost it. Only for texts that are the same each time, with values as parameters.
 */
export function preparedStatement(text: string, values: readonly unknown[]): QueryConfig<unknown[]> {
  const statement = { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined) {
    // Several statements in one text cannot be prepared.
    if (names.size >= MOST_STATEMENTS || text.includes(';')) return statement;
    if (ALL_COLUMNS.test(text) || namesAllJobs(text)) return statement;
    name = `tiercut_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return { ...statement, name };
}
