import { EXAMPLE_REQUEST } from './example-request.ts';
import { type JsonSchema, reference } from './replies.ts';

/** Said in so many words: to generators a bare object has no fields at all. */
const OPEN_OBJECT = { type: 'object', additionalProperties: true };

/** JSON parts of the form, each with its schema: a generated client has their types, and sends them as JSON. */
const JSON_PARTS: Readonly<Record<string, JsonSchema>> = {
  tier_list: { ...reference('TierList'), description: 'What is ranked. JSON, as a plain field or as a file part.' },
  timeline_data: { ...reference('TimelineData'), description: 'What happens when. JSON.' },
  settings: { ...reference('Settings'), description: 'How it is rendered. JSON.' },
  media_refs: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    description:
      'SHA-256 by form field name: stands in for files that `PUT /media/<sha256>` has brought, or an export of yours.',
  },
  timeline_json: {
    ...OPEN_OBJECT,
    deprecated: true,
    description: 'What older clients send instead of `timeline_data`; may hold `tier_list` and `settings` too.',
  },
  media_manifest: {
    deprecated: true,
    description: 'Field names by media id, for `timeline_json`.',
    oneOf: [
      OPEN_OBJECT,
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'file_field'],
          properties: { id: { type: 'string' }, file_field: { type: 'string' } },
        },
      },
    ],
  },
};

const TEXT_PARTS: Readonly<Record<string, JsonSchema>> = {
  callback_url: {
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    description: 'Told when the export has ended; a public HTTPS address.',
  },
  external_id: {
    type: 'string',
    maxLength: 200,
    description: 'What you call it: comes back in metadata and callbacks, and lists can be asked for it.',
  },
};

/** Which frame a request for one means. (C39) */
const FRAME_PARTS: Readonly<Record<string, JsonSchema>> = {
  at: { type: 'number', minimum: 0, description: 'Seconds: the frame on screen at that time. This or `frame`.' },
  frame: { type: 'integer', minimum: 0, description: 'The frame by its number, from 0.' },
  preset: { type: 'string', description: 'The shape, by name or alias; the one `settings` selects if absent.' },
};

/** The schemas of the form. */
export function formSchemas(): Record<string, JsonSchema> {
  return {
    ExportForm: {
      type: 'object',
      description: 'The request as a form. Parts may come in any order.',
      required: ['tier_list', 'timeline_data'],
      properties: { ...JSON_PARTS, ...TEXT_PARTS },
      // Not additionalProperties: TypeScript would want the documents to be files too.
      unevaluatedProperties: reference('MediaFile'),
    },
    FrameForm: {
      type: 'object',
      description: 'The request of a create, and which frame of it. Parts may come in any order.',
      required: ['tier_list', 'timeline_data'],
      properties: { ...JSON_PARTS, ...FRAME_PARTS },
      unevaluatedProperties: reference('MediaFile'),
    },
    MediaFile: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description:
        'Media, each under the very form field name that a `file_field` gives. A file is what its first bytes say: MP4, ' +
        'MOV, WebM, Matroska, MPEG-TS, AVI, FLV; JPEG, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, for items SVG too; for themes TTF, OTF, WOFF2; MP3, ' +
        'M4A, AAC, FLAC, WAV, Ogg, AIFF.',
    },
  };
}

/** The multipart body of a create and of all that takes the same documents. (C1 to C4) */
export function formBody(schema = 'ExportForm', more: object = {}): object {
  const asJson = { contentType: 'application/json, text/plain' };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: reference(schema),
        encoding: Object.fromEntries(Object.keys(JSON_PARTS).map((name) => [name, asJson])),
        examples: { snacks: { summary: 'A board that fills in ten seconds', value: { ...EXAMPLE_REQUEST, ...more } } },
      },
    },
  };
}
