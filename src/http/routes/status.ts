import type { FastifyInstance } from 'fastify';
import { exportPage } from '../pages/export-page.ts';
import { keyRequired } from '../server/api-keys.ts';
import type { RouteContext } from '../server/route-context.ts';
import { PAGE_POLICY } from '../server/security-headers.ts';
import { negotiate } from '../wire/accept.ts';
import { exportMetadata } from '../wire/export-metadata.ts';
import { findExport } from './find-export.ts';

/**
 * `GET /video/exports/<id>`: the metadata, or a page for people. (C26)
 *
 * A browser sends no key when it opens an address, so the page goes by the address alone, as the downloads do; the
 * metadata is for the export's own tenant.
 */
export function statusRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/video/exports/:id',
    config: { open: true },
    handler: async (request, reply) => {
      const type = negotiate(request.headers.accept, ['application/json', 'text/html']);
      reply.headers({ vary: 'Accept', 'cache-control': 'no-store' });
      if (type === 'text/html') {
        const view = await findExport(api, null, request.params.id);
        reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY);
        const chapters = await api.chapters(view.id);
        return exportPage(exportMetadata(view), { chapters, settled: view.settled });
      }
      if (request.tenant === null) throw keyRequired();
      return exportMetadata(await findExport(api, request.tenant, request.params.id));
    },
  });
}
