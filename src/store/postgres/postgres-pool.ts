import pg from 'pg';

/** How connections are opened. */
export interface PoolOptions {
  readonly connections: number;
  /** Every statement that would change something is refused. */
  readonly readOnly?: boolean;
  /** How long to wait for a connection, new or given back. */
  readonly connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const [INT8, NUMERIC] = [20, 1700];

/** Counts and sums come as texts, since they might be larger than a number holds; ours never are. */
const TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Connections to a database, which come back by themselves when it was away. */
export function openPool(url: string, { connections, readOnly = false, connectTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'tiercut',
    types: TYPES,
    ...(readOnly ? { options: '-c default_transaction_read_only=on' } : {}),
  });
  // Of connections that nobody is using: the pool drops them. Unheard, the first would end the process.
  pool.on('error', () => {});
  return pool;
}
