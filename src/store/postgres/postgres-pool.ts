import pg from 'pg';

/** How connections are opened. */
interface PoolOptions {
  readonly connections: number;
  /** Every statement that would change something is refused. */
  readonly readOnly?: boolean;
  /** How long to wait for the answer to a statement: a network that is cut says nothing. */
  readonly answerTimeoutMs?: number;
}

/** For a connection, new or given back. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than a job usually takes: with a connection, its plans go. */
const IDLE_TIMEOUT_MS = 60_000;
/** Far longer than any statement takes, or than a wait for the row lock of an export. */
const ANSWER_TIMEOUT_MS = 30_000;
const [INT8, NUMERIC] = [20, 1700];

/** Counts and sums come as texts, since they might be larger than a number holds; ours never are. */
const TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Connections to a database, which come back by themselves when it was away. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const { connections, readOnly = false, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options;
  const settings = [
    // The server lets go of what a process that was cut off has taken, before those who wait for it give up.
    `idle_in_transaction_session_timeout=${Math.ceil(answerTimeoutMs / 2)}`,
    // What is asked again and again looks things up by their keys: no value makes another plan better. One that was made while
    // there was next to nothing in a table serves when there is much.
    'plan_cache_mode=force_generic_plan',
    'enable_seqscan=off',
    ...(readOnly ? ['default_transaction_read_only=on'] : []),
  ];
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    connectionString: url,
    max: connections,
    // Statements that do not wait for each other's answers are sent at once: each way to the server and back is time that whoever
    // wants the same rows waits for.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tiercut',
    types: TYPES,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  };
  const pool = new pg.Pool(config);
  // Of connections that nobody is using: the pool drops them. Unheard, the first would end the process.
  pool.on('error', () => {});
  return pool;
}
