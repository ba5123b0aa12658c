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
        summary: 'Turn a key into a cookie',
        description:
          'The cookie means what the key means, for what sends no headers: `EventSource`, `<video>`, downloads. It ends with the key, after its time, or by `DELETE`. The key may come in a header instead of the body. Where the deployment has no keys, there is nothing to do, and no cookie.',
        access: 'open',
        parameters: [
          requestHeader('Accept', '`text/html`: leads on to `to`, for a form without script.', 'application/json'),
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
          303: reply('For a browser’s form: on to `to`.', undefined, { ...cookie, Location: header('`to`, or `/`.') }),
        },
        problems: [401, 406, 408, 413, 422],
      }),
      delete: operation({
        operationId: 'endSession',
        tag: 'Sessions',
        summary: 'End the session',
        description: 'Its cookie is taken away and opens nothing any more, wherever a copy of it is.',
        access: 'open',
        replies: { 204: reply('Ended, or there was none.', undefined, cookie) },
      }),
    },
  };
}
