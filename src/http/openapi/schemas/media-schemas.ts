import type { JsonSchema } from '../replies.ts';
import { object, ok, text } from './schema-parts.ts';

/** Uploaded media, and what speech in them becomes. */
export function mediaSchemas(): Record<string, JsonSchema> {
  const fault = object({
    code: { ...text, description: 'A stable code.' },
    message: { ...text, description: 'What is wrong, for people.' },
  });
  const times = {
    start: { type: 'number', description: 'In seconds.' },
    end: { type: 'number', description: 'In seconds.' },
  };
  const sum: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the file.' };
  const bytes: JsonSchema = { type: 'integer', description: 'The size of the whole file, in bytes.' };
  return {
    Media: object({
      ok,
      media: sum,
      bytes,
      facts: {
        ...object({
          kind: {
            type: 'string',
            enum: ['video', 'animation', 'still', 'drawing', 'audio', 'font', 'unreadable'],
            description: '`drawing`: an SVG. `unreadable`: neither picture, sound nor font, or damaged.',
          },
          container: { type: ['string', 'null'], description: 'null if the type is unknown.' },
          duration: { type: 'number', description: 'Seconds; 0 for a still picture.' },
          width: { type: 'integer', description: 'Of the upright picture, in square pixels; 0 without a picture.' },
          height: { type: 'integer', description: 'As `width`.' },
          fps: { type: ['number', 'null'], description: 'Frames a second; null without moving pictures.' },
          variable_fps: { type: 'boolean', description: 'Whether the frame rate varies.' },
          alpha: { type: 'boolean', description: 'Whether the picture has transparency.' },
          codec: { type: ['string', 'null'], description: 'The codec of the picture.' },
          sound: {
            type: ['object', 'null'],
            properties: {
              codec: { ...text, description: 'The codec of the sound.' },
              channels: { type: 'integer', description: 'Number of channels.' },
              sample_rate: { type: 'integer', description: 'In Hz.' },
            },
            required: ['codec', 'channels', 'sample_rate'],
            description: 'null without sound.',
          },
          problems: {
            type: 'array',
            description: 'Reasons why the file or a part of it cannot be used.',
            items: fault,
          },
        }),
        description: 'What the service found in the file.',
      },
      expires_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'Each use extends it. null: the file stays as long as an export or a project uses it.',
      },
    }),
    MediaAddress: object({
      url: { type: 'string', format: 'uri', maxLength: 2048, description: 'A public HTTPS address.' },
    }),
    Captions: {
      type: 'object',
      required: ['ok', 'captions_id', 'state', 'progress', 'language'],
      properties: {
        ok: { type: 'boolean', description: 'false if they have failed.' },
        captions_id: { type: 'string', format: 'uuid', description: 'For `GET` and `DELETE /video/captions/<id>`.' },
        state: {
          type: 'string',
          enum: ['queued', 'running', 'completed', 'failed'],
          description: '`running`: being transcribed.',
        },
        progress: { type: 'number', description: 'From 0 to 1.' },
        language: { type: 'string', description: 'An ISO 639 code, such as `en`.' },
        duration: {
          type: 'number',
          description: 'Length of the sound, in seconds. Present with `segments`, when `state` is `completed`.',
        },
        segments: {
          type: 'array',
          description: 'The spoken text in parts of at most 6 s.',
          items: object({
            ...times,
            text: { ...text, description: 'The text of the part.' },
            words: {
              type: 'array',
              description: 'Its words in order.',
              items: object({
                text: { ...text, description: 'The word, with its punctuation.' },
                ...times,
                confidence: { type: 'number', description: 'From 0 to 1.' },
              }),
            },
          }),
        },
        error: { ...fault, description: 'The reason of the failure.' },
      },
    },
    CaptionLanguages: object({
      ok,
      languages: { type: 'array', items: text, description: 'ISO 639 codes for `language`, in alphabetical order.' },
    }),
    Pauses: object({
      ok,
      duration: { type: 'number', description: 'Length of the file, in seconds.' },
      pauses: { type: 'array', description: 'The pauses.', items: object(times) },
      speech: { type: 'array', description: 'The speech.', items: object(times) },
    }),
    UnfinishedMedia: object({
      ok,
      media: sum,
      bytes,
      received: { type: 'integer', description: 'Number of received bytes: the offset of the next part.' },
    }),
  };
}
