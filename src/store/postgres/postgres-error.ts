import { ExportError } from '../../errors.ts';
import { busy, failed, storeDiskFull } from '../store-error.ts';

/** Two that got in each other's way: nothing has happened, and the next try may do better. */
const TRY_AGAIN = new Set(['40P01', '40001']);
/** What the system says of a connection. */
const NO_CONNECTION = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
]);
/** What the driver says of a connection, which has no code for it. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** What a failed call to PostgreSQL means to a caller; anything else, a bug in a statement too, is handed back as it is. */
export function postgresError(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof ExportError) return cause;
  const code = codeOf(cause);
  if (isUnreachable(cause, code)) return databaseUnreachable(cause);
  if (code === '53100') return storeDiskFull(cause);
  // Too many connections, out of memory, a lock or a statement that took too long.
  if (code.startsWith('53') || code === '55P03' || code === '57014' || TRY_AGAIN.has(code)) return busy(cause);
  // The disk, the system, a damaged index.
  return code.startsWith('58') || code.startsWith('XX') ? failed(cause) : cause;
}

/** True where a transaction may be run again from its beginning. */
export function isConflict(cause: unknown): boolean {
  return cause instanceof Error && TRY_AGAIN.has(codeOf(cause));
}

/** True where the connection it came over is of no use any more. */
export function isConnectionFault(cause: unknown): boolean {
  return cause instanceof Error && isUnreachable(cause, codeOf(cause));
}

/** Classes of SQLSTATE: no connection, one that was silent for too long, or a server that is going down or coming up. */
function isUnreachable(cause: Error, code: string): boolean {
  return (
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '25P03' ||
    NO_CONNECTION.has(code) ||
    LOST.test(cause.message)
  );
}

function databaseUnreachable(cause: unknown): ExportError {
  const message = 'The database of this service cannot be reached. Try again in a moment.';
  return new ExportError('unavailable', 'store.unreachable', message, { cause });
}

function codeOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
