import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../../errors.ts';
import type { SharedProject } from '../../../exports/api/projects-api.ts';
import { readSha256 } from '../../../timeline/media-references.ts';
import type { RouteContext } from '../../server/route-context.ts';
import { unknownMedia } from '../../wire/problem.ts';
import { sendContent } from '../media/send-content.ts';
import { readProjectId, unknownProject } from './project-address.ts';
import { linkMetadata } from './project-metadata.ts';
import { sendDocument, sendThumbnail } from './send-project.ts';

interface LinkRequest {
  readonly Params: { readonly project_id: string; readonly link: string };
}

interface SharedRequest {
  readonly Params: { readonly secret: string; readonly sha256: string };
}

/**
 * `/projects/<id>/links` and the addresses that they open: a project and its media, without a key, until the link is
 * revoked. (C76)
 */
export function projectLinkRoutes(app: FastifyInstance, context: RouteContext): void {
  const { projects } = context;
  app.post<LinkRequest>('/projects/:project_id/links', async (request, reply) => {
    const made = await projects.share(request.tenant!, readProjectId(request.params.project_id));
    if (made === null) throw unknownProject();
    const path = `/shared/${made.secret}`;
    const url = `${context.config.publicUrl ?? ''}${path}`;
    reply.code(201).headers({ location: url, 'cache-control': 'no-store' });
    return { ok: true, ...linkMetadata(made), url };
  });

  app.get<LinkRequest>('/projects/:project_id/links', async (request, reply) => {
    const links = await projects.links(request.tenant!, readProjectId(request.params.project_id));
    if (links === null) throw unknownProject();
    reply.header('cache-control', 'no-store');
    return { ok: true, links: links.map(linkMetadata) };
  });

  app.delete<LinkRequest>('/projects/:project_id/links/:link', async (request, reply) => {
    const { project_id, link } = request.params;
    if (!(await projects.revoke(request.tenant!, readProjectId(project_id), link.toLowerCase()))) throw unknownLink();
    return reply.code(204).send();
  });

  const shared = (
    path: string,
    answer: (
      project: SharedProject,
      request: FastifyRequest<SharedRequest>,
      reply: FastifyReply,
    ) => Promise<FastifyReply>,
  ) =>
    app.get<SharedRequest>(`/shared/:secret${path}`, { config: { open: true } }, async (request, reply) => {
      const project = await projects.openShared(request.params.secret);
      if (project === null) throw unknownLink();
      return answer(project, request, reply);
    });
  shared('', ({ project }, request, reply) => sendDocument(project, request, reply));
  shared('/media/:sha256', async (project, request, reply) => {
    const sha256 = readSha256(request.params.sha256);
    const content = sha256 === null ? null : await project.media(sha256);
    if (content === null) throw unknownMedia();
    return sendContent(content, request, reply);
  });
  shared('/thumbnail', async (project, request, reply) => {
    const thumbnail = await project.thumbnail();
    if (thumbnail === null) throw unknownProject();
    return sendThumbnail(thumbnail, request, reply);
  });
}

/** The same for unknown and revoked links. */
function unknownLink(): ExportError {
  return new ExportError('missing', 'link.unknown', 'This link does not exist or was revoked.');
}
