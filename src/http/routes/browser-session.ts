import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { readBody } from '../multipart/body-reader.ts';
import { keyRequired } from '../replies/problem.ts';
import { SESSION } from '../replies/service-replies.ts';
import { ONLY_TENANT, sentKey, sentSession, sessionCookie } from '../server/identify.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';

/** Enough for a key and an address. */
const MAX_BYTES = 4096;
const PATIENCE = { idleTimeoutSeconds: 10, uploadTimeoutSeconds: 10 };

/** `POST` and `DELETE /session`: exchanges a key for a session cookie, and ends the session. (C51) */
export function sessionRoutes(app: FastifyInstance, { config, keys, sessions }: RouteContext): void {
  const open = { config: { open: true } };
  app.post('/session', open, async (request, reply) => {
    const type = negotiate(request.headers.accept, ['application/json', 'text/html']);
    const { key, to } = await readSession(request, reply);
    reply.header('cache-control', 'no-store');
    const given = key ?? sentKey(request.headers);
    const tenant = config.apiKeys.length === 0 ? ONLY_TENANT : (keys.callerOfKey(given)?.tenant ?? null);
    if (tenant === null) throw keyRequired();
    let expiresAtMs: number | null = null;
    // Without keys every caller has full access.
    if (config.apiKeys.length > 0) {
      const { token, session, seconds } = sessions.open(given);
      reply.header('set-cookie', sessionCookie(request, config.publicUrl, { token, seconds }));
      expiresAtMs = session.expiresAtMs;
    }
    if (type === 'text/html') return reply.code(303).header('location', to).send();
    return SESSION.write({ tenant, expiresAtMs });
  });
  app.delete('/session', open, async (request, reply) => {
    const session = await sessions.find(sentSession(request, config.publicUrl));
    if (session !== null) await sessions.end(session);
    reply.headers({
      'cache-control': 'no-store',
      'set-cookie': sessionCookie(request, config.publicUrl, { token: '', seconds: 0 }),
    });
    return reply.code(204).send();
  });
}

interface SessionBody {
  /** null if it is in the headers. */
  readonly key: string | null;
  /** Where a browser's form is redirected to. */
  readonly to: string;
}

/** JSON from programs, or form fields from a browser without script. */
async function readSession(request: FastifyRequest, reply: FastifyReply): Promise<SessionBody> {
  const limits = { maxBytes: MAX_BYTES, patience: PATIENCE };
  const body = (await readBody(request.raw, reply.raw, limits, clientGone(reply))).toString('utf8');
  if (body.trim() === '') return { key: null, to: '/' };
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : jsonFields(body);
  if (fields.key === undefined) {
    const message = '"key" is missing: it must be one of the service’s API keys.';
    throw new ExportError('invalid', 'field.required', message, { path: '' });
  }
  if (typeof fields.key !== 'string') {
    throw new ExportError('invalid', 'field.type', 'key must be a text.', { path: '/key' });
  }
  return { key: fields.key, to: ownAddress(fields.to) };
}

function jsonFields(body: string): { readonly key?: unknown; readonly to?: unknown } {
  try {
    const fields = JSON.parse(body);
    if (typeof fields === 'object' && fields !== null) return fields;
  } catch {}
  const message = 'The body must be a JSON object such as {"key": "…"}, or a form with the field key.';
  throw new ExportError('malformed', 'request.malformed', message);
}

/** An address of this service; any other would be an open redirect. */
function ownAddress(to: unknown): string {
  return typeof to === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) ? to : '/';
}
