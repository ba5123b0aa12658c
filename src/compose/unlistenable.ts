import { ExportError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does already',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
  EACCES: 'this user may not',
};

/** Why the service cannot listen on an address, for the operator; returns other errors unchanged. */
export function unlistenable(
  cause: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  variables: string,
): unknown {
  const reason = cause instanceof Error && 'code' in cause ? REASONS[String(cause.code)] : undefined;
  if (reason === undefined) return cause;
  const message = `The service cannot listen on ${host}, port ${port}: ${reason}. It is set by ${variables}.`;
  return new ExportError('invalid', 'service.unlistenable', message, { cause });
}
