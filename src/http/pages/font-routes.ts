import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import { LISTED_FONTS, type WebFont, webFonts } from '../../paint/fonts/web-fonts.ts';
import { WORD_FILES } from '../../paint/fonts/word-files.ts';
import { FONTS } from '../replies/service-replies.ts';
import { takes } from '../server/preferences.ts';
import { hasTag } from '../server/send-media.ts';

const TYPES: Readonly<Record<string, string>> = { '.ttf': 'font/ttf', '.otf': 'font/otf', '.woff': 'font/woff' };

/** These shrink by half, the coloured one by two thirds; the others are already compressed or hardly shrink. */
const WORTH_PACKING = '.ttf';

/** Compressed at the first request, and kept: 9 MB for all of them. */
const packed = new Map<string, Promise<Buffer>>();

function packedFont({ name, path }: WebFont): Promise<Buffer> {
  let packing = packed.get(name);
  if (packing === undefined) {
    packing = readFile(path).then((bytes) => promisify(gzip)(bytes));
    packed.set(name, packing);
    packing.catch(() => packed.delete(name));
  }
  return packing;
}

/**
 * The font families that a request can name, with a picture of each. `build/make-font-samples.ts` makes the pictures.
 * (C63)
 */
function namedFontRoutes(app: FastifyInstance): void {
  const fonts = LISTED_FONTS.map((font) => ({ ...font, sample: `/assets/font-samples/${font.sample}` }));
  const open = { method: ['GET', 'HEAD'], config: { open: true, unmetered: true } };
  app.route({ ...open, url: '/fonts', handler: async () => FONTS.write(fonts) });
  for (const { sample } of LISTED_FONTS) {
    app.route({
      ...open,
      url: `/assets/font-samples/${sample}`,
      handler: async (_, reply) => {
        const picture = await readFile(join(import.meta.dirname, 'font-samples', sample));
        return reply.type('image/png').header('cache-control', 'public, max-age=86400').send(picture);
      },
    });
  }
}

/** The fonts of videos, so that a page can draw the same text as the export: a list, and the files by hashed name. */
export function fontRoutes(app: FastifyInstance): void {
  namedFontRoutes(app);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/assets/fonts.json',
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      const fonts = await webFonts();
      const etag = `"${createHash('sha256')
        .update(fonts.map(({ name }) => name).join())
        .digest('base64url')}"`;
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      const list = fonts.map(({ family, name, bytes, coverage }) => ({
        family,
        url: `/assets/fonts/${name}`,
        bytes,
        coverage,
      }));
      const text = JSON.stringify({ fonts: list });
      reply.type('application/json; charset=utf-8');
      if (!takes('gzip', request.headers)) return reply.send(text);
      return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text));
    },
  });
  app.route<{ Params: { readonly name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/fonts/:name',
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      const font = (await webFonts()).find(({ name }) => name === request.params.name);
      if (font === undefined) {
        throw new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
      }
      reply.type(TYPES[extname(font.path)]!).headers({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      if (extname(font.path) === WORTH_PACKING && takes('gzip', request.headers)) {
        const bytes = await packedFont(font);
        reply.headers({ 'content-encoding': 'gzip', 'content-length': bytes.length });
        return reply.send(request.method === 'HEAD' ? '' : bytes);
      }
      reply.header('content-length', font.bytes);
      return reply.send(request.method === 'HEAD' ? '' : createReadStream(font.path));
    },
  });
}

/** The words for line breaks in scripts without spaces, so that a page breaks lines where the export does. */
export function wordRoutes(app: FastifyInstance): void {
  app.route<{ Params: { readonly script: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/words/:script',
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      const path = WORD_FILES.get(request.params.script);
      if (path === undefined) {
        throw new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
      }
      const packed = await readFile(path);
      const etag = `"${createHash('sha256').update(packed).digest('base64url')}"`;
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      const isPacked = takes('gzip', request.headers);
      if (isPacked) reply.header('content-encoding', 'gzip');
      const bytes = isPacked ? packed : await promisify(gunzip)(packed);
      reply.type('application/octet-stream').header('content-length', bytes.length);
      return reply.send(request.method === 'HEAD' ? '' : bytes);
    },
  });
}
