import { operation, type PathItem } from '../operation.ts';
import { json, reference, reply } from '../replies.ts';

const draftId = {
  name: 'draft_id',
  in: 'path',
  required: true,
  description: 'A UUID of your choice.',
  schema: { type: 'string', format: 'uuid' },
} as const;

const draft = json('Draft', {
  rendering: { ok: true, state: 'rendering', chunks: 18, ready: 7, ranges: [{ start: 0, end: 70.4 }] },
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
            'application/json': { schema: reference('DraftRequest') },
            'multipart/form-data': { schema: reference('DraftRequest') },
          },
        },
        replies: { 204: reply('The draft is accepted.') },
        problems: [408, 413, 415, 422, 503, 507],
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
