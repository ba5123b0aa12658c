import type { FastifyRequest } from 'fastify';

/** Under TLS a browser accepts this name only from the exact host, and never over plain HTTP. */
const SECURE_NAME = '__Host-tiercut_session';
const PLAIN_NAME = 'tiercut_session';

/** The token of the session cookie of a request; null without one. */
export function sentSession(request: FastifyRequest, publicUrl: string | null): string | null {
  const wanted = cookieName(request, publicUrl);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=', 2);
    if (name!.trim() === wanted) return value?.trim() ?? '';
  }
  return null;
}

/** The header that sets the session cookie or, with zero seconds, removes it. (C51) */
export function sessionCookie(
  request: FastifyRequest,
  publicUrl: string | null,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): string {
  const secure = isUnderTls(request, publicUrl) ? '; Secure' : '';
  const name = cookieName(request, publicUrl);
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

function cookieName(request: FastifyRequest, publicUrl: string | null): string {
  return isUnderTls(request, publicUrl) ? SECURE_NAME : PLAIN_NAME;
}

/** Because a trusted proxy says so, or because the host is that of an HTTPS public address. */
function isUnderTls(request: FastifyRequest, publicUrl: string | null): boolean {
  if (request.protocol === 'https') return true;
  const known = publicUrl === null ? null : new URL(publicUrl);
  return known?.protocol === 'https:' && known.host === request.headers.host?.toLowerCase();
}
