import { type JsonSchema, reference } from '../replies.ts';
import { object, ok, text, warnings } from './schema-parts.ts';

/** Schemas that belong to no export. */
export function serviceSchemas(): Record<string, JsonSchema> {
  return {
    SessionRequest: object(
      {
        key: { type: 'string', minLength: 1, maxLength: 200, description: 'One of the service’s API keys.' },
        to: { type: 'string', description: 'Where a browser’s form goes on to: an address of this service.' },
      },
      ['key'],
    ),
    Session: object({
      ok,
      tenant: { ...text, description: 'The tenant of the key.' },
      expires_at: { type: ['string', 'null'], format: 'date-time', description: 'null if the deployment has no keys.' },
    }),
    Usage: object({
      ok,
      from: { type: 'string', format: 'date', description: 'The first day, in UTC.' },
      to: { type: 'string', format: 'date', description: 'The last day, in UTC.' },
      days: { type: 'array', items: reference('UsageDay'), description: 'From the first to the last.' },
      warnings,
    }),
    UsageDay: object({
      day: { type: 'string', format: 'date', description: 'The day, in UTC.' },
      exports: { type: 'integer', description: 'Number of accepted exports.' },
      rendered_seconds: {
        type: 'object',
        additionalProperties: { type: 'number' },
        description:
          'Seconds of finished video by preset, those of shorts together as `shorts`. A preset without any is absent.',
      },
      bytes_stored: {
        type: 'integer',
        description: 'Bytes of new media, saved projects and finished videos. A delete does not lower it.',
      },
      bytes_sent: {
        type: 'integer',
        description: 'Bytes of videos, HLS segments and media that the service sent itself.',
      },
    }),
    Limits: {
      type: 'object',
      description:
        'Numbers: bytes, seconds, hours, pixels or counts, as the name says. A later release can add limits.',
      required: ['max_file_bytes', 'max_request_bytes'],
      properties: {
        max_file_bytes: { type: 'integer', description: 'Largest uploaded file.' },
        max_request_bytes: { type: 'integer', description: 'Largest request.' },
      },
      additionalProperties: { type: 'number' },
    },
    Fonts: object({
      ok,
      fonts: {
        type: 'array',
        description: 'The families that ship.',
        items: object({
          name: { ...text, description: 'The value for `font`.' },
          weights: { type: 'array', items: { type: 'integer' }, description: 'From light to heavy, in CSS units.' },
          sample: {
            ...text,
            description: 'The URL of a PNG with the name of the family in its own letters, black on transparent.',
          },
        }),
      },
    }),
    Health: object({ ok, version: { ...text, description: 'The version of the service.' } }),
    Readiness: object({
      ok: { type: 'boolean', description: 'Whether every check passes.' },
      checks: {
        type: 'array',
        description: 'The result of each check.',
        items: object(
          {
            name: { ...text, description: 'The part that was checked.' },
            ok: { type: 'boolean', description: 'Whether the check passes.' },
            detail: { ...text, description: 'Only for the operator.' },
          },
          ['name', 'ok'],
        ),
      },
    }),
  };
}
