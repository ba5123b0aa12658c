import { ExportError, messageOf } from '../errors.ts';
import { type BlobPlace, type BlobSettings, backendOf } from '../store/blob-backends.ts';
import { causeOf } from '../store/store-error.ts';

/**
 * Why the database cannot be used, and how to fix it. The text does not contain the address, which has a password in
 * it.
 */
export function databaseFault(error: unknown, url: string): string {
  const cause = causeOf(error);
  const { user, database, where } = partsOf(url);
  switch (codeOf(cause)) {
    case '28P01':
      return `PostgreSQL does not accept the password of user "${user}". See TIERCUT_DATABASE_URL.`;
    case '28000':
      return `PostgreSQL does not let user "${user}" in: ${cause.message}. See TIERCUT_DATABASE_URL and the server's pg_hba.conf.`;
    case '3D000':
      return `There is no database "${database}" on ${where}. Create it, then run \`tiercut migrate\`.`;
    case '42P01':
    case '3F000':
      return `Tables are missing (${cause.message}). Run \`tiercut migrate\`.`;
    case '42501':
      return `User "${user}" may not use the tables (${cause.message}). Let it own them: run \`tiercut migrate\` as this user.`;
    case '25006':
      return `The database "${database}" on ${where} is read-only: a standby, or configured so. Nodes need the primary.`;
    case '53300':
      return `PostgreSQL has no connection left (${cause.message}). Raise max_connections, or run fewer nodes.`;
  }
  // The driver has no code for this error.
  if (cause.message.startsWith('SASL') && cause.message.includes('password'))
    return `PostgreSQL needs a password for user "${user}", and TIERCUT_DATABASE_URL has none.`;
  if (cause.message.includes('does not support SSL'))
    return `The server on ${where} does not support TLS, which TIERCUT_DATABASE_URL requires (sslmode).`;
  if (isUnreachable(error)) return `PostgreSQL cannot be reached on ${where} (${cause.message}).`;
  return withCause(error);
}

/** Why the files cannot be used, and how to fix it. */
export function filesFault(error: unknown, place: BlobPlace, settings: BlobSettings): string {
  return backendOf(place).explainFault(error, place, settings) ?? withCause(error);
}

function partsOf(url: string): { user: string; database: string; where: string } {
  const { username, hostname, port, pathname, searchParams } = new URL(url);
  const [user, database] = [username, pathname.slice(1)].map(decodeURIComponent) as [string, string];
  return { user, database, where: searchParams.get('host') ?? (port === '' ? hostname : `${hostname}:${port}`) };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'store.unreachable';
}

/** The message with its cause, for the operator. */
function withCause(error: unknown): string {
  if (!(error instanceof ExportError)) return messageOf(error);
  const { message, name } = causeOf(error);
  return error.cause instanceof Error ? `${error.message} (${name}: ${message})` : error.message;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
