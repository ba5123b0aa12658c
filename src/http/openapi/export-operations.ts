import { LONGEST_EXTERNAL_ID } from '../../exports/exports-api.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { exampleExport, exampleList } from './example-replies.ts';
import { formBody } from './form-body.ts';
import { operation, type PathItem } from './operation.ts';
import { exportId, query, requestHeader } from './parameters.ts';
import type { ProblemStatus } from './problem-replies.ts';
import { binary, header, json, reference, reply, text } from './replies.ts';
import { STATES } from './reply-schemas.ts';

/** What can be wrong with a form. */
const FORM_PROBLEMS: readonly ProblemStatus[] = [406, 408, 413, 415, 422, 503, 507];

const applied = { 'Preference-Applied': header('What was done of `Prefer`.') };
const replayed = {
  'Idempotency-Replayed': header('`true` where the key was known: this is the export it had made.'),
};
const tag = { ETag: header('Changes with the metadata.') };
const location = { Location: header('The address of the export.', { type: 'string', format: 'uri-reference' }) };

/** Making exports, reading, following and ending them. */
export function exportOperations(config: Pick<HttpConfig, 'presets'>): Record<string, PathItem> {
  return {
    '/video/exports': { post: createExport(config), get: listExports(config) },
    '/video/exports/validate': { post: validateExport() },
    '/video/frames': { post: showFrame() },
    '/video/exports/{id}': { parameters: [exportId], get: getExport(config), delete: deleteExport() },
    '/video/exports/{id}/events': { parameters: [exportId], get: followExport(config) },
  };
}

function createExport(config: Pick<HttpConfig, 'presets'>) {
  const completed = json('Export', { completed: exampleExport(config, 'completed') });
  const queued = json('Export', { queued: exampleExport(config, 'queued') });
  return operation({
    operationId: 'createExport',
    tag: 'Exports',
    summary: 'Render one MP4',
    description:
      'Answers when the selected preset is rendered; with `Prefer: respond-async`, or after the wait limit, as soon as the export is durable. A client that hangs up does not stop its export.',
    parameters: [
      requestHeader('Accept', '`video/mp4`: the video itself; `text/html`: its page.', 'application/json'),
      requestHeader(
        'Prefer',
        '`respond-async`: do not wait for the video; `wait=<seconds>`: so long at the most (RFC 7240).',
        'respond-async',
      ),
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'Same key and same content: the same export. Lasts as long as the export.',
        schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['snacks-7'] },
      },
    ],
    requestBody: formBody(),
    replies: {
      201: reply('Rendered.', { ...completed, ...binary('video/mp4') }, { ...location, ...applied, ...replayed }),
      202: reply('Accepted; follow it at `links.events` or ask again.', queued, {
        ...location,
        ...applied,
        ...replayed,
        'Retry-After': header('When to ask, in seconds.', { type: 'integer' }),
      }),
      303: reply('For a browser’s form: the page of the export.', undefined, { ...location, ...replayed }),
    },
    problems: [409, ...FORM_PROBLEMS],
    callbacks: { event: { '{$request.body#/callback_url}': { post: callback(config) } } },
  });
}

function listExports(config: Pick<HttpConfig, 'presets'>) {
  return operation({
    operationId: 'listExports',
    tag: 'Exports',
    summary: 'Your exports, newest first',
    description: 'A page at a time; pages stay where they are while exports come and go.',
    parameters: [
      query('state', 'Only those in this state.', { type: 'string', enum: STATES }),
      query('external_id', 'Only those you call so.', { type: 'string', maxLength: LONGEST_EXTERNAL_ID }),
      query('limit', 'Exports on a page; 20 if absent.', { type: 'integer', minimum: 1, maximum: 100 }),
      query('cursor', 'The `next` of the page before.', { type: 'string' }),
    ],
    replies: {
      200: reply('A page.', json('ExportList', { one: exampleList(config) }), {
        Link: header('The address of the next page, where there is one (`rel="next"`).'),
      }),
    },
    problems: [406, 422],
  });
}

function validateExport() {
  return operation({
    operationId: 'validateExport',
    tag: 'Exports',
    summary: 'Check a request without keeping anything',
    description: 'The same form, files optional: the errors of a create, or its warnings and what it would render.',
    requestBody: formBody(),
    replies: { 200: reply('It would work.', json('Validation')) },
    problems: FORM_PROBLEMS,
  });
}

function showFrame() {
  return operation({
    operationId: 'showFrame',
    tag: 'Exports',
    summary: 'One frame of the video, without rendering it',
    description:
      'The form of a create, and `at` or `frame`: exactly what the render shows there, before it is encoded. Waits for no render; nothing is kept. Frames of the same media in a row come quickest.',
    parameters: [requestHeader('Accept', 'The picture’s type.', 'image/png')],
    requestBody: formBody('FrameForm', { at: 3.5 }),
    replies: {
      200: reply(
        'The picture.',
        { ...binary('image/png'), ...binary('image/jpeg'), ...binary('image/webp') },
        {
          'Tiercut-Frame': header('Its number.', { type: 'integer' }),
          'Tiercut-Frames': header('How many the video has.', { type: 'integer' }),
          'Tiercut-Time': header('When it comes on screen, in seconds.', { type: 'number' }),
          'Tiercut-Warnings': header('JSON: a list of `{ path, code, message }`, as many as fit.'),
        },
      ),
    },
    problems: FORM_PROBLEMS,
  });
}

function getExport(config: Pick<HttpConfig, 'presets'>) {
  const completed = json('Export', { completed: exampleExport(config, 'completed') });
  return operation({
    operationId: 'getExport',
    tag: 'Exports',
    summary: 'How an export stands',
    parameters: [
      requestHeader('Accept', '`text/html`: a page for people, which needs no key.', 'application/json'),
      requestHeader('If-None-Match', 'The `ETag` seen last: 304 where nothing has changed.', '"3.x"'),
      requestHeader(
        'Prefer',
        '`wait=<seconds>`: answer when the state is another than the one seen last, or when the time is over.',
        'wait=60',
      ),
    ],
    replies: {
      200: reply('The export, or its page.', { ...completed, ...text('text/html') }, { ...tag, ...applied }),
      304: reply('Nothing has changed.', undefined, { ...tag, ...applied }),
    },
    problems: [404, 406],
  });
}

function deleteExport() {
  return operation({
    operationId: 'deleteExport',
    tag: 'Exports',
    summary: 'Cancel it and remove every file',
    replies: { 204: reply('Gone.') },
    problems: [404],
  });
}

function followExport(config: Pick<HttpConfig, 'presets'>) {
  return operation({
    operationId: 'followExport',
    tag: 'Exports',
    summary: 'Follow an export',
    description:
      'Server-Sent Events until no output changes any more: `state` with all metadata (`Export`), `progress` with the figures of it that change. Of an export that is deleted meanwhile, or whose time is over, the last event is a `state` with the metadata of before and a `state` of `cancelled`, or `expired` where its video was there (of each output too); whoever comes back gets 404. A stream that ends without such an end was broken off: come back with `Last-Event-ID`.',
    parameters: [
      requestHeader('Last-Event-ID', 'The event seen last: what has changed since is told, and only that.', '7000000'),
    ],
    replies: {
      200: reply('The stream.', eventStream(config)),
      204: reply('The last event was seen already: do not come back.'),
    },
    problems: [404, 406],
  });
}

/** OpenAPI 3.1 has no word for a stream of events; `contentSchema` says what the data of each is. */
function eventStream(config: Pick<HttpConfig, 'presets'>): Record<string, object> {
  const { export_id, state, progress, outputs, shorts } = exampleExport(config, 'queued');
  const data = JSON.stringify({ export_id, state, progress, outputs, shorts });
  const contentSchema = { anyOf: [reference('Export'), reference('ProgressEvent')] };
  return {
    'text/event-stream': {
      schema: { type: 'string', contentMediaType: 'application/json', contentSchema },
      example: `id: 1\nevent: progress\ndata: ${data}\n\n`,
    },
  };
}

/** What is POSTed to `callback_url`. (C37, C68) */
function callback(config: Pick<HttpConfig, 'presets'>): object {
  const data = exampleExport(config, 'completed');
  const signed = (name: string, description: string, example: string) => {
    return { ...requestHeader(name, description, example), required: true };
  };
  return {
    operationId: 'exportEvent',
    tags: ['Exports'],
    summary: 'An event of an export',
    description:
      'Signed and repeated as Standard Webhooks says. Events of an export come one after the other. No redirect is followed.',
    security: [],
    parameters: [
      signed('webhook-id', 'The same for every try, so that repetitions can be told from news.', 'msg_1'),
      signed('webhook-timestamp', 'Seconds since 1970.', '1767355200'),
      requestHeader(
        'webhook-signature',
        '`v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in Base64, one for each valid secret.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    ],
    requestBody: {
      required: true,
      content: json('Callback', {
        completed: { ...data, type: 'export.completed', timestamp: '2026-01-02T12:00:00.000Z', data },
      }),
    },
    responses: {
      '2XX': { description: 'Understood: it is not sent again.' },
      410: { description: 'Nothing more is wanted: neither this event nor those that wait are sent again.' },
      default: { description: 'Tried again later, for about a day.' },
    },
  };
}
