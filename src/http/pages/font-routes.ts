import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import { webFonts } from '../../paint/skia/web-fonts.ts';
import { hasTag } from '../wire/byte-ranges.ts';

const TYPES: Readonly<Record<string, string>> = { '.ttf': 'font/ttf', '.otf': 'font/otf', '.woff': 'font/woff' };

/** The fonts that videos are set in, so that a page can paint what the export will show: a list, and the files by hashed name. */
export function fontRoutes(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/fonts.json',
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      const fonts = await webFonts();
      const etag = `"${createHash('sha256')
        .update(fonts.map(({ name }) => name).join())
        .digest('base64url')}"`;
      reply.headers({ etag, 'cache-control': 'no-cache' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send({
        fonts: fonts.map(({ family, name, bytes, coverage }) => ({
          family,
          url: `/assets/fonts/${name}`,
          bytes,
          coverage,
        })),
      });
    },
  });
  app.route<{ Params: { readonly name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/fonts/:name',
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      const font = (await webFonts()).find(({ name }) => name === request.params.name);
      if (font === undefined) {
        throw new ExportError('missing', 'request.unknown_address', 'There is nothing at this address.');
      }
      reply.type(TYPES[extname(font.path)]!).headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': font.bytes,
      });
      return reply.send(request.method === 'HEAD' ? '' : createReadStream(font.path));
    },
  });
}
