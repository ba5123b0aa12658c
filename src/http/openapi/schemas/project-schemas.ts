import type { JsonSchema } from '../replies.ts';
import { object, path, ok as succeeded, text, warnings } from './schema-parts.ts';

/** Projects, their revisions and links. */
export function projectSchemas(): Record<string, JsonSchema> {
  const time: JsonSchema = { type: 'string', format: 'date-time', description: 'When it was created.' };
  const revision = {
    name: { ...text, description: 'The name in lists.' },
    revision: { type: 'integer', description: 'Counted from 1.' },
    etag: { type: 'string', description: 'The value for `If-Match`.' },
    bytes: { type: 'integer', description: 'The size of the document.' },
    saved_at: { ...time, description: 'When this revision was saved.' },
  };
  const project = {
    project_id: { type: 'string', format: 'uuid', description: 'The UUID in the address.' },
    ...revision,
    created_at: time,
    links: {
      ...object({
        self: { ...path, description: 'The project.' },
        revisions: { ...path, description: 'Its stored revisions.' },
        thumbnail: { ...path, type: ['string', 'null'], description: 'Its thumbnail; null if it has none.' },
      }),
      description: 'The addresses of the project.',
    },
  };
  const link = {
    link_id: { type: 'string', format: 'uuid', description: 'For `DELETE …/links/<link>`.' },
    created_at: time,
  };
  const ok = { ok: succeeded };
  return {
    Project: {
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
        tier_list: { type: 'object', description: 'As in a create, complete or not.', additionalProperties: true },
        timeline_data: { type: 'object', description: 'As in a create, complete or not.', additionalProperties: true },
        settings: { type: 'object', description: 'As in a create, complete or not.', additionalProperties: true },
        media_refs: {
          type: 'object',
          additionalProperties: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
          description: 'SHA-256 by form field name. The media may be uploaded later.',
        },
      },
      additionalProperties: true,
    },
    ProjectMetadata: object({ ...ok, ...project }),
    ProjectList: object({
      ...ok,
      projects: { type: 'array', items: object(project), description: 'Last saved first.' },
      next: { type: ['string', 'null'], description: 'The `cursor` of the next page; null if there is none.' },
      warnings,
    }),
    RevisionList: object({
      ...ok,
      revisions: { type: 'array', items: object(revision), description: 'Newest first.' },
    }),
    NewLink: object({ ...ok, ...link, url: { ...path, description: 'Absolute if `TIERCUT_PUBLIC_URL` is set.' } }),
    LinkList: object({ ...ok, links: { type: 'array', items: object(link), description: 'Newest first.' } }),
  };
}
