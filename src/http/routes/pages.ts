import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { apiPage } from '../pages/docs/api-page.ts';
import { API_ADDRESS, DocsSite } from '../pages/docs/docs-site.ts';
import { HLS_SCRIPT_PATH, hlsScript, type Packed } from '../pages/hls-script.ts';
import { loadStudio, STUDIO_ASSETS, type StudioFiles, studioPage } from '../pages/studio-page.ts';
import { PAGE_POLICY, PROGRAM_POLICY, STUDIO_PERMISSIONS, STUDIO_POLICY } from '../server/cross-origin.ts';
import { takes } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { hasTag } from '../server/send-media.ts';

/** Workers that run WebAssembly programs. */
const PROGRAMS = ['drawing-worker', 'device-worker', 'device-sound-worker', 'test-card-worker'];

/** The files of the pages; no other file can be requested. */
const ASSETS: Readonly<Record<string, string>> = {
  '/assets/style.css': 'text/css; charset=utf-8',
  '/assets/export.js': 'text/javascript; charset=utf-8',
  '/assets/watch.js': 'text/javascript; charset=utf-8',
  '/assets/docs/docs.js': 'text/javascript; charset=utf-8',
  '/assets/docs/try-request.js': 'text/javascript; charset=utf-8',
  '/assets/icon.svg': 'image/svg+xml',
};

/** The pages that do not depend on an export, and their files. All are read once, at start. */
export function pagesRoutes(app: FastifyInstance, { config }: RouteContext): void {
  docsRoutes(app, () => openApiDocument(config));
  for (const [url, type] of Object.entries(ASSETS)) {
    const file = join(import.meta.dirname, '..', 'pages', url.slice('/assets/'.length));
    serve(app, url, type, readFileSync(file, 'utf8'));
  }
  servePacked(app, HLS_SCRIPT_PATH, 'text/javascript; charset=utf-8', hlsScript);
}

function serve(app: FastifyInstance, url: string, type: string, text: string): void {
  const content = contentOf(type, text);
  app.route({
    method: ['GET', 'HEAD'],
    url,
    config: { open: true, unmetered: true },
    handler: async (request, reply) => send(request, reply, content),
  });
}

interface Content {
  readonly type: string;
  readonly body: string | Buffer;
  readonly etag: string;
}

function contentOf(type: string, body: string | Buffer): Content {
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

function send(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Content): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** The documentation: pages, their pictures and the search data. Made at the first request, then kept. */
function docsRoutes(app: FastifyInstance, document: () => OpenApiDocument): void {
  let site: DocsSite | null = null;
  const kept = new Map<string, Content>();
  const make = async (address: string): Promise<Content | null> => {
    site ??= new DocsSite();
    const picture = site.picture(address);
    if (picture !== null) return contentOf(picture.type, await readFile(picture.file));
    if (address === '/docs/search.json') return contentOf('application/json; charset=utf-8', site.searchIndex());
    const markdown = site.markdown(address);
    if (markdown !== null) return contentOf('text/markdown; charset=utf-8', markdown);
    const isApi = address === API_ADDRESS;
    const text = isApi ? site.layout('Endpoints and schemas – Tiercut', apiPage(document())) : site.page(address);
    return text === null ? null : contentOf('text/html; charset=utf-8', text);
  };
  for (const url of ['/docs', '/docs/errors', '/docs/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { open: true, unmetered: true },
      handler: async (request, reply) => {
        const [address = ''] = request.url.split('?', 1);
        const content = kept.get(address) ?? (await make(address));
        if (content === null) return reply.callNotFound();
        // Pictures are read at each request, because all of them would be megabytes.
        if (typeof content.body === 'string') kept.set(address, content);
        if (content.type.startsWith('text/html')) reply.header('content-security-policy', PAGE_POLICY);
        return send(request, reply, content);
      },
    });
  }
}

/** A large file with a versioned address: compressed at the first request, and cached by browsers permanently. */
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

const OPEN = { method: ['GET', 'HEAD'] as string[], config: { open: true, unmetered: true } };

const STUDIO_PAGES = { '/studio': 'studio', '/studio/check': 'check' } as const;

/** `/studio`, the check of a browser, and their files; read at the first request. */
export function studioRoutes(app: FastifyInstance, { config, speech }: RouteContext): void {
  let loading: Promise<StudioFiles> | null = null;
  const load = (): Promise<StudioFiles> => {
    loading ??= loadStudio().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };

  for (const [url, name] of Object.entries(STUDIO_PAGES)) {
    app.route({
      ...OPEN,
      url,
      handler: async (request, reply) => {
        const text = studioPage(config, speech.languages(), await load(), name);
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
  }

  app.route<{ Params: { file: string } }>({
    ...OPEN,
    url: `${STUDIO_ASSETS}/:file`,
    handler: async (request, reply) => {
      const { files, entries } = await load();
      const file = files.get(request.params.file);
      if (file === undefined) {
        throw new ExportError('missing', 'request.unknown_address', 'There is no endpoint at this address.');
      }
      // A worker has its own policy, which differs from the page's.
      reply.type(file.type).headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': PROGRAMS.some((name) => entries[name] === request.params.file)
          ? PROGRAM_POLICY
          : STUDIO_POLICY,
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
