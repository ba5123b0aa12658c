import { ExportError } from '../../errors.ts';
import { busy, failed, storeDiskFull } from '../store-error.ts';

/** Conflicts of two transactions: nothing was changed, and a retry may succeed. */
const TRY_AGAIN = new Set(['40P01', '40001']);
/** System errors of a connection. */
const NO_CONNECTION = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
]);
/** Driver errors of a connection, which have no code. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Converts a failed call to PostgreSQL; returns other errors unchanged, including a bug in a statement. */
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

/** Whether a transaction may be run again from its start. */
export function isConflict(cause: unknown): boolean {
  return cause instanceof Error && TRY_AGAIN.has(codeOf(cause));
}

/** Whether the connection is no longer usable. */
export function isConnectionFault(cause: unknown): boolean {
  return cause instanceof Error && isUnreachable(cause, codeOf(cause));
}

/** SQLSTATE classes: no connection, one that was idle for too long, or a server that is stopping or starting. */
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
