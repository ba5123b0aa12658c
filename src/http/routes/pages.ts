import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/document.ts';
import { ERRORS_MARKDOWN } from '../openapi/error-codes.ts';
import { docsPage } from '../pages/docs-page.ts';
import { errorsPage } from '../pages/errors-page.ts';
import { HLS_SCRIPT_PATH, hlsScript, type Packed } from '../pages/hls-script.ts';
import type { RouteContext } from '../server/route-context.ts';
import { PAGE_POLICY } from '../server/security-headers.ts';
import { hasTag } from '../wire/byte-ranges.ts';
import { takes } from '../wire/takes-encoding.ts';

/** The files beside the pages: nothing else can be fetched, whatever the address says. */
const ASSETS: Readonly<Record<string, string>> = {
  '/assets/style.css': 'text/css; charset=utf-8',
  '/assets/export.js': 'text/javascript; charset=utf-8',
  '/assets/watch.js': 'text/javascript; charset=utf-8',
  '/assets/icon.svg': 'image/svg+xml',
};

/** The pages that do not depend on an export, and what they load. All of it is read once, at start. */
export function pagesRoutes(app: FastifyInstance, { config }: RouteContext): void {
  const pages = {
    '/docs': docsPage(openApiDocument(config)),
    '/docs/errors': errorsPage(ERRORS_MARKDOWN),
  };
  for (const [url, text] of Object.entries(pages)) serve(app, url, 'text/html; charset=utf-8', text, PAGE_POLICY);
  for (const [url, type] of Object.entries(ASSETS)) {
    const file = join(import.meta.dirname, '..', 'pages', url.slice('/assets/'.length));
    serve(app, url, type, readFileSync(file, 'utf8'));
  }
  servePacked(app, HLS_SCRIPT_PATH, 'text/javascript; charset=utf-8', hlsScript);
}

function serve(app: FastifyInstance, url: string, type: string, text: string, policy?: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  app.route({
    method: ['GET', 'HEAD'],
    url,
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (policy !== undefined) reply.header('content-security-policy', policy);
      const known = request.headers['if-none-match'];
      if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
      return reply.type(type).send(text);
    },
  });
}

/** Something large whose address changes with it: packed when first asked for, and kept by browsers for good. */
function servePacked(app: FastifyInstance, url: string, type: string, read: () => Packed): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    config: { open: true, unmetered: true },
    handler: async (request, reply) => {
      reply.type(type).headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' });
      if (!takes('gzip', request.headers)) return reply.send(read().text);
      return reply.header('content-encoding', 'gzip').send(read().gzip);
    },
  });
}
