import {
  DRAFT,
  DRAFT_REQUEST,
  LINK_LIST,
  NEW_LINK,
  PROJECT,
  PROJECT_LIST,
  PROJECT_METADATA,
  REVISION_LIST,
} from '../replies/project-replies.ts';
import { operation, type PathItem } from './describe-operation.ts';
import { binary, header, json, projectId, query, reply, requestHeader } from './parts.ts';

const ID = '3f2b8c1e-7a40-4d0e-9c55-0b1d2e3f4a5b';
const TAG = '"3.9f86d081884c7d65"';
const SAVED = Date.UTC(2026, 0, 3, 12);

const secret = {
  name: 'secret',
  in: 'path',
  required: true,
  description: 'The end of the `url` of a link.',
  schema: { type: 'string', examples: ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is'] },
} as const;

const tag = { ETag: header('The revision.') };
const ifMatch = requestHeader('If-Match', 'The `ETag` of the revision that you have.', TAG);
const ifNoneMatch = requestHeader('If-None-Match', 'The `ETag` of the revision that you have.', TAG);

const saved = json(PROJECT_METADATA, {
  saved: PROJECT_METADATA.write({
    id: ID,
    name: 'Snacks, ranked',
    revision: 3,
    document: '9f86d081884c7d65',
    bytes: 48_211,
    savedAtMs: SAVED,
    createdAtMs: SAVED,
    thumbnail: null,
  }),
});
const document = json(PROJECT);
const picture = { ...binary('image/png'), ...binary('image/jpeg'), ...binary('image/webp') };

/** Projects, their revisions, and links that read them. (C76) */
export function projectOperations(): Record<string, PathItem> {
  return {
    '/projects': {
      get: operation({
        operationId: 'listProjects',
        tag: 'Projects',
        summary: 'List your projects, last saved first',
        parameters: [
          query('limit', 'Projects on a page; 20 if absent.', { type: 'integer', minimum: 1, maximum: 100 }),
          query('cursor', 'The `next` of the previous page.', { type: 'string' }),
        ],
        replies: { 200: reply('A page.', json(PROJECT_LIST)) },
        problems: [422],
      }),
    },
    '/projects/{project_id}': {
      parameters: [projectId],
      put: operation({
        operationId: 'saveProject',
        tag: 'Projects',
        summary: 'Save a project',
        description:
          'The service stores it unchanged, complete or not: only `name`, `media`, `media_refs` and `media_urls` are checked. The first save creates the project; each later one ' +
          'creates a revision and needs `If-Match`. Media that a kept revision refers to do not expire.',
        parameters: [ifMatch, requestHeader('If-None-Match', '`*`: only if there is no such project.', '*')],
        requestBody: { required: true, content: document },
        replies: {
          200: reply('The revision is saved, or equals the current one.', saved, tag),
          201: reply('The project is created.', saved, {
            ...tag,
            Location: header('Its address.', { type: 'string', format: 'uri-reference' }),
          }),
        },
        problems: [408, 409, 412, 413, 422, 428, 503, 507],
      }),
      get: operation({
        operationId: 'getProject',
        tag: 'Projects',
        summary: 'Get the current revision of a project',
        parameters: [ifNoneMatch],
        replies: { 200: reply('The project.', document, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404],
      }),
      head: operation({
        operationId: 'peekProject',
        tag: 'Projects',
        summary: 'Get the ETag of the current revision',
        parameters: [ifNoneMatch],
        replies: { 200: reply('The project exists.', undefined, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404],
      }),
      delete: operation({
        operationId: 'deleteProject',
        tag: 'Projects',
        summary: 'Delete a project with its revisions and links',
        parameters: [ifMatch],
        replies: { 204: reply('Deleted.') },
        problems: [404, 412],
      }),
    },
    '/projects/{project_id}/revisions': {
      parameters: [projectId],
      get: operation({
        operationId: 'listRevisions',
        tag: 'Projects',
        summary: 'List the stored revisions, newest first',
        replies: { 200: reply('Up to 50 revisions.', json(REVISION_LIST)) },
        problems: [404],
      }),
    },
    '/projects/{project_id}/revisions/{revision}': {
      parameters: [
        projectId,
        {
          name: 'revision',
          in: 'path',
          required: true,
          description: 'Its number.',
          schema: { type: 'integer', minimum: 1, examples: [3] },
        },
      ],
      get: operation({
        operationId: 'getRevision',
        tag: 'Projects',
        summary: 'Get a stored revision',
        parameters: [ifNoneMatch],
        replies: { 200: reply('The revision.', document, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404],
      }),
    },
    '/projects/{project_id}/archive': {
      parameters: [projectId],
      get: operation({
        operationId: 'getProjectArchive',
        tag: 'Projects',
        summary: 'Download a project with its revisions and media',
        description:
          'A .zip that the studio opens, and whose `project.json` the command line renders. `archive.json` lists everything, including media that the service does not have; `MISSING.txt` is present if there are any. `tiercut projects import` stores it on a service.',
        replies: { 200: reply('The archive.', binary('application/zip')) },
        problems: [404],
      }),
    },
    '/projects/{project_id}/thumbnail': {
      parameters: [projectId],
      put: operation({
        operationId: 'putThumbnail',
        tag: 'Projects',
        summary: 'Set the thumbnail of a project',
        description: 'A PNG, JPEG or WebP file of at most 256 KiB.',
        requestBody: { required: true, content: picture },
        replies: { 204: reply('Set.') },
        problems: [404, 408, 413, 415, 503, 507],
      }),
      get: operation({
        operationId: 'getThumbnail',
        tag: 'Projects',
        summary: 'Get the thumbnail of a project',
        parameters: [ifNoneMatch],
        replies: { 200: reply('The picture.', picture, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404, 412, 416],
      }),
    },
    '/projects/{project_id}/links': {
      parameters: [projectId],
      post: operation({
        operationId: 'shareProject',
        tag: 'Projects',
        summary: 'Create a link that reads the project without a key',
        description: 'The URL holds a secret that the service does not store: it is in this response only.',
        replies: {
          201: reply('The link.', json(NEW_LINK), {
            Location: header('The address that it opens.', { type: 'string', format: 'uri-reference' }),
          }),
        },
        problems: [404, 409, 507],
      }),
      get: operation({
        operationId: 'listLinks',
        tag: 'Projects',
        summary: 'List the links of a project',
        replies: { 200: reply('Without their secrets.', json(LINK_LIST)) },
        problems: [404],
      }),
    },
    '/projects/{project_id}/links/{link}': {
      parameters: [
        projectId,
        {
          name: 'link',
          in: 'path',
          required: true,
          description: 'The `link_id` of a link.',
          schema: { type: 'string', format: 'uuid' },
        },
      ],
      delete: operation({
        operationId: 'revokeLink',
        tag: 'Projects',
        summary: 'Revoke a link',
        replies: { 204: reply('The link is revoked.') },
        problems: [404],
      }),
    },
    '/shared/{secret}': {
      parameters: [secret],
      get: operation({
        operationId: 'getSharedProject',
        tag: 'Projects',
        summary: 'Get a shared project',
        access: 'open',
        parameters: [ifNoneMatch],
        replies: { 200: reply('The current revision.', document, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404],
      }),
    },
    '/shared/{secret}/media/{sha256}': {
      parameters: [
        secret,
        {
          name: 'sha256',
          in: 'path',
          required: true,
          description: 'One of its `media_refs`.',
          schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
        },
      ],
      get: operation({
        operationId: 'getSharedMedia',
        tag: 'Projects',
        summary: 'Get a file of a shared project',
        access: 'open',
        replies: {
          200: reply('The bytes.', binary('application/octet-stream'), tag),
          206: reply('A range of them.', binary('application/octet-stream'), tag),
          304: reply('Unchanged.', undefined, tag),
        },
        problems: [404, 412, 416],
      }),
    },
    '/shared/{secret}/thumbnail': {
      parameters: [secret],
      get: operation({
        operationId: 'getSharedThumbnail',
        tag: 'Projects',
        summary: 'Get the thumbnail of a shared project',
        access: 'open',
        replies: { 200: reply('The picture.', picture, tag), 304: reply('Unchanged.', undefined, tag) },
        problems: [404, 412, 416],
      }),
    },
  };
}

const draftId = {
  name: 'draft_id',
  in: 'path',
  required: true,
  description: 'A UUID of your choice.',
  schema: { type: 'string', format: 'uuid' },
} as const;

const draft = json(DRAFT, {
  rendering: { ok: true, state: 'rendering', chunks: 18, ready: 7, ranges: [{ start: 0, end: 28.4 }] },
});

/** Videos that are rendered while a user edits them. (C79) */
export function draftOperations(): Record<string, PathItem> {
  return {
    '/video/drafts/{draft_id}': {
      parameters: [draftId],
      put: operation({
        operationId: 'putDraft',
        tag: 'Projects',
        summary: 'Render a video while it is edited',
        description:
          'Renders the chunks, the sound and the poster of the selected preset into the cache while no job waits or runs. An export of the same ' +
          'documents uses the rendered chunks. The request names media by `media_refs` only. Each PUT replaces the draft; it expires 10 minutes after the last PUT or GET.',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: DRAFT_REQUEST },
            'multipart/form-data': { schema: DRAFT_REQUEST },
          },
        },
        replies: { 204: reply('The draft is accepted.') },
        problems: [408, 409, 413, 415, 422, 503, 507],
      }),
      get: operation({
        operationId: 'getDraft',
        tag: 'Projects',
        summary: 'Get the progress of a draft',
        replies: { 200: reply('The progress and the rendered ranges.', draft) },
        problems: [404],
      }),
      delete: operation({
        operationId: 'deleteDraft',
        tag: 'Projects',
        summary: 'Stop rendering a draft',
        description: 'The rendered chunks stay in the cache for a while.',
        replies: { 204: reply('The draft is deleted.') },
        problems: [404],
      }),
    },
  };
}
