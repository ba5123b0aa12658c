import { type JsonSchema, reference } from '../replies.ts';
import { ok } from './schema-parts.ts';

/** Drafts. */
export function draftSchemas(): Record<string, JsonSchema> {
  const seconds: JsonSchema = { type: 'number', minimum: 0, description: 'In seconds.' };
  return {
    DraftRequest: {
      type: 'object',
      description: 'The documents of a create, with media by reference.',
      required: ['tier_list', 'timeline_data'],
      properties: {
        tier_list: reference('TierList'),
        timeline_data: reference('TimelineData'),
        settings: reference('Settings'),
        media_refs: {
          type: 'object',
          additionalProperties: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
          description: 'SHA-256 by form field name, of files that were stored with `PUT /media/<sha256>`.',
        },
      },
    },
    Draft: {
      type: 'object',
      required: ['ok', 'state', 'chunks', 'ready', 'ranges'],
      properties: {
        ok,
        state: {
          type: 'string',
          enum: ['rendering', 'ready', 'failed'],
          description: '`failed`: a chunk cannot be rendered. An export of the same documents says why.',
        },
        chunks: { type: 'integer', minimum: 1, description: 'Number of chunks of the video.' },
        ready: { type: 'integer', minimum: 0, description: 'Number of rendered chunks.' },
        ranges: {
          type: 'array',
          description: 'The rendered ranges, in order.',
          items: { type: 'object', required: ['start', 'end'], properties: { start: seconds, end: seconds } },
        },
      },
    },
  };
}
