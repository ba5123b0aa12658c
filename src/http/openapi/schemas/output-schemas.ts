import { EXPORT_STATES } from '../../../exports/api/export-view.ts';
import { type JsonSchema, reference } from '../replies.ts';
import { object, path, share } from './schema-parts.ts';

/** A video of an export. */
export function outputSchemas(): Record<string, JsonSchema> {
  return {
    ExportState: {
      type: 'string',
      enum: [...EXPORT_STATES, 'expired'],
      description: '`expired` is only in the last event of a stream; an expired export returns 404.',
    },
    OutputState: {
      type: 'string',
      enum: ['idle', ...EXPORT_STATES, 'expired'],
      description: '`idle`: no client has requested it. A download starts it.',
    },
    Output: object(
      {
        state: reference('OutputState'),
        progress: share,
        width: { type: 'integer', description: 'In pixels.' },
        height: { type: 'integer', description: 'In pixels.' },
        bytes: { type: ['integer', 'null'], description: 'The size of the file; null until it is complete.' },
        sha256: {
          type: ['string', 'null'],
          pattern: '^[0-9a-f]{64}$',
          description: 'The SHA-256 of the file; null until it is complete.',
        },
        error: reference('Failure'),
        destination: reference('Destination'),
      },
      ['state', 'progress', 'width', 'height', 'bytes', 'sha256'],
    ),
    Destination: {
      ...object(
        {
          state: {
            type: 'string',
            enum: ['waiting', 'sending', 'sent', 'failed'],
            description: '`waiting`: for the video, or for the next try.',
          },
          attempts: { type: 'integer', description: 'Number of tries so far.' },
          error: { ...reference('Failure'), description: 'The reason why the last try failed.' },
        },
        ['state', 'attempts'],
      ),
      description:
        'The delivery of the video to its destination; absent without a destination. The address is not shown.',
    },
    Short: {
      description: 'A portrait video around a reveal, or around several that are close to each other.',
      allOf: [
        reference('Output'),
        object({
          number: { type: 'integer', minimum: 1, description: 'The number of the short, from 1.' },
          title: { type: 'string', description: 'The names of the revealed items.' },
          download_url: { ...path, description: 'The address of the video.' },
          start: { type: 'number', description: 'Where in the whole video it begins, in seconds.' },
          duration: { type: 'number', description: 'Length, in seconds.' },
        }),
      ],
    },
  };
}
