import { CALLBACK_EVENTS } from '../../exports/api/export-view.ts';
import { LONGEST_EXTERNAL_ID } from '../../exports/api/submission.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { errorCodes } from './error-codes.ts';
import { type JsonSchema, reference } from './replies.ts';

/** The states of an export. (C35) */
export const STATES = ['queued', 'rendering', 'completed', 'failed', 'cancelled'];
const share: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };
const text: JsonSchema = { type: 'string' };
const path: JsonSchema = { type: 'string', format: 'uri-reference' };
/** Open-ended, so that a client that validates responses accepts a code of a later release. */
const code: JsonSchema = { anyOf: [reference('ErrorCode'), { type: 'string' }] };

function object(properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, required };
}

/** A value for each preset. */
type PerPreset = (schema: JsonSchema) => JsonSchema;

/** The schemas of responses. */
export function replySchemas({ presets }: Pick<HttpConfig, 'presets'>): Record<string, JsonSchema> {
  const names = presets.map(({ name }) => name);
  const perPreset: PerPreset = (schema) => object(Object.fromEntries(names.map((name) => [name, schema])));
  return {
    ...problemSchemas(),
    ...outputSchemas(),
    ...exportSchemas(names, perPreset),
    ...callbackSchemas(perPreset),
    ...serviceSchemas(),
  };
}

/** Errors and failures. */
function problemSchemas(): Record<string, JsonSchema> {
  return {
    ErrorCode: {
      type: 'string',
      enum: errorCodes(),
      description:
        'The codes of this release; /docs/errors says what each means. A code keeps its meaning. A later release can add codes: treat ' +
        'one that you do not know by the status of its response.',
    },
    Issue: {
      ...object({ path: text, code, message: text }),
      description: 'One error or warning; `path` is a JSON Pointer into the request.',
    },
    Problem: {
      ...object(
        {
          type: path,
          title: text,
          status: { type: 'integer' },
          detail: text,
          ok: { const: false },
          code,
          errors: { type: 'array', items: reference('Issue') },
          warnings: {
            type: 'array',
            items: reference('Issue'),
            description: 'The warnings, if there are any: a misspelt field can be the reason for a missing one.',
          },
        },
        ['type', 'title', 'status', 'detail', 'ok', 'code', 'errors'],
      ),
      description: 'RFC 9457. Lists all errors at once.',
    },
    Failure: {
      ...object({ code, detail: text, errors: { type: 'array', items: reference('Issue') } }),
      description: 'Why it failed.',
    },
  };
}

/** A video of an export. */
function outputSchemas(): Record<string, JsonSchema> {
  return {
    ExportState: {
      type: 'string',
      enum: [...STATES, 'expired'],
      description: '`expired` is only in the last event of a stream; an expired export returns 404.',
    },
    OutputState: {
      type: 'string',
      enum: ['idle', ...STATES, 'expired'],
      description: '`idle`: no client has requested it. A download starts it.',
    },
    Output: object(
      {
        state: reference('OutputState'),
        progress: share,
        width: { type: 'integer' },
        height: { type: 'integer' },
        bytes: { type: ['integer', 'null'] },
        sha256: { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
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
            description: '`waiting`: for the video, or for the next attempt.',
          },
          attempts: { type: 'integer' },
          error: { ...reference('Failure'), description: 'Why the last attempt failed.' },
        },
        ['state', 'attempts'],
      ),
      description:
        'How sending the video to its destination has gone; absent where it has none. The address is not shown.',
    },
    Short: {
      description: 'A portrait video around a reveal, or around several that are close to each other.',
      allOf: [
        reference('Output'),
        object({
          number: { type: 'integer', minimum: 1 },
          title: { type: 'string', description: 'What is revealed.' },
          download_url: path,
          start: { type: 'number', description: 'Where in the whole video it begins, in seconds.' },
          duration: { type: 'number', description: 'Seconds.' },
        }),
      ],
    },
  };
}

/** An export, and the result of validating a request. */
function exportSchemas(names: readonly string[], perPreset: PerPreset): Record<string, JsonSchema> {
  return {
    ResolvedSettings: object({
      preset: { type: 'string', enum: names },
      width: { type: 'integer' },
      height: { type: 'integer' },
      fps: { type: 'number' },
      quality: text,
      encoder_preset: text,
      audio_bitrate: { type: 'number', description: 'kbit/s' },
      file_name: text,
    }),
    Export: object(
      {
        ok: { type: 'boolean', description: 'False once the export has failed or was removed.' },
        export_id: { type: 'string', format: 'uuid' },
        download_url: { ...path, description: 'The entry of `downloads` for the selected preset.' },
        downloads: perPreset(path),
        settings: reference('ResolvedSettings'),
        external_id: {
          type: ['string', 'null'],
          maxLength: LONGEST_EXTERNAL_ID,
          description: 'The id of the client.',
        },
        title: { type: 'string', description: 'Of the tier list.' },
        state: reference('ExportState'),
        phase: {
          const: 'fetching',
          description: 'While files are fetched from `media_urls`; absent otherwise.',
        },
        fetching: {
          ...object({
            files: { type: 'integer', description: 'Number of files to fetch.' },
            fetched: { type: 'integer', description: 'Number of fetched files.' },
            bytes: { type: 'integer', description: 'Number of fetched bytes.' },
          }),
          description: 'Present together with `phase`.',
        },
        progress: share,
        duration: { type: ['number', 'null'], description: 'Seconds; null while files are fetched.' },
        outputs: perPreset(reference('Output')),
        shorts: {
          type: 'array',
          items: reference('Short'),
          description: 'In the order of their reveals; none without `settings.shorts`.',
        },
        hls: { ...perPreset(path), description: 'Where to watch each output while it renders.' },
        warnings: { type: 'array', items: reference('Issue') },
        error: reference('Failure'),
        created_at: { type: 'string', format: 'date-time' },
        expires_at: { type: ['string', 'null'], format: 'date-time' },
        links: object({
          ...{ self: path, events: path, poster: path, chapters: path },
          ...{ captions: path, captions_srt: path, page: path },
        }),
      },
      [
        ...['ok', 'export_id', 'download_url', 'downloads', 'settings', 'external_id', 'title', 'state', 'progress'],
        ...['duration', 'outputs', 'shorts', 'hls', 'warnings', 'created_at', 'expires_at', 'links'],
      ],
    ),
    UnreadyOutput: {
      anyOf: [reference('Export'), object({ ok: { const: true }, state: reference('ExportState'), progress: share })],
      description: 'The metadata, with a key of the tenant; the progress without.',
    },
    ProgressEvent: {
      ...object({
        export_id: { type: 'string', format: 'uuid' },
        state: reference('ExportState'),
        progress: share,
        outputs: perPreset(reference('Output')),
        shorts: { type: 'array', items: reference('Short') },
      }),
      description: 'The fields of `Export` that change while it renders.',
    },
    ExportList: object({
      ok: { const: true },
      exports: { type: 'array', items: reference('Export'), description: 'Newest first.' },
      next: { type: ['string', 'null'], description: 'The `cursor` of the next page; null where there is none.' },
      warnings: { type: 'array', items: reference('Issue') },
    }),
    Validation: object({
      ok: { const: true },
      settings: reference('ResolvedSettings'),
      duration: { type: ['number', 'null'] },
      warnings: { type: 'array', items: reference('Issue') },
      timeline_data: {
        anyOf: [reference('TimelineData'), { type: 'null' }],
        description: 'The timeline with what `auto` adds to it; null without `auto`.',
      },
      plan: {
        type: ['string', 'null'],
        description: 'What would be rendered, as text; null if a length depends on a file that was not sent.',
      },
      plan_json: {
        type: ['object', 'null'],
        description: 'The same as JSON, for tools. Its form is not stable.',
      },
      unchecked: {
        type: 'array',
        items: text,
        description: 'The form fields of files that the request names and that were not sent.',
      },
    }),
  };
}

/** The body of a webhook, and its deliveries. */
function callbackSchemas(perPreset: PerPreset): Record<string, JsonSchema> {
  const absolute: JsonSchema = { type: 'string', format: 'uri' };
  const absoluteAddresses: JsonSchema = {
    ...object({
      download_url: absolute,
      downloads: perPreset(absolute),
      shorts: { type: 'array', items: absolute, description: 'In the order of `shorts`.' },
      hls: perPreset(absolute),
      links: { type: 'object', additionalProperties: absolute },
    }),
    description: 'Every URL of the export, absolute, if `TIERCUT_PUBLIC_URL` is set.',
  };
  return {
    CallbackEvent: {
      type: 'string',
      enum: CALLBACK_EVENTS,
      description: '`export.completed`: the selected preset is ready.',
    },
    Callback: {
      description: 'An event. Throughout 1.x the fields of `data` are also at the top level.',
      allOf: [
        object(
          {
            type: reference('CallbackEvent'),
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
            data: reference('CallbackData'),
            preset: { type: 'string', description: 'Which output it happened to, unless that is a short.' },
            short: { type: 'integer', minimum: 1, description: 'Which short it happened to.' },
          },
          ['type', 'timestamp', 'data'],
        ),
        reference('CallbackData'),
      ],
    },
    CallbackData: {
      description: 'The current metadata of the export; of a cancelled export only its id and state.',
      anyOf: [
        { allOf: [reference('Export'), { type: 'object', properties: { absolute: absoluteAddresses } }] },
        object({
          ok: { const: false },
          export_id: { type: 'string', format: 'uuid' },
          external_id: { type: ['string', 'null'] },
          state: reference('ExportState'),
        }),
      ],
    },
    Deliveries: object({
      ok: { const: true },
      export_id: { type: 'string', format: 'uuid' },
      callback_state: {
        type: 'string',
        enum: ['none', 'pending', 'delivered', 'given_up'],
        description:
          'Of the last event, or of the first that is not settled. `none`: there is no webhook, or no event yet.',
      },
      next_attempt_at: { type: ['string', 'null'], format: 'date-time' },
      deliveries: { type: 'array', items: reference('Delivery'), description: 'Newest first.' },
    }),
    Delivery: object({
      type: reference('CallbackEvent'),
      at: { type: 'string', format: 'date-time' },
      duration: { type: 'number', description: 'Seconds.' },
      outcome: { type: 'string', enum: ['delivered', 'failed'] },
      status: { type: ['integer', 'null'], description: 'The response status; null without a response.' },
      detail: { type: ['string', 'null'], description: 'Why it was not delivered.' },
    }),
  };
}

/** Schemas that belong to no export. */
function serviceSchemas(): Record<string, JsonSchema> {
  return {
    SessionRequest: object(
      {
        key: { type: 'string', minLength: 1, maxLength: 200, description: 'One of the service’s API keys.' },
        to: { type: 'string', description: 'Where a browser’s form goes on to: an address of this service.' },
      },
      ['key'],
    ),
    Session: object({
      ok: { const: true },
      tenant: text,
      expires_at: { type: ['string', 'null'], format: 'date-time', description: 'null if the deployment has no keys.' },
    }),
    Usage: object({
      ok: { const: true },
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
      days: { type: 'array', items: reference('UsageDay'), description: 'From the first to the last.' },
      warnings: { type: 'array', items: reference('Issue') },
    }),
    UsageDay: object({
      day: { type: 'string', format: 'date', description: 'In UTC.' },
      exports: { type: 'integer', description: 'Number of accepted exports.' },
      rendered_seconds: {
        type: 'object',
        additionalProperties: { type: 'number' },
        description:
          'Seconds of finished video by preset, those of shorts together as `shorts`. A preset without any is absent.',
      },
      bytes_stored: {
        type: 'integer',
        description: 'Of new media, saved projects and finished videos. Deleting them does not lower it.',
      },
      bytes_sent: { type: 'integer', description: 'Of videos, HLS segments and media that the service sent itself.' },
    }),
    Limits: {
      type: 'object',
      description: 'Numbers: bytes, seconds, hours, pixels or counts, as the name says. More may come.',
      required: ['max_file_bytes', 'max_request_bytes'],
      properties: { max_file_bytes: { type: 'integer' }, max_request_bytes: { type: 'integer' } },
      additionalProperties: { type: 'number' },
    },
    Fonts: object({
      ok: { const: true },
      fonts: {
        type: 'array',
        items: object({
          name: { ...text, description: 'What `font` takes.' },
          weights: { type: 'array', items: { type: 'integer' }, description: 'From light to heavy, in CSS units.' },
          sample: { ...text, description: 'The URL of a PNG: its name in its letters, black on transparent.' },
        }),
      },
    }),
    Health: object({ ok: { const: true }, version: text }),
    Readiness: object({
      ok: { type: 'boolean' },
      checks: {
        type: 'array',
        items: object(
          { name: text, ok: { type: 'boolean' }, detail: { ...text, description: 'For the operator alone.' } },
          ['name', 'ok'],
        ),
      },
    }),
  };
}
