import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import { loadStudio } from '../pages/load-studio.ts';
import { STUDIO_ASSETS, type StudioFiles } from '../pages/studio-files.ts';
import { studioPage } from '../pages/studio-page.ts';
import type { RouteContext } from '../server/route-context.ts';
import { STUDIO_PERMISSIONS, STUDIO_POLICY } from '../server/security-headers.ts';
import { hasTag } from '../wire/byte-ranges.ts';
import { takes } from '../wire/takes-encoding.ts';

const OPEN = { method: ['GET', 'HEAD'] as string[], config: { open: true, unmetered: true } };

/** `/studio` and its files; read, and in a clone built, at the first request. */
export function studioRoutes(app: FastifyInstance, { config, speech }: RouteContext): void {
  let loading: Promise<StudioFiles> | null = null;
  const load = (): Promise<StudioFiles> => {
    loading ??= loadStudio(config.studioFolder).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };

  app.route({
    ...OPEN,
    url: '/studio',
    handler: async (request, reply) => {
      const text = studioPage(config, speech.languages(), await load());
      const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
      reply.headers({
        etag,
        'cache-control': 'no-cache',
        'content-security-policy': STUDIO_POLICY,
        'permissions-policy': STUDIO_PERMISSIONS,
      });
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(text);
    },
  });

  app.route<{ Params: { file: string } }>({
    ...OPEN,
    url: `${STUDIO_ASSETS}/:file`,
    handler: async (request, reply) => {
      const file = (await load()).files.get(request.params.file);
      if (file === undefined) {
        throw new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
      }
      // A worker has its own policy, which differs from the page's.
      reply.type(file.type).headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': STUDIO_POLICY,
        vary: 'Accept-Encoding',
      });
      // Browsers accept Brotli over HTTPS and from localhost; it saves a tenth.
      if (takes('br', request.headers)) return reply.header('content-encoding', 'br').send(file.brotli);
      if (takes('gzip', request.headers)) return reply.header('content-encoding', 'gzip').send(file.gzip);
      return reply.send(file.bytes);
    },
  });

  app.route({ ...OPEN, url: '/', handler: async (_, reply) => reply.redirect('/studio', 302) });
}
