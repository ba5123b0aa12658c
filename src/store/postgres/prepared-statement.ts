import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { namesAllJobs } from './boss-inside.ts';

/**
 * More than the statements in the code. Further ones are not prepared, because a connection keeps its prepared
 * statements.
 */
const MAX_STATEMENTS = 500;
/** The server refuses the cached plan of such a statement after a column is added. */
const ALL_COLUMNS = /(?:select\s|\.)\*/i;
const names = new Map<string, string>();

/**
 * A prepared statement: the server parses and plans it once for a connection, which is most of the cost of a short
 * statement. Only for constant texts with values as parameters.
 */
export function preparedStatement(text: string, values: readonly unknown[]): QueryConfig<unknown[]> {
  const statement = { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined) {
    // A text with several statements cannot be prepared.
    if (names.size >= MAX_STATEMENTS || text.includes(';')) return statement;
    if (ALL_COLUMNS.test(text) || namesAllJobs(text)) return statement;
    name = `tiercut_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return { ...statement, name };
}
