import pg from 'pg';
import type { Schema } from '../migration/schema-state.ts';
import { requireAllowed } from './postgres-migration.ts';
import { connectionName } from './postgres-schema.ts';

/** The options of a connection pool. */
interface PoolOptions {
  readonly connections: number;
  /** Refuses every statement that writes. */
  readonly readOnly?: boolean;
  /** How long to wait for the response to a statement: a broken network reports nothing. */
  readonly answerTimeoutMs?: number;
  /** The schema that the statements are for; every new connection is refused once a newer one excludes it. */
  readonly schema?: Schema;
}

/** For a new connection or a pooled one. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than a usual job, because closing a connection drops its prepared plans. */
const IDLE_TIMEOUT_MS = 60_000;
/** Much longer than any statement, or any wait for the row lock of an export. */
const ANSWER_TIMEOUT_MS = 30_000;
const [INT8, NUMERIC] = [20, 1700];

/** Counts and sums arrive as texts because they might exceed a JavaScript number; ours never do. */
const TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Connections to a database, reopened automatically after an outage. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const { connections, readOnly = false, answerTimeoutMs = ANSWER_TIMEOUT_MS, schema } = options;
  const settings = [
    // The server releases the locks of a disconnected process before the waiting ones time out.
    `idle_in_transaction_session_timeout=${Math.ceil(answerTimeoutMs / 2)}`,
    // Repeated statements look up rows by key, so no value needs another plan. A plan made for an almost empty table
    // also works for a large one.
    'plan_cache_mode=force_generic_plan',
    'enable_seqscan=off',
    ...(readOnly ? ['default_transaction_read_only=on'] : []),
  ];
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    connectionString: url,
    max: connections,
    // Sends independent statements without waiting for each response: a round trip is time that other writers of the
    // same rows wait.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
    application_name: connectionName(null, schema?.version),
    ...(schema === undefined ? {} : { onConnect: (client: pg.ClientBase) => requireAllowed(client, schema) }),
    types: TYPES,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  };
  const pool = new pg.Pool(config);
  // The pool drops idle connections that fail. Without a listener, the first error would end the process.
  pool.on('error', () => {});
  return pool;
}
