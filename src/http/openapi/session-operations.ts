import { operation, type PathItem } from './operation.ts';
import { requestHeader } from './parameters.ts';
import { header, json, reference, reply } from './replies.ts';

const cookie = { 'Set-Cookie': header('`HttpOnly; SameSite=Strict`, and `Secure` under TLS.') };

/** Keys in a browser. (C51) */
export function sessionOperations(): Record<string, PathItem> {
  const body = { schema: reference('SessionRequest'), example: { key: 'your-key-of-16-or-more' } };
  return {
    '/session': {
      post: operation({
        operationId: 'openSession',
        tag: 'Sessions',
        summary: 'Exchange a key for a session cookie',
        description:
          'The cookie replaces the key where a browser sends no headers: `EventSource`, `<video>`, downloads. It ends when it expires, when the key is removed, or with `DELETE`. The key can be in a header instead of the body. Without keys in the deployment, no cookie is set.',
        access: 'open',
        parameters: [
          requestHeader('Accept', '`text/html`: redirects to `to`, for a form without script.', 'application/json'),
        ],
        requestBody: {
          required: false,
          content: { 'application/json': body, 'application/x-www-form-urlencoded': body },
        },
        replies: {
          200: reply(
            'Open.',
            json('Session', { open: { ok: true, tenant: 'studio', expires_at: '2026-01-03T00:00:00.000Z' } }),
            cookie,
          ),
          303: reply('For a browser’s form: redirects to `to`.', undefined, {
            ...cookie,
            Location: header('`to`, or `/`.'),
          }),
        },
        problems: [401, 406, 408, 413, 422],
      }),
      delete: operation({
        operationId: 'endSession',
        tag: 'Sessions',
        summary: 'End a session',
        description: 'Removes the cookie; copies of it stop working.',
        access: 'open',
        replies: { 204: reply('The session is ended, or there was none.', undefined, cookie) },
      }),
    },
  };
}
