import { EXAMPLE_REQUEST } from './example-request.ts';
import type { JsonSchema } from './request-schemas.ts';

type Responses = Record<string, unknown>;

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
const reply = (description: string, content?: object, headers?: object) => ({
  description,
  ...(content && { content }),
  ...(headers && { headers }),
});
const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });
const mp4 = { 'video/mp4': { schema: { type: 'string', contentMediaType: 'video/mp4' } } };
const page = { 'text/html': { schema: { type: 'string' } } };
const plain = { 'text/plain': { schema: { type: 'string' } } };

/** Problem replies by status, from the shared list. */
function problems(...statuses: readonly (keyof typeof PROBLEMS)[]): Responses {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

/** Every problem there is, and when. (C33) */
export const PROBLEMS = {
  400: 'Malformed multipart, JSON or HTTP.',
  401: 'A key is missing or wrong.',
  403: 'From a page of another origin, or to a name that is not known.',
  404: 'Unknown, deleted, expired or not yours: one and the same body.',
  405: 'Not by this method; `Allow` has those that are taken.',
  406: 'None of the types we can give.',
  408: 'The request came too slowly.',
  409: 'The export was cancelled meanwhile.',
  412: '`If-Match` names another video.',
  413: 'Too large: a part, a file, or the whole.',
  415: 'Not multipart/form-data, or media of a kind we do not take.',
  416: 'The range lies outside of the video.',
  422: 'Well-formed, but not possible; or an idempotency key used for something else; or the media cannot be rendered.',
  429: 'The queue is full or too many requests came; `Retry-After` says when to come back.',
  500: 'Our fault.',
  503: 'Shutting down or not ready.',
  507: 'No room on the disk.',
} as const;

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
const accept = (types: readonly string[]) => ({
  name: 'Accept',
  in: 'header',
  schema: { type: 'string', examples: types },
});
const prefer = (example: string, description: string) => {
  return { name: 'Prefer', in: 'header', description, schema: { type: 'string', examples: [example] } };
};

const formText = (name: string, description: string): JsonSchema => ({
  description,
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: { $ref: `#/components/schemas/${name}` },
});

/** The multipart body of create and validate. (C1 to C4) */
const formBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['tier_list', 'timeline_data'],
        properties: {
          tier_list: formText('TierList', 'JSON. As a plain field or as a file part.'),
          timeline_data: formText('TimelineData', 'JSON.'),
          settings: formText('Settings', 'JSON.'),
          callback_url: { type: 'string', format: 'uri', description: 'Told when the export is final.' },
          timeline_json: { type: 'string', description: 'JSON; what older clients send instead of timeline_data.' },
          media_manifest: { type: 'string', description: 'JSON; field names by media id, with timeline_json.' },
        },
        additionalProperties: {
          type: 'string',
          format: 'binary',
          description:
            'Media, each under the very form field name that a `file_field` gives. Parts may come in any order. A file is what ' +
            'its first bytes say: MP4, MOV, WebM, Matroska, MPEG-TS, AVI, FLV; JPEG, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, for ' +
            'items SVG too; MP3, M4A, AAC, FLAC, WAV, Ogg, AIFF.',
        },
      },
      encoding: {
        tier_list: { contentType: 'application/json, text/plain' },
        timeline_data: { contentType: 'application/json, text/plain' },
        settings: { contentType: 'application/json, text/plain' },
      },
      examples: { snacks: { summary: 'A board that fills in ten seconds', value: EXAMPLE_REQUEST } },
    },
  },
};

const formProblems = problems(400, 401, 403, 406, 408, 413, 415, 422, 429, 500, 503, 507);
const location = { Location: header('The address of the export.') };

/** Every route of the service. */
export function operations(): Record<string, Record<string, object>> {
  return {
    '/video/exports': {
      post: {
        operationId: 'createExport',
        summary: 'Render one MP4',
        description:
          'Answers when the selected preset is rendered; with `Prefer: respond-async`, or after the wait limit, as soon as the export is durable. A client that hangs up does not stop its export.',
        parameters: [
          accept(['application/json', 'video/mp4', 'text/html']),
          prefer('respond-async', 'Do not wait for the video.'),
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'Same key and same content: the same export. Lasts as long as the export.',
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          },
        ],
        requestBody: formBody,
        responses: {
          201: reply('Rendered.', { ...json('Export'), ...mp4 }, location),
          202: reply('Accepted; follow it at `links.events` or ask again.', json('Export'), {
            ...location,
            'Preference-Applied': header('`respond-async` where that was asked for.'),
          }),
          303: reply('For a browser’s form: the page of the export.', undefined, location),
          409: { $ref: '#/components/responses/Problem409' },
          ...formProblems,
        },
      },
    },
    '/video/exports/validate': {
      post: {
        operationId: 'validateExport',
        summary: 'Check a request without keeping anything; files are optional',
        requestBody: formBody,
        responses: { 200: reply('It would work.', json('Validation')), ...formProblems },
      },
    },
    '/video/exports/{id}': {
      parameters: [id],
      get: {
        operationId: 'getExport',
        summary: 'How an export stands',
        parameters: [accept(['application/json', 'text/html'])],
        responses: {
          200: reply('The export, or its page.', { ...json('Export'), ...page }),
          ...problems(401, 404, 406),
        },
      },
      delete: {
        operationId: 'deleteExport',
        summary: 'Cancel it and remove every file',
        responses: { 204: reply('Gone.'), ...problems(401, 403, 404) },
      },
    },
    '/video/exports/{id}/events': {
      parameters: [id],
      get: {
        operationId: 'followExport',
        summary: 'Server-Sent Events `state` (all metadata) and `progress` (figures), until no output changes any more',
        parameters: [
          {
            name: 'Last-Event-ID',
            in: 'header',
            description: 'The revision seen last: what has changed since is told, and only that.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: reply('The stream.', { 'text/event-stream': { schema: { type: 'string' } } }),
          204: reply('The last event was seen already: do not come back.'),
          ...problems(401, 404, 406),
        },
      },
    },
    '/video/exports/{id}/download/{preset}': {
      parameters: [id, { name: 'preset', in: 'path', required: true, schema: { type: 'string' } }],
      get: download('downloadExport', 'The MP4; waits for it where it is not rendered yet', true),
      head: download('peekExport', 'The headers of the MP4', false),
    },
    '/video/exports/{id}/poster': {
      parameters: [id],
      get: {
        operationId: 'getPoster',
        summary: 'The finished board',
        security: [],
        responses: {
          200: reply('A picture.', { 'image/jpeg': { schema: { type: 'string', contentMediaType: 'image/jpeg' } } }),
          304: reply('Unchanged.'),
          ...problems(404),
        },
      },
    },
    '/video/exports/{id}/chapters': {
      parameters: [id],
      get: {
        operationId: 'getChapters',
        summary: 'Chapters as text, one a line, made from the reveals',
        responses: { 200: reply('`0:00 Title` and so on.', plain), ...problems(401, 404) },
      },
    },
    ...metaOperations(),
  };
}

function download(operationId: string, summary: string, body: boolean): object {
  const headers = {
    ETag: header('The SHA-256 of the whole.'),
    'Content-Disposition': header('The file name.'),
    'Content-Length': header('Bytes.', { type: 'integer' }),
    'Accept-Ranges': header('`bytes`'),
  };
  return {
    operationId,
    summary,
    security: [],
    parameters: [
      { name: 'Range', in: 'header', schema: { type: 'string', examples: ['bytes=0-1048575'] } },
      { name: 'If-Range', in: 'header', schema: { type: 'string' } },
      { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
      { name: 'inline', in: 'query', allowEmptyValue: true, description: 'Play in place.', schema: { type: 'string' } },
      prefer('wait=0', 'How many seconds to wait for the render at most.'),
    ],
    responses: {
      200: reply('The whole.', body ? mp4 : undefined, headers),
      206: reply('The range.', body ? mp4 : undefined, { ...headers, 'Content-Range': header('Which bytes.') }),
      202: reply('Not rendered yet, and `Prefer: wait` was over.', json('Export'), {
        'Retry-After': header('Seconds.'),
      }),
      304: reply('Unchanged.'),
      307: reply('Not rendered yet after the wait limit: ask again at the same address.', undefined, location),
      ...problems(404, 412, 416, 422, 500),
    },
  };
}

function metaOperations(): Record<string, Record<string, object>> {
  const read = (operationId: string, summary: string, content: object, more: object = {}) => ({
    get: { operationId, summary, security: [], responses: { 200: reply(summary, content) }, ...more },
  });
  const anyJson = { 'application/json': { schema: { type: 'object' } } };
  const readiness = { responses: { 200: reply('It does.', anyJson), 503: reply('It does not, and why.', anyJson) } };
  return {
    '/limits': read('getLimits', 'Every limit of this deployment', anyJson),
    '/healthz': read('getHealth', 'Whether the process answers', anyJson),
    '/readyz': read('getReadiness', 'Whether it serves: downloads, deletes, status', anyJson, readiness),
    '/readyz/intake': read('getIntakeReadiness', 'Whether it takes in exports', anyJson, readiness),
    '/metrics': {
      get: {
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        responses: { 200: reply('Text format.', plain), ...problems(401) },
      },
    },
    '/openapi.json': read('getOpenApi', 'This document', anyJson),
    '/docs': read('getDocs', 'This document as a page', page),
    '/docs/errors': read('getErrors', 'Every error and warning code', page),
    '/': read('getHome', 'A page to try it', page),
  };
}
