import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server/route-context.ts';
import { unknownExport } from '../wire/problem.ts';
import { findExport } from './find-export.ts';

/** `DELETE /video/exports/<id>`: cancels what runs, removes every file. (C29) */
export function deleteRoutes(app: FastifyInstance, { api }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/video/exports/:id', async (request, reply) => {
    const { id } = await findExport(api, request.tenant, request.params.id);
    if (!(await api.remove(request.tenant!, id))) throw unknownExport();
    return reply.code(204).send();
  });
}
