import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { unknownExport } from '../wire/problem.ts';
import { findExport, requirePreset } from './find-export.ts';

/**
 * `DELETE /video/exports/<id>`: cancels its work and removes every file; `…/outputs/<preset>`: stops one preset. (C29)
 */
export function deleteRoutes(app: FastifyInstance, { api, config }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/video/exports/:id', async (request, reply) => {
    const { id } = await findExport(api, request.tenant, request.params.id);
    if (!(await api.remove(request.tenant!, id))) throw unknownExport();
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string; preset: string } }>(
    '/video/exports/:id/outputs/:preset',
    async (request, reply) => {
      const { id } = await findExport(api, request.tenant, request.params.id);
      const preset = requirePreset(config.presets, request.params.preset);
      if (!(await api.stop(request.tenant!, id, preset))) throw unknownExport();
      return reply.code(204).send();
    },
  );
}
