import type { Issue } from '../../errors.ts';
import type {
  DraftView,
  LinkView,
  OpenRevision,
  ProjectList,
  ProjectView,
  RevisionView,
} from '../../exports/api/projects-api.ts';
import { cursorOf } from './list-query.ts';
import { WARNINGS } from './problem.ts';
import {
  choice,
  integer,
  iso,
  list,
  moment,
  named,
  nullable,
  number,
  of,
  path,
  reference,
  SUCCEEDED,
  text,
} from './schema.ts';

const CREATED = moment('When it was created.');

/** Differs if a project was deleted and another one was saved under its id. */
export function projectTag({ revision, document }: Pick<RevisionView, 'revision' | 'document'>): string {
  return `"${revision}.${document.slice(0, 16)}"`;
}

export function projectPath(id: string): string {
  return `/projects/${id}`;
}

const revision = of<RevisionView>().fields({
  name: [text('The name in lists.'), ({ name }) => name],
  revision: [integer('Counted from 1.'), ({ revision }) => revision],
  etag: [text('The value for `If-Match`.'), (view) => projectTag(view)],
  bytes: [integer('The size of the document.'), ({ bytes }) => bytes],
  saved_at: [moment('When this revision was saved.'), ({ savedAtMs }) => iso(savedAtMs)],
});

const LINKS = of<ProjectView>().object({
  self: [path('The project.'), ({ id }) => projectPath(id)],
  revisions: [path('Its stored revisions.'), ({ id }) => `${projectPath(id)}/revisions`],
  thumbnail: [
    nullable(path('Its thumbnail; null if it has none.')),
    ({ id, thumbnail }) => (thumbnail === null ? null : `${projectPath(id)}/thumbnail`),
  ],
});

/** A project as clients see it, without its document. (C76) */
const project = of<ProjectView>().fields({
  project_id: [text('The UUID in the address.', { format: 'uuid' }), ({ id }) => id],
  ...revision,
  created_at: [CREATED, ({ createdAtMs }) => iso(createdAtMs)],
  links: [LINKS.about('The addresses of the project.'), (view) => LINKS.write(view)],
});

export const PROJECT_METADATA = of<ProjectView>().named('ProjectMetadata', 'A stored project without its documents.', {
  ok: SUCCEEDED,
  ...project,
});

const LISTED_PROJECT = of<ProjectView>().object(project);

export const PROJECT_LIST = of<ProjectList & { readonly warnings: readonly Issue[] }>().named(
  'ProjectList',
  'A page of your projects.',
  {
    ok: SUCCEEDED,
    projects: [
      list(LISTED_PROJECT, 'Last saved first.'),
      ({ projects }) => projects.map((view) => LISTED_PROJECT.write(view)),
    ],
    next: [
      nullable(text('The `cursor` of the next page; null if there is none.')),
      ({ next }) => next && cursorOf({ createdAtMs: next.savedAtMs, id: next.id }),
    ],
    warnings: [WARNINGS, ({ warnings }) => warnings],
  },
);

const LISTED_REVISION = of<RevisionView>().object(revision);

export const REVISION_LIST = of<readonly OpenRevision[]>().named('RevisionList', 'The stored revisions of a project.', {
  ok: SUCCEEDED,
  revisions: [
    list(LISTED_REVISION, 'Newest first.'),
    (revisions) => revisions.map((view) => LISTED_REVISION.write(view)),
  ],
});

const link = of<LinkView>().fields({
  link_id: [text('For `DELETE …/links/<link>`.', { format: 'uuid' }), ({ id }) => id],
  created_at: [CREATED, ({ createdAtMs }) => iso(createdAtMs)],
});

/** A link with its secret. */
export const NEW_LINK = of<LinkView & { readonly url: string }>().named('NewLink', 'A new link to a project.', {
  ok: SUCCEEDED,
  ...link,
  url: [path('Absolute if `TIERCUT_PUBLIC_URL` is set.'), ({ url }) => url],
});

const LISTED_LINK = of<LinkView>().object(link);

export const LINK_LIST = of<readonly LinkView[]>().named('LinkList', 'The links of a project.', {
  ok: SUCCEEDED,
  links: [list(LISTED_LINK, 'Newest first.'), (links) => links.map((view) => LISTED_LINK.write(view))],
});

const RANGE = of<DraftView['ranges'][number]>().object({
  start: [number('In seconds.', { minimum: 0 }), ({ start }) => start],
  end: [number('In seconds.', { minimum: 0 }), ({ end }) => end],
});

/** How much of a draft is rendered. (C79) */
export const DRAFT = of<DraftView>().named('Draft', 'The progress of a draft.', {
  ok: SUCCEEDED,
  state: [
    choice(
      ['rendering', 'ready', 'failed'],
      '`failed`: a chunk cannot be rendered. An export of the same documents says why.',
    ),
    ({ state }) => state,
  ],
  chunks: [integer('Number of chunks of the video.', { minimum: 1 }), ({ chunks }) => chunks],
  ready: [integer('Number of rendered chunks.', { minimum: 0 }), ({ ready }) => ready],
  ranges: [list(RANGE, 'The rendered ranges, in order.'), ({ ranges }) => ranges.map((range) => RANGE.write(range))],
});

/** SHA-256 by form field name. */
function mediaRefs(description: string) {
  return { type: 'object', additionalProperties: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' }, description };
}

const UNCHECKED_DOCUMENT = {
  type: 'object',
  description: 'As in a create, complete or not.',
  additionalProperties: true,
};

/** What an export was made from. (C94) */
export const SENT_DOCUMENTS = named<unknown>('SentDocuments', {
  type: 'object',
  description: 'The documents of an export as they were sent. With its media stored, they make the same export again.',
  required: ['ok', 'export_id', 'media_refs'],
  properties: {
    ok: { const: true, description: 'true: the request succeeded.' },
    export_id: { type: 'string', format: 'uuid', description: 'The id of the export.' },
    media_refs: mediaRefs('SHA-256 by form field name, of every file of the export.'),
    tier_list: reference('TierList'),
    timeline_data: reference('TimelineData'),
    settings: reference('Settings'),
    timeline_json: { ...UNCHECKED_DOCUMENT, description: 'Of a legacy client.' },
    media_manifest: { ...UNCHECKED_DOCUMENT, description: 'Of a legacy client.' },
  },
});

/** The documents of a draft. */
export const DRAFT_REQUEST = named<unknown>('DraftRequest', {
  type: 'object',
  description: 'The documents of a create, with media by reference.',
  required: ['tier_list', 'timeline_data'],
  properties: {
    tier_list: reference('TierList'),
    timeline_data: reference('TimelineData'),
    settings: reference('Settings'),
    media_refs: mediaRefs('SHA-256 by form field name, of files that were stored with `PUT /media/<sha256>`.'),
  },
});

/** A project, as it is saved and sent. */
export const PROJECT = named<unknown>('Project', {
  type: 'object',
  description:
    'The documents of a create as they are being edited, and the media they refer to. Other members are stored too.',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'The name in lists. Default: the title of the tier list.',
    },
    tier_list: UNCHECKED_DOCUMENT,
    timeline_data: UNCHECKED_DOCUMENT,
    settings: UNCHECKED_DOCUMENT,
    media: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Places by form field name: `sha256:` and 64 digits, or an address. The media may be uploaded later.',
    },
    fields: {
      type: 'object',
      additionalProperties: reference('TemplateField'),
      description: 'Makes the project a template: `{{name}}` in its documents is a field.',
    },
    media_refs: mediaRefs('An older form of `media`: SHA-256 by form field name.'),
  },
  additionalProperties: true,
});
