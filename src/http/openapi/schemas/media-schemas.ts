import type { JsonSchema } from '../replies.ts';
import { object, text } from './schema-parts.ts';

/** Uploaded media, and what speech in them becomes. */
export function mediaSchemas(): Record<string, JsonSchema> {
  const whole: JsonSchema = { type: 'integer' };
  const span = object({ start: { type: 'number' }, end: { type: 'number' } });
  const sum: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
  return {
    Media: object({
      ok: { const: true },
      media: sum,
      bytes: whole,
      facts: object({
        kind: { type: 'string', enum: ['video', 'animation', 'still', 'drawing', 'audio', 'font', 'unreadable'] },
        container: { type: ['string', 'null'], description: 'null if the type is unknown.' },
        duration: { type: 'number', description: 'Seconds; 0 for a still picture.' },
        width: { type: 'integer', description: 'Of the upright picture, in square pixels; 0 without a picture.' },
        height: whole,
        fps: { type: ['number', 'null'] },
        variable_fps: { type: 'boolean' },
        alpha: { type: 'boolean' },
        codec: { type: ['string', 'null'], description: 'The codec of the picture.' },
        sound: {
          type: ['object', 'null'],
          properties: { codec: text, channels: whole, sample_rate: whole },
          required: ['codec', 'channels', 'sample_rate'],
        },
        problems: {
          type: 'array',
          description: 'Reasons why the file or a part of it cannot be used.',
          items: object({ code: text, message: text }),
        },
      }),
      expires_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Each use extends it. null: the file stays as long as an export or a project uses it.',
      },
    }),
    MediaAddress: object({ url: { type: 'string', format: 'uri', maxLength: 2048 } }),
    Captions: {
      type: 'object',
      required: ['ok', 'captions_id', 'state', 'progress', 'language'],
      properties: {
        ok: { type: 'boolean', description: 'false if they have failed.' },
        captions_id: { type: 'string', format: 'uuid' },
        state: { type: 'string', enum: ['queued', 'running', 'completed', 'failed'] },
        progress: { type: 'number', description: 'From 0 to 1.' },
        language: { type: 'string', description: 'An ISO 639 code, such as `en`.' },
        duration: {
          type: 'number',
          description: 'Length of the sound, in seconds. Present with `segments`, when `state` is `completed`.',
        },
        segments: {
          type: 'array',
          items: object({
            start: { type: 'number' },
            end: { type: 'number' },
            text,
            words: {
              type: 'array',
              items: object({
                text,
                start: { type: 'number' },
                end: { type: 'number' },
                confidence: { type: 'number', description: 'From 0 to 1.' },
              }),
            },
          }),
        },
        error: { ...object({ code: text, message: text }), description: 'The reason of the failure.' },
      },
    },
    Pauses: object({
      ok: { const: true },
      duration: { type: 'number', description: 'Seconds.' },
      pauses: { type: 'array', description: 'The pauses.', items: span },
      speech: { type: 'array', description: 'The speech.', items: span },
    }),
    UnfinishedMedia: object({ ok: { const: true }, media: sum, bytes: whole, received: whole }),
  };
}
