import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ExportError } from '../../errors.ts';
import { WORD_FILES } from '../../paint/fonts/word-files.ts';
import { hasTag } from '../wire/byte-ranges.ts';
import { takes } from '../wire/takes-encoding.ts';

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
