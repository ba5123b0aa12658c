import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../../errors.ts';
import type { SaveCondition } from '../../../exports/api/projects-api.ts';
import { pictureMagic } from '../../../image-header/picture-magic.ts';
import { FirstSignal } from '../../../platform/first-signal.ts';
import type { JsonLimits } from '../../../timeline/json/json-text.ts';
import { readBody } from '../../multipart/read-body.ts';
import type { RouteContext } from '../../server/route-context.ts';
import { clientGone } from '../../server/wait-within.ts';
import { hasTag } from '../../wire/byte-ranges.ts';
import { cursorOf, parsePageQuery } from '../../wire/list-query.ts';
import { admit } from '../receive-form.ts';
import { readProjectId, unknownProject } from './project-address.ts';
import { projectMetadata, projectTag, revisionMetadata } from './project-metadata.ts';
import { readSentProject } from './read-project.ts';
import { sendDocument, sendThumbnail } from './send-project.ts';

/** The size limit of a project's thumbnail. */
const MAX_THUMBNAIL_BYTES = 256 * 2 ** 10;

interface ProjectRequest {
  readonly Params: { readonly project_id: string; readonly revision: string };
}

/** `/projects`: projects, stored as sent, with their earlier revisions. (C76) */
export function projectRoutes(app: FastifyInstance, context: RouteContext): void {
  const { projects } = context;
  app.get<{ Querystring: Record<string, string | string[]> }>('/projects', async (request, reply) => {
    const { limit, after, warnings } = parsePageQuery(request.query);
    const place = after && { savedAtMs: after.createdAtMs, id: after.id };
    const { projects: found, next } = await projects.list(request.tenant!, limit, place);
    reply.header('cache-control', 'no-store');
    const cursor = next && cursorOf({ createdAtMs: next.savedAtMs, id: next.id });
    return { ok: true, projects: found.map(projectMetadata), next: cursor, warnings };
  });

  app.put<ProjectRequest>('/projects/:project_id', async (request, reply) => {
    const id = readProjectId(request.params.project_id);
    const limits = projectLimits(context);
    const sent = readSentProject(await receive(request, reply, limits.maxBytes, context), limits);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    const condition = overwriting(request);
    const { project, outcome } = await projects.save(request.tenant!, id, sent, condition, ended.signal);
    if (outcome === 'created') reply.code(201).header('location', `/projects/${id}`);
    reply.headers({ etag: projectTag(project), 'cache-control': 'no-store' });
    return { ok: true, ...projectMetadata(project) };
  });

  app.route<ProjectRequest>({
    method: ['GET', 'HEAD'],
    url: '/projects/:project_id',
    handler: async (request, reply) => {
      const project = await projects.open(request.tenant!, readProjectId(request.params.project_id));
      if (project === null) throw unknownProject();
      return sendDocument(project, request, reply);
    },
  });

  app.delete<ProjectRequest>('/projects/:project_id', async (request, reply) => {
    const id = readProjectId(request.params.project_id);
    if (!(await projects.remove(request.tenant!, id, matching(request)))) throw unknownProject();
    return reply.code(204).send();
  });

  app.get<ProjectRequest>('/projects/:project_id/revisions', async (request, reply) => {
    const revisions = await projects.revisions(request.tenant!, readProjectId(request.params.project_id));
    if (revisions === null) throw unknownProject();
    reply.header('cache-control', 'no-store');
    return { ok: true, revisions: revisions.map(revisionMetadata) };
  });

  app.get<ProjectRequest>('/projects/:project_id/revisions/:revision', async (request, reply) => {
    const revisions = await projects.revisions(request.tenant!, readProjectId(request.params.project_id));
    const found = revisions?.find(({ revision }) => String(revision) === request.params.revision);
    if (found === undefined) throw unknownProject();
    return sendDocument(found, request, reply);
  });

  app.put<ProjectRequest>('/projects/:project_id/thumbnail', async (request, reply) => {
    const id = readProjectId(request.params.project_id);
    const picture = await receive(request, reply, MAX_THUMBNAIL_BYTES, context);
    const magic = pictureMagic(picture);
    if (magic !== 'png' && magic !== 'jpeg' && magic !== 'webp') throw noThumbnail();
    using ended = new FirstSignal(clientGone(reply), context.closing);
    if (!(await projects.setThumbnail(request.tenant!, id, picture, ended.signal))) throw unknownProject();
    return reply.code(204).send();
  });

  app.get<ProjectRequest>('/projects/:project_id/thumbnail', async (request, reply) => {
    const thumbnail = await projects.thumbnail(request.tenant!, readProjectId(request.params.project_id));
    if (thumbnail === null) throw unknownProject();
    return sendThumbnail(thumbnail, request, reply);
  });
}

/** A project holds all documents of a create, up to three. */
const DOCUMENTS = 4;

function projectLimits({ config: { limits } }: RouteContext): JsonLimits {
  const { maxJsonBytes, maxJsonDepth, maxJsonValues } = limits;
  return { maxBytes: DOCUMENTS * maxJsonBytes, maxDepth: maxJsonDepth + 1, maxValues: DOCUMENTS * maxJsonValues };
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
  context: RouteContext,
): Promise<Buffer> {
  using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
  using _counted = context.metrics.countUpload();
  using ended = new FirstSignal(clientGone(reply), context.closing);
  const body = await readBody(request.raw, reply.raw, { maxBytes, patience: context.config.limits }, ended.signal);
  await admitted.arrived(body.length);
  return body;
}

/** To overwrite, a client sends the revision that it has seen; a first save sends none. (RFC 6585) */
function overwriting(request: FastifyRequest): SaveCondition {
  return (current) => {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    if (current !== null && ifMatch === undefined && ifNoneMatch === undefined) {
      const message = 'The project exists: name the revision that you overwrite in If-Match.';
      throw new ExportError('invalid', 'request.if_match_required', message);
    }
    if (current !== null && ifNoneMatch !== undefined && hasTag(ifNoneMatch, projectTag(current), true)) throw stale();
    matching(request)(current);
  };
}

function matching({ headers: { 'if-match': ifMatch } }: FastifyRequest): SaveCondition {
  return (current) => {
    if (ifMatch === undefined) return;
    if (current === null || !hasTag(ifMatch, projectTag(current), false)) throw stale();
  };
}

function stale(): ExportError {
  const message = 'The project has a newer revision than If-Match names. Read it again.';
  return new ExportError('invalid', 'request.precondition', message);
}

function noThumbnail(): ExportError {
  const message = 'A thumbnail must be a PNG, JPEG or WebP file.';
  return new ExportError('unsupported', 'project.thumbnail', message);
}
