import { ExportError } from '../../errors.ts';
import { METADATA_LIMITS } from '../../exports/api/submission.ts';
import { ORIENTATIONS, THUMBNAIL_STYLES } from '../../timeline/choices.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { templateFieldSchema } from '../../timeline/project/template-schema.ts';
import { CALLBACK_EVENT } from '../replies/event-replies.ts';
import { type JsonSchema, reference } from '../replies/schema.ts';

/** A request that works as it is, for the first page and the API description. */
export const EXAMPLE_REQUEST = {
  tier_list: {
    title: 'Snacks, ranked',
    rows: [
      { id: 's', label: 'S', color: '#ff7f7f', item_ids: ['chips', 'fruit'] },
      { id: 'a', label: 'A', color: '#ffbf7f', item_ids: ['nuts', 'popcorn'] },
      { id: 'b', label: 'B', color: '#ffff7f', item_ids: ['crackers'] },
    ],
    items: [
      { id: 'chips', name: 'Chips', file_field: 'chips_picture' },
      { id: 'fruit', name: 'Fruit', file_field: 'fruit_picture' },
      { id: 'nuts', name: 'Nuts', file_field: 'nuts_picture' },
      { id: 'popcorn', name: 'Popcorn', file_field: 'popcorn_picture' },
      { id: 'crackers', name: 'Crackers', file_field: 'crackers_picture' },
    ],
  },
  timeline_data: {
    videos: [],
    audios: [],
    soundtracks: [],
    tier_blocks: [{ id: 'board', start: 0, duration: 10 }],
    tier_tiles: [
      { id: 'reveal-1', tier_item_id: 'crackers', position: 1.5 },
      { id: 'reveal-2', tier_item_id: 'popcorn', position: 3 },
      { id: 'reveal-3', tier_item_id: 'nuts', position: 4.5 },
      { id: 'reveal-4', tier_item_id: 'fruit', position: 6 },
      { id: 'reveal-5', tier_item_id: 'chips', position: 7.5 },
    ],
    subtitles: [
      {
        id: 'opening',
        text: 'Five snacks, three rows',
        start: 0,
        duration: 2.5,
        align: 'center',
        background_alpha: 60,
      },
      { id: 'verdict', text: 'And the winner is …', start: 6.5, duration: 2.5, size: 56 },
    ],
  },
  settings: { preset: 'preset_one', fps: 30, quality: 'balanced' },
} as const;

/** JSON parts of the form, each with its schema, so that a generated client has their types and sends them as JSON. */
const JSON_PARTS: Readonly<Record<string, JsonSchema>> = {
  tier_list: { ...reference('TierList'), description: 'The tier list. JSON, as a plain field or as a file part.' },
  timeline_data: { ...reference('TimelineData'), description: 'The timeline. JSON.' },
  settings: { ...reference('Settings'), description: 'The settings of the render. JSON.' },
  media_refs: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    description:
      'SHA-256 by form field name: refers to files sent with `PUT /media/<sha256>` or with an export of yours.',
  },
  media_urls: {
    type: 'object',
    additionalProperties: { type: 'string', format: 'uri', maxLength: 2048 },
    description: 'Public HTTPS addresses by form field name: the service fetches these files itself.',
  },
};

const VALUES: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  description: 'A value for each field of the template.',
};

/** The fields of older clients. (C25) */
const LEGACY_PARTS: Readonly<Record<string, JsonSchema>> = {
  timeline_json: { ...reference('LegacyTimeline'), description: 'Instead of `timeline_data`. JSON.' },
  media_manifest: { ...reference('MediaManifest'), description: 'Form field names by media id. JSON.' },
  tier_list: { ...reference('LegacyTierList'), description: 'Overrides the tier list in `timeline_json`. JSON.' },
  settings: { ...reference('Settings'), description: 'Overrides the settings in `timeline_json`. JSON.' },
  media_refs: JSON_PARTS.media_refs!,
  media_urls: JSON_PARTS.media_urls!,
};

/** The parts that name one file: a request has one of them. */
const ONE_FILE_PARTS: Readonly<Record<string, JsonSchema>> = {
  media: {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: 'The file.',
  },
  media_ref: { type: 'string', description: 'The SHA-256 of content sent with `PUT /media`.' },
  media_url: { type: 'string', format: 'uri', description: 'A public HTTPS address.' },
};

/** The text fields of a create. */
export const TEXT_PARTS = {
  callback_url: {
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    description: 'The URL of the webhook; a public HTTPS address.',
  },
  callback_events: {
    type: 'array',
    items: CALLBACK_EVENT,
    description: 'The events to send to `callback_url`. JSON. Default: the three events of the export.',
  },
  external_id: {
    type: 'string',
    maxLength: 200,
    description: 'Your id of the export: returned in metadata and webhooks, and a filter of lists.',
  },
  retention_hours: {
    type: 'integer',
    minimum: 1,
    description:
      'Hours that the service keeps the export after its end, from 1 to `max_retention_hours` of `/limits`. Default: the retention of the deployment.',
  },
  presets: {
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
    description:
      'The presets to render now, by name or alias; the selected one must be among them. The others stay `idle` until a client asks for them. JSON. Default: as the deployment is configured.',
  },
  metadata: {
    type: 'object',
    maxProperties: METADATA_LIMITS.pairs,
    propertyNames: { minLength: 1, maxLength: METADATA_LIMITS.key },
    additionalProperties: { type: 'string', maxLength: METADATA_LIMITS.value },
    description:
      'Your own pairs of texts: returned in metadata and webhooks, and a filter of lists (`metadata.KEY=VALUE`). JSON.',
  },
  strict: {
    type: 'boolean',
    description:
      'Whether warnings are errors: an unknown field, an item whose file is no picture, a file that no entry uses. `Prefer: handling=strict` does the same. Default: false.',
  },
  destinations: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'string', format: 'uri', maxLength: 2048 }, reference('DestinationTarget')],
    },
    description:
      'Where finished videos are sent with `PUT`, by preset or alias: a public HTTPS address, such as a pre-signed one of an object ' +
      'store, or such an address with headers. JSON. It asks for these presets. `outputs.<preset>.destination` shows how it goes.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** The fields that select a frame. (C39) */
const FRAME_PARTS: Readonly<Record<string, JsonSchema>> = {
  at: {
    type: 'number',
    minimum: 0,
    description: 'The frame on screen at this time, in seconds. Send either `at` or `frame`.',
  },
  frame: { type: 'integer', minimum: 0, description: 'The frame by its number, from 0.' },
  preset: { type: 'string', description: 'The preset, by name or alias; default: the selected one.' },
};

/** The fields that say how a thumbnail looks. (C92) */
export const THUMBNAIL_PARTS = {
  style: {
    type: 'string',
    enum: [...THUMBNAIL_STYLES],
    description:
      '`question` (the default): one to three items, without their verdicts. `versus`: two items. `podium`: the first three, with their rows. `board`: the rows, with question marks for all items.',
  },
  text: { type: 'string', maxLength: 100, description: 'The text; empty: none. Default: from the title.' },
  items: { type: 'string', description: 'The ids of its items, with commas between them.' },
  orientation: {
    type: 'string',
    enum: [...ORIENTATIONS],
    description: '1280 × 720 or 720 × 1280; default: that of the selected preset.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/**
 * Parts that no schema names are files. `{}` is there for TypeScript, where the type of unnamed properties has to cover
 * the named ones: with files alone, `{ tier_list: {…}, clip: new Blob() }` does not compile. Without this alternative
 * openapi-typescript and Orval generate types that no value matches.
 */
const FILES: JsonSchema = { anyOf: [reference('MediaFile'), {}], description: 'A media file.' };

const file_field: JsonSchema = { type: 'string', description: 'The form field of the file.' };

/** The parts of a request for a stored project. (C84) */
const OF_PROJECT: Readonly<Record<string, JsonSchema>> = {
  values: VALUES,
  settings: { ...reference('Settings'), description: 'Replaces these settings of the project.' },
  revision: { type: 'integer', minimum: 1, description: 'A stored revision; the current one if absent.' },
};

/** The schemas of the form. */
export function formSchemas(): Record<string, JsonSchema> {
  const form = (
    description: string,
    required: readonly string[],
    properties: Readonly<Record<string, JsonSchema>>,
  ): JsonSchema => ({ type: 'object', description, required, properties, additionalProperties: FILES });
  const documents = ['tier_list', 'timeline_data'];
  const legacy = ['timeline_json'];
  return {
    ExportForm: form('The request as a form. Parts may come in any order.', documents, {
      ...JSON_PARTS,
      ...TEXT_PARTS,
    }),
    ProjectRequest: {
      description: 'A project, as it is stored, with values for its fields.',
      allOf: [reference('Project'), { type: 'object', properties: { ...TEXT_PARTS, values: VALUES } }],
    },
    ProjectExport: {
      type: 'object',
      description: 'Values for the fields of a stored project.',
      properties: { ...OF_PROJECT, ...TEXT_PARTS },
    },
    ProjectFrame: {
      type: 'object',
      description: 'Values for the fields of a stored project, and which frame of it.',
      properties: { ...OF_PROJECT, ...FRAME_PARTS },
    },
    TemplateField: templateFieldSchema(),
    LegacyExportForm: form(
      'The request as older clients send it. It stays valid; new clients send an `ExportForm`.',
      legacy,
      { ...LEGACY_PARTS, ...TEXT_PARTS },
    ),
    FrameForm: form('The request of a create, and which frame of it. Parts may come in any order.', documents, {
      ...JSON_PARTS,
      ...FRAME_PARTS,
    }),
    LegacyFrameForm: form('The request of an older client, and which frame of it.', legacy, {
      ...LEGACY_PARTS,
      ...FRAME_PARTS,
    }),
    ThumbnailForm: form(
      'The request of a create, and how its thumbnail looks. Parts may come in any order.',
      documents,
      {
        ...JSON_PARTS,
        ...THUMBNAIL_PARTS,
      },
    ),
    LegacyThumbnailForm: form('The request of an older client, and how its thumbnail looks.', legacy, {
      ...LEGACY_PARTS,
      ...THUMBNAIL_PARTS,
    }),
    CaptionsForm: {
      type: 'object',
      description:
        'One file: `media`, `media_ref` for stored content, or `media_url` for its address. Or the documents of a create, ' +
        'with its files: the voice of the video.',
      properties: {
        ...ONE_FILE_PARTS,
        language: {
          type: 'string',
          description: 'An ISO 639 code from `GET /video/captions/languages`, or `auto` (the default).',
        },
        ...JSON_PARTS,
      },
      additionalProperties: FILES,
    },
    PausesForm: {
      type: 'object',
      description: 'One file: `media`, `media_ref` for stored content, or `media_url` for its address.',
      properties: {
        ...ONE_FILE_PARTS,
        min_pause: {
          type: 'number',
          minimum: 0.1,
          maximum: 60,
          description: 'Shortest pause to return, in seconds. Default: 0.4.',
        },
        padding: {
          type: 'number',
          minimum: 0,
          maximum: 5,
          description: 'Silence to keep beside speech, in seconds. Default: 0.1.',
        },
      },
    },
    DestinationTarget: {
      type: 'object',
      description: 'The address of a destination, and the headers that it requires.',
      required: ['url'],
      properties: {
        url: {
          type: 'string',
          format: 'uri',
          maxLength: 2048,
          description: 'A public HTTPS address that accepts `PUT`.',
        },
        headers: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'Sent beside `Content-Type` (`video/mp4`), `Content-Length` and `Repr-Digest`. `Host` and headers of the connection are refused.',
        },
      },
    },
    MediaManifest: {
      description: 'Form field names by media id.',
      oneOf: [
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'file_field'],
            properties: { id: { type: 'string', description: 'The `media_id` of entries.' }, file_field },
          },
        },
        {
          type: 'object',
          additionalProperties: {
            oneOf: [{ type: 'string' }, { type: 'object', required: ['file_field'], properties: { file_field } }],
          },
        },
      ],
    },
    MediaFile: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description:
        'Media files, each under the form field name that a `file_field` gives. The first bytes of a file decide its type: MP4, ' +
        'MOV, 3GP, WebM, Matroska, MPEG-TS, MPEG-PS, AVI, WMV, FLV; JPEG, JPEG XL, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, ICO, for items SVG too; ' +
        'for themes TTF, OTF, WOFF2; MP3, M4A, AAC, FLAC, WAV, Ogg, AIFF, WMA, AC-3, E-AC-3, WavPack, AMR.',
    },
  };
}

/** The start of the names of schemas that only older clients need. */
const LEGACY = 'Legacy';

/** A body that is a project; client generators get the form in its place. */
const PROJECT = 'ProjectRequest';

/** The body of a create and of all requests with the same documents, as a form or as JSON. (C1 to C4, C67) */
export function formBody(
  schema: 'ExportForm' | 'FrameForm' | 'ThumbnailForm' = 'ExportForm',
  more: object = {},
): object {
  const asJson = { contentType: 'application/json, text/plain' };
  const parts = Object.keys({ ...JSON_PARTS, ...LEGACY_PARTS });
  if (schema === 'ExportForm') parts.push('callback_events', 'destinations', 'presets', 'metadata');
  // Not oneOf: `timeline_json` may come along with the public fields, which win.
  const either = { anyOf: [reference(schema), reference(`${LEGACY}${schema}`)] };
  const inJson = schema === 'ExportForm' ? { anyOf: [...either.anyOf, reference(PROJECT)] } : either;
  const examples = {
    snacks: { summary: 'A board that fills in ten seconds', value: { ...EXAMPLE_REQUEST, ...more } },
  };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: either,
        encoding: Object.fromEntries(parts.map((name) => [name, asJson])),
        examples,
      },
      'application/json': { schema: inJson, examples },
    },
  };
}

/** The body of a request for a stored project. (C84) */
export function projectBody(schema: 'ProjectExport' | 'ProjectFrame', more: object = {}): object {
  const value = { values: { title: 'Cheese', week: 12 }, ...more };
  const content = { schema: reference(schema), examples: { cheese: { summary: 'Values of two fields', value } } };
  return { required: true, content: { 'application/json': content } };
}

/** Media types of request bodies that have two forms, by their names in `?body=`. (C67) */
const BODIES: Readonly<Record<string, string>> = { form: 'multipart/form-data', json: 'application/json' };

export const BODY_NAMES = Object.keys(BODIES);

/** An OpenAPI document: operations by path and method. */
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/**
 * The document for client generators, with one media type for each request body: they support only one, and most of them
 * choose JSON, which has no files. Without the fields of older clients, a body has one type instead of a choice. (C25)
 *
 * @throws `field.choice` at `/body`
 */
export function withOneBody(document: Described, body: unknown): object {
  const kept = typeof body === 'string' && Object.hasOwn(BODIES, body) ? BODIES[body]! : null;
  if (kept === null) {
    const message = `body must be ${BODY_NAMES.join(' or ')}, not ${shownText(String(body))}.`;
    throw new ExportError('invalid', 'field.choice', message, { path: '/body' });
  }
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, keeping(operation, kept)]);
    return [path, Object.fromEntries(operations)];
  });
  const { components } = document;
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => !isLegacy(name)));
  return { ...document, paths: Object.fromEntries(paths), components: { ...components, schemas } };
}

function keeping(operation: { readonly requestBody?: { readonly content: object } }, kept: string): object {
  const { requestBody } = operation;
  const content: Readonly<Record<string, FormContent>> = { ...requestBody?.content };
  if (!Object.values(BODIES).every((type) => Object.hasOwn(content, type))) return operation;
  return { ...operation, requestBody: { ...requestBody, content: { [kept]: withoutLegacy(content[kept]!) } } };
}

interface FormContent {
  readonly schema: JsonSchema;
  readonly encoding?: Readonly<Record<string, object>>;
}

function withoutLegacy({ schema, encoding, ...content }: FormContent): FormContent {
  const current = ((schema.anyOf ?? []) as readonly { readonly $ref?: string }[]).filter(
    ({ $ref }) => !isLegacy($ref?.split('/').at(-1) ?? ''),
  );
  const parts = Object.entries(encoding ?? {}).filter(([name]) => !LEGACY_ONLY.has(name));
  return {
    ...content,
    schema: current.length === 1 ? current[0]! : schema,
    ...(encoding !== undefined && { encoding: Object.fromEntries(parts) }),
  };
}

/** Parts that only older clients send, and the schema of one of them. */
const LEGACY_ONLY: ReadonlySet<string> = new Set(Object.keys(LEGACY_PARTS).filter((name) => !(name in JSON_PARTS)));

function isLegacy(schema: string): boolean {
  return schema.startsWith(LEGACY) || schema === 'MediaManifest' || schema === PROJECT;
}
