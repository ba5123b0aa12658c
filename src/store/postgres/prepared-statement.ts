import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/**
 * More than the statements in the code. Further ones are not prepared, because a connection keeps its prepared
 * statements.
 */
const MAX_STATEMENTS = 500;
/** The names of prepared statements, by their texts. */
interface Known {
  readonly names: Map<string, string>;
  readonly max: number;
}
const OURS: Known = { names: new Map(), max: MAX_STATEMENTS };
/** Statements of the job engine contain the name of a queue, so there may be many. They must not use up ours. */
export const OF_THE_ENGINE: Known = { names: new Map(), max: 200 };
/** The server refuses the cached plan of such a statement after a column is added. */
const ALL_COLUMNS = /(?:select\s|\.)\*/i;

/**
 * A prepared statement: the server parses and plans it once for a connection, which is most of the cost of a short
 * statement. Only for constant texts with values as parameters.
 */
export function preparedStatement(
  text: string,
  values: readonly unknown[],
  { names, max } = OURS,
): QueryConfig<unknown[]> {
  const statement = { text, values: [...values] };
  let name = names.get(text);
  if (name === undefined) {
    // A text with several statements cannot be prepared.
    if (names.size >= max || text.includes(';')) return statement;
    if (ALL_COLUMNS.test(text)) return statement;
    name = `tiercut_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return { ...statement, name };
}
