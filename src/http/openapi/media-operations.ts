import type { CaptionsView } from '../../exports/api/speech-api.ts';
import { CAPTION_MODEL_NAMES } from '../../speech/models/caption-models.ts';
import type { Seconds } from '../../time.ts';
import {
  CAPTION_LANGUAGES,
  CAPTION_MODELS_LIST,
  CAPTIONS,
  INSTALLED_MODEL,
  KNOWN_FILES,
  MEDIA,
  MEDIA_ADDRESS,
  MEDIA_HASHES,
  MEDIA_LIST,
  PAUSES,
  UNFINISHED_MEDIA,
} from '../replies/media-replies.ts';
import { reference } from '../replies/schema.ts';
import { operation, type PathItem } from './describe-operation.ts';
import { binary, header, json, query, RANGE_HEADERS, reply, requestHeader, textContent } from './parts.ts';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const sha256 = {
  name: 'sha256',
  in: 'path',
  required: true,
  description: 'The SHA-256 of the bytes, in hexadecimal digits.',
  schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
} as const;

const tag = { ETag: header('Its SHA-256.') };
const offsets = {
  'Upload-Offset': header('Number of received bytes.', { type: 'integer' }),
  'Upload-Length': header('Number of bytes of the whole file.', { type: 'integer' }),
};

const example = MEDIA.write({
  sha256: SHA256,
  bytes: 48_211_003,
  expiresAtMs: Date.UTC(2026, 0, 3, 12),
  description: {
    kind: 'video',
    container: 'mp4',
    durationSeconds: 62.4,
    width: 1920,
    height: 1080,
    rate: { num: 30_000, den: 1001 },
    variableRate: false,
    alpha: false,
    videoCodec: 'h264',
    sound: { codec: 'aac', channels: 2, sampleRate: 48_000 },
    problems: [],
  },
});
const described = json(MEDIA, { video: example });

const located = { Location: header('Its address.', { type: 'string', format: 'uri-reference' }) };

const pauses = json(PAUSES, {
  speech: {
    ok: true,
    duration: 6.2,
    pauses: [{ start: 2.34, end: 3.2 }],
    speech: [
      { start: 0.32, end: 2.24 },
      { start: 3.3, end: 6.2 },
    ],
  },
});

const queuedCaptions: CaptionsView = {
  id: '7d0c2f5e-4f0b-4f0e-9a55-0f6d8f1f2a3b',
  state: 'queued',
  progress: 0,
  language: 'en',
  transcript: null,
  warnings: [],
  failure: null,
};
const captions: CaptionsView = {
  ...queuedCaptions,
  state: 'completed',
  progress: 1,
  transcript: {
    duration: 6.2 as Seconds,
    segments: [
      {
        start: 0.32 as Seconds,
        end: 0.98 as Seconds,
        text: 'Straight up.',
        words: [
          { text: 'Straight', start: 0.32 as Seconds, end: 0.7 as Seconds, confidence: 0.98 },
          { text: 'up.', start: 0.74 as Seconds, end: 0.98 as Seconds, confidence: 0.91 },
        ],
      },
    ],
  },
};
const warned = {
  'Tiercut-Warnings': header('JSON: a list of `{ path, code, message }`, if the response is a file that may be wrong.'),
};
const captionFiles = { ...textContent('text/vtt'), ...textContent('application/x-subrip') };
const applied = { 'Preference-Applied': header('The preferences of `Prefer` that were applied.') };
const retryAfter = {
  ...applied,
  'Retry-After': header('Seconds until the next poll.', { type: 'integer' }),
};
const modelName = {
  name: 'model',
  in: 'path',
  required: true,
  description: 'The name of the model.',
  schema: { type: 'string', enum: CAPTION_MODEL_NAMES },
} as const;

const captionsId = {
  name: 'captions_id',
  in: 'path',
  required: true,
  description: 'The `captions_id` of the response.',
  schema: { type: 'string', format: 'uuid' },
} as const;
const prefer = requestHeader(
  'Prefer',
  '`respond-async`: do not wait; `wait=<seconds>`: wait at most this long.',
  'wait=20',
);

/** Uploaded content, and what can be found in it. (C38, C77, C78) */
export function mediaOperations(): Record<string, PathItem> {
  return {
    '/video/pauses': {
      post: operation({
        operationId: 'findPauses',
        tag: 'Media',
        summary: 'Find the pauses in the speech of a file',
        description: 'Analyzes the whole file and returns the pauses. The service does not keep the file.',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': { schema: reference('PausesForm') },
            'application/json': { schema: reference('PausesForm') },
          },
        },
        replies: { 200: reply('The pauses and the speech.', pauses) },
        problems: [408, 413, 415, 422, 503, 507],
      }),
    },
    '/video/captions': {
      post: operation({
        operationId: 'createCaptions',
        tag: 'Media',
        summary: 'Transcribe speech',
        description:
          'Responds when the captions are ready. With `Prefer: respond-async` it responds at once; without it, after `TIERCUT_WAIT_SECONDS` at the latest. The service transcribes the same sound once.',
        parameters: [requestHeader('Accept', 'Captions as a file, or as JSON.', 'text/vtt'), prefer],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': { schema: reference('CaptionsForm') },
            'application/json': { schema: reference('CaptionsForm') },
          },
        },
        replies: {
          201: reply(
            'The captions.',
            { ...json(CAPTIONS, { completed: CAPTIONS.write(captions) }), ...captionFiles },
            { ...located, ...applied, ...warned },
          ),
          202: reply('Accepted.', json(CAPTIONS, { queued: CAPTIONS.write(queuedCaptions) }), {
            ...located,
            ...retryAfter,
          }),
        },
        problems: [404, 406, 408, 409, 413, 415, 422, 501, 503, 507],
      }),
    },
    '/video/captions/languages': {
      get: operation({
        operationId: 'listCaptionLanguages',
        tag: 'Media',
        summary: 'List the languages that the service transcribes',
        description: 'The list is empty if no speech model is installed; `POST /video/captions` then returns 501.',
        replies: { 200: reply('The languages.', json(CAPTION_LANGUAGES)) },
      }),
    },
    '/video/captions/models': {
      get: operation({
        operationId: 'listCaptionModels',
        tag: 'Media',
        summary: 'List the speech models that the service can install',
        description: 'A Whisper model that the operator has configured is not in the list.',
        replies: { 200: reply('The models, best first.', json(CAPTION_MODELS_LIST)) },
      }),
    },
    '/video/captions/models/{model}': {
      parameters: [modelName],
      put: operation({
        operationId: 'installCaptionModel',
        tag: 'Media',
        access: 'operator',
        summary: 'Install a speech model',
        description:
          'Downloads the model on the node that responds. Repeat `GET /video/captions/models` for its state. With several nodes, install models with `tiercut captions install` on each worker.',
        replies: {
          200: reply('It is installed.', json(INSTALLED_MODEL)),
          202: reply('It is being installed, or has just failed.', json(INSTALLED_MODEL)),
        },
        problems: [404],
      }),
    },
    '/video/captions/{captions_id}': {
      parameters: [captionsId],
      get: operation({
        operationId: 'getCaptions',
        tag: 'Media',
        summary: 'Get captions, or their progress',
        parameters: [requestHeader('Accept', 'Captions as a file, or as JSON.', 'text/vtt'), prefer],
        replies: {
          200: reply(
            'The captions, or their state and progress.',
            { ...json(CAPTIONS, { completed: CAPTIONS.write(captions) }), ...captionFiles },
            { ...retryAfter, ...warned },
          ),
          202: reply(
            'The captions are not ready.',
            json(CAPTIONS, { queued: CAPTIONS.write(queuedCaptions) }),
            retryAfter,
          ),
        },
        problems: [404, 406, 409, 415, 422],
      }),
      delete: operation({
        operationId: 'deleteCaptions',
        tag: 'Media',
        summary: 'Cancel and delete captions',
        replies: { 204: reply('Removed.') },
        problems: [404],
      }),
    },
    '/media': {
      get: operation({
        operationId: 'listMedia',
        tag: 'Media',
        summary: 'List your stored files, last used first',
        parameters: [
          query('limit', 'Files on a page; 20 if absent.', { type: 'integer', minimum: 1, maximum: 100 }),
          query('cursor', 'The `next` of the previous page.', { type: 'string' }),
        ],
        replies: { 200: reply('A page.', json(MEDIA_LIST)) },
        problems: [422],
      }),
      post: operation({
        operationId: 'fetchMedia',
        tag: 'Media',
        summary: 'Fetch and store a file',
        description:
          'The service fetches the file from a public HTTPS address and stores it like an uploaded file. It fetches the same address again only if the file has changed.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: MEDIA_ADDRESS,
              examples: { video: { value: { url: 'https://media.example.com/clip.mp4' } } },
            },
          },
        },
        replies: {
          200: reply('The service has the file already.', described, located),
          201: reply('The file is stored.', described, located),
        },
        problems: [408, 413, 415, 422, 503, 507],
      }),
    },
    '/media/known': {
      post: operation({
        operationId: 'knownMedia',
        tag: 'Media',
        summary: 'Check which of many files the service has',
        description: 'The same as `HEAD /media/{sha256}` for each of them, in one request.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: MEDIA_HASHES, examples: { two: { value: { media: [SHA256] } } } } },
        },
        replies: {
          200: reply(
            'What the service has.',
            json(KNOWN_FILES, { one: KNOWN_FILES.write([{ sha256: SHA256, stored: true, received: 48_211_003 }]) }),
          ),
        },
        problems: [408, 413, 415, 422],
      }),
    },
    '/media/{sha256}': {
      parameters: [sha256],
      put: operation({
        operationId: 'putMedia',
        tag: 'Media',
        summary: 'Store a file',
        description:
          'The body is the file. If the service has it already, it does not read the body; with `Expect: 100-continue` the client need not send it. ' +
          'Resume an interrupted upload with `Content-Range` from the `Upload-Offset` that `HEAD` returns (`curl -C <offset> -T <file>`).',
        parameters: [requestHeader('Content-Range', 'The range of this part.', 'bytes 8388608-16777215/48211003')],
        requestBody: { required: true, content: binary('application/octet-stream') },
        replies: {
          200: reply('The service has the file already.', described),
          201: reply('The file is stored.', described, located),
          202: reply(
            'A part of the file is stored.',
            json(UNFINISHED_MEDIA, {
              part: UNFINISHED_MEDIA.write({ sha256: SHA256, received: 16_777_216, bytes: 48_211_003 }),
            }),
            offsets,
          ),
        },
        problems: [408, 409, 411, 413, 422, 503, 507],
      }),
      get: operation({
        operationId: 'getMedia',
        tag: 'Media',
        summary: 'Get a stored file, or its properties',
        description:
          'Returns the bytes as application/octet-stream, whole or one range. With `Accept: application/json` it returns the properties of the file.',
        parameters: RANGE_HEADERS,
        replies: {
          200: reply('The service has the file.', { ...binary('application/octet-stream'), ...described }, tag),
          206: reply('The range.', binary('application/octet-stream'), tag),
          304: reply('Unchanged.', undefined, tag),
        },
        problems: [404, 406, 412, 416, 503],
      }),
      head: operation({
        operationId: 'peekMedia',
        tag: 'Media',
        summary: 'Check whether the service has a file',
        description: 'If only a part is stored, 404 has `Upload-Offset` and `Upload-Length`.',
        replies: { 200: reply('The service has the file.', undefined, offsets) },
        problems: [404],
      }),
      delete: operation({
        operationId: 'deleteMedia',
        tag: 'Media',
        summary: 'Delete a file',
        replies: { 204: reply('Forgotten.') },
        problems: [404, 409],
      }),
    },
  };
}
