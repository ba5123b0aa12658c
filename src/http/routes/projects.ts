import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { zipBytes, zipStream } from '../../archive/zip-stream.ts';
import { ExportError } from '../../errors.ts';
import type { MediaBytes } from '../../exports/api/media-api.ts';
import type { OpenRevision, SaveCondition, SharedProject } from '../../exports/api/projects-api.ts';
import { MAX_DOCUMENTS } from '../../exports/api/submission.ts';
import { MAGIC_BYTES, pictureMagic } from '../../image-header/read-image-header.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readSha256 } from '../../timeline/media-references.ts';
import { type DocumentLease, readBody } from '../multipart/body-reader.ts';
import { requireForm } from '../multipart/read-multipart.ts';
import { parsePageQuery } from '../replies/list-query.ts';
import { unknownMedia } from '../replies/problem.ts';
import {
  DRAFT,
  LINK_LIST,
  NEW_LINK,
  PROJECT_LIST,
  PROJECT_METADATA,
  projectPath,
  projectTag,
  REVISION_LIST,
} from '../replies/project-replies.ts';
import type { RouteContext } from '../server/route-context.ts';
import { contentDisposition, hasTag } from '../server/send-media.ts';
import { clientGone } from '../server/wait-within.ts';
import { sendContent } from './media.ts';
import { readClientUuid, readProjectId, unknownProject } from './project-address.ts';
import { admit, receiveForm } from './receive-form.ts';

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
    return PROJECT_LIST.write({ projects: found, next, warnings });
  });

  app.put<ProjectRequest>('/projects/:project_id', async (request, reply) => {
    const id = readProjectId(request.params.project_id);
    const maxBytes = MAX_DOCUMENTS * context.config.limits.maxJsonBytes;
    using memory = context.documents.lease(request.tenant!);
    const document = await receive(request, reply, { maxBytes, memory }, context);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    const condition = overwriting(request);
    const { project, outcome } = await projects.save(request.tenant!, id, document, condition, ended.signal);
    if (outcome === 'created') reply.code(201).header('location', projectPath(id));
    reply.headers({ etag: projectTag(project), 'cache-control': 'no-store' });
    return PROJECT_METADATA.write(project);
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
    return REVISION_LIST.write(revisions);
  });

  app.get<ProjectRequest>('/projects/:project_id/revisions/:revision', async (request, reply) => {
    const revisions = await projects.revisions(request.tenant!, readProjectId(request.params.project_id));
    const found = revisions?.find(({ revision }) => String(revision) === request.params.revision);
    if (found === undefined) throw unknownProject();
    return sendDocument(found, request, reply);
  });

  app.put<ProjectRequest>('/projects/:project_id/thumbnail', async (request, reply) => {
    const id = readProjectId(request.params.project_id);
    const picture = await receive(request, reply, { maxBytes: MAX_THUMBNAIL_BYTES }, context);
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

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  body: { readonly maxBytes: number; readonly memory?: DocumentLease },
  context: RouteContext,
): Promise<Buffer> {
  using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
  using _counted = context.metrics.countUpload();
  using ended = new FirstSignal(clientGone(reply), context.closing);
  const patience = context.config.limits;
  const received = await readBody(request.raw, reply.raw, { ...body, patience }, ended.signal);
  await admitted.arrived(received.length);
  return received;
}

/** To overwrite, a client sends the revision that it has seen; a first save sends none. (RFC 6585) */
function overwriting(request: FastifyRequest): SaveCondition {
  return (current) => {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    if (current !== null && ifMatch === undefined && ifNoneMatch === undefined) {
      const message = 'The project exists: name the revision that you overwrite in If-Match.';
      throw new ExportError('invalid', 'request.if_match_required', message);
    }
    if (current !== null && ifNoneMatch !== undefined && hasTag(ifNoneMatch, projectTag(current), true)) {
      throw failed(
        'The project exists in a revision that If-None-Match names. Name the one that you overwrite in If-Match.',
      );
    }
    matching(request)(current);
  };
}

function matching({ headers: { 'if-match': ifMatch } }: FastifyRequest): SaveCondition {
  return (current) => {
    if (ifMatch === undefined) return;
    if (current === null) throw failed('If-Match names a revision, and there is no such project.');
    if (!hasTag(ifMatch, projectTag(current), false)) {
      throw failed('The project has a newer revision than If-Match names. Read it again.');
    }
  };
}

function failed(message: string): ExportError {
  return new ExportError('invalid', 'request.precondition', message);
}

function noThumbnail(): ExportError {
  const message = 'A thumbnail must be a PNG, JPEG or WebP file.';
  return new ExportError('unsupported', 'project.thumbnail', message);
}

/** Sends a project exactly as it was received. */
async function sendDocument(
  revision: OpenRevision,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = projectTag(revision);
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8').header('content-length', revision.bytes);
  return reply.send(request.method === 'HEAD' ? undefined : await revision.stream());
}

/** Sends a thumbnail with its picture type. */
async function sendThumbnail(
  thumbnail: MediaBytes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const head = await buffer(await thumbnail.stream({ start: 0, end: Math.min(MAGIC_BYTES, thumbnail.bytes) }));
  return sendContent(thumbnail, request, reply, `image/${pictureMagic(head)}`);
}

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
    return NEW_LINK.write({ ...made, url });
  });

  app.get<LinkRequest>('/projects/:project_id/links', async (request, reply) => {
    const links = await projects.links(request.tenant!, readProjectId(request.params.project_id));
    if (links === null) throw unknownProject();
    reply.header('cache-control', 'no-store');
    return LINK_LIST.write(links);
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
  shared('', async ({ document }, request, reply) => sendDocument(await document(), request, reply));
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

interface ArchiveRequest {
  readonly Params: { readonly project_id: string };
}

/** `GET /projects/<id>/archive`: a project with its revisions and media in one file. (C89) */
export function projectArchiveRoutes(app: FastifyInstance, { projects }: RouteContext): void {
  app.get<ArchiveRequest>('/projects/:project_id/archive', async (request, reply) => {
    const archive = await projects.archive(request.tenant!, readProjectId(request.params.project_id));
    if (archive === null) throw unknownProject();
    reply.type('application/zip').headers({
      'content-length': zipBytes(archive.files),
      'content-disposition': contentDisposition('attachment', `${archive.name}.zip`),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
    return reply.send(zipStream(archive.files));
  });
}

interface DraftRequest {
  readonly Params: { readonly draft_id: string };
}

/** `/video/drafts/<id>`: videos that are rendered while a user edits them. (C79) */
export function draftRoutes(app: FastifyInstance, context: RouteContext): void {
  const { drafts } = context;
  app.put<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    const id = readDraftId(request.params.draft_id);
    requireForm(request.headers['content-type']);
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    await drafts.put(id, { tenant: request.tenant!, texts: form.texts, uploads: form.uploads }, ended.signal);
    return reply.code(204).send();
  });

  app.get<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    const draft = await drafts.get(request.tenant!, readDraftId(request.params.draft_id));
    if (draft === null) throw unknownDraft();
    reply.header('cache-control', 'no-store');
    return DRAFT.write(draft);
  });

  app.delete<DraftRequest>('/video/drafts/:draft_id', async (request, reply) => {
    if (!(await drafts.remove(request.tenant!, readDraftId(request.params.draft_id)))) throw unknownDraft();
    return reply.code(204).send();
  });
}

function readDraftId(text: string): string {
  const id = readClientUuid(text);
  if (id !== null) return id;
  const message = `The id of a draft is a UUID that you choose, not ${shownText(text)}.`;
  throw new ExportError('malformed', 'draft.address', message);
}

/** Unknown, deleted, expired and another tenant's look the same. (H19) */
function unknownDraft(): ExportError {
  return new ExportError('missing', 'draft.unknown', 'There is no such draft, or it has expired.');
}
