import { EXPORT_STATES, type ExportState, type ExportView } from '../../exports/api/export-view.ts';
import { LONGEST_EXTERNAL_ID } from '../../exports/api/submission.ts';
import { shownName } from '../../timeline/presets.ts';
import { CALLBACK, EVENT_LIST } from '../replies/event-replies.ts';
import { EXPORT, EXPORT_LIST, type ExportMetadata, PROGRESS_EVENT, VALIDATION } from '../replies/export-replies.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { callbackOperation } from './callback-operation.ts';
import { operation, type PathItem, type ProblemStatus } from './describe-operation.ts';
import { CREATED_AT_MS, EXAMPLE_EVENTS, eventListParameters, EXPORT_ID_EXAMPLE as ID } from './event-operations.ts';
import { EXAMPLE_REQUEST, formBody, projectBody } from './form-body.ts';
import {
  binary,
  exportId,
  header,
  json,
  listParameters,
  projectId,
  query,
  reply,
  requestHeader,
  textContent,
} from './parts.ts';

const DAY_MS = 86_400_000;

/** An export, of which the examples are made by the same code as all metadata, so that they stay true. */
function exampleView(
  { presets }: Pick<HttpConfig, 'presets'>,
  state: Extract<ExportState, 'queued' | 'completed'>,
): ExportView {
  const done = state === 'completed';
  const [{ name: preset, width, height }] = presets;
  const view: ExportView = {
    id: ID,
    revision: done ? 12 : 1,
    stateRevision: done ? 12 : 1,
    fetching: null,
    settled: done,
    state,
    progress: done ? 1 : 0,
    settings: {
      ...{ preset, width, height, fps: 30, quality: 'balanced', encoderPreset: 'veryfast' },
      ...{ audioBitrateKbps: 192, fileName: 'Snacks, ranked.mp4' },
    },
    durationSeconds: 10,
    outputs: presets.map((preset) => ({
      preset: preset.name,
      name: shownName(preset),
      state,
      progress: done ? 1 : 0,
      width: preset.width,
      height: preset.height,
      bytes: done ? 1_482_301 : null,
      sha256: done ? '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' : null,
      failure: null,
      destination: null,
    })),
    shorts: [],
    warnings: [],
    createdAtMs: CREATED_AT_MS,
    expiresAtMs: done ? CREATED_AT_MS + DAY_MS : null,
    failure: null,
    title: EXAMPLE_REQUEST.tier_list.title,
    externalId: 'project-7',
    metadata: { channel: 'snacks' },
    project: null,
  };
  return view;
}

export function exampleExport(config: Pick<HttpConfig, 'presets'>, state: 'queued' | 'completed'): ExportMetadata {
  return EXPORT.write(exampleView(config, state));
}

/** A list of one, with a next page. */
function exampleList(config: Pick<HttpConfig, 'presets'>) {
  const exports = [exampleView(config, 'completed')];
  return EXPORT_LIST.write({ exports, next: { createdAtMs: CREATED_AT_MS, id: ID }, warnings: [] });
}

/** The errors of a form. */
const FORM_PROBLEMS: readonly ProblemStatus[] = [406, 408, 413, 415, 422, 503, 507];

const applied = { 'Preference-Applied': header('The preferences of `Prefer` that were applied.') };
const replayed = {
  'Idempotency-Replayed': header('`true` if the key is known: this is the export of the first request.'),
};
const tag = { ETag: header('Changes with the metadata.') };
const location = { Location: header('The address of the export.', { type: 'string', format: 'uri-reference' }) };

/** Creating, reading, following and deleting exports. */
export function exportOperations(config: Pick<HttpConfig, 'presets'>): Record<string, PathItem> {
  return {
    '/video/exports': { post: createExport(config), get: listExports(config) },
    '/video/exports/validate': { post: validateExport() },
    '/video/frames': { post: showFrame() },
    '/video/thumbnails': { post: drawThumbnail() },
    '/projects/{project_id}/exports': { parameters: [projectId], post: createExport(config, OF_PROJECT) },
    '/projects/{project_id}/validate': { parameters: [projectId], post: validateExport(OF_PROJECT) },
    '/projects/{project_id}/frames': { parameters: [projectId], post: showFrame(OF_PROJECT) },
    '/video/exports/{id}': { parameters: [exportId], get: getExport(config), delete: deleteExport() },
    '/video/exports/{id}/events': { parameters: [exportId], get: followExport(config) },
  };
}

/** What tells an operation on documents from the same one on a stored project. (C84) */
interface Source {
  /** At the end of names of operations. */
  readonly suffix: string;
  readonly tag: 'Exports' | 'Projects';
  readonly words: string;
  body(schema?: 'FrameForm', more?: object): object;
  readonly problems: readonly ProblemStatus[];
}

const OF_DOCUMENTS: Source = {
  suffix: '',
  tag: 'Exports',
  words: 'Takes the form of a create',
  body: formBody,
  problems: FORM_PROBLEMS,
};

const OF_PROJECT: Source = {
  suffix: 'OfProject',
  tag: 'Projects',
  words: 'Takes the values of the fields of a stored project',
  body: (schema, more) => projectBody(schema === 'FrameForm' ? 'ProjectFrame' : 'ProjectExport', more),
  problems: [...FORM_PROBLEMS, 404],
};

function createExport(config: Pick<HttpConfig, 'presets'>, { suffix, tag: of, body, problems } = OF_DOCUMENTS) {
  const completed = json(EXPORT, { completed: exampleExport(config, 'completed') });
  const queued = json(EXPORT, { queued: exampleExport(config, 'queued') });
  return operation({
    operationId: `createExport${suffix}`,
    tag: of,
    summary: of === 'Projects' ? 'Create an export of a project' : 'Create an export',
    description:
      'Responds when the selected preset is rendered. With `Prefer: respond-async` it responds as soon as the export is stored; without it, after `TIERCUT_WAIT_SECONDS` at the latest. An export continues if the client disconnects.',
    parameters: [
      requestHeader(
        'Accept',
        '`video/mp4`: the video itself, or a redirect to it; `text/html`: its page.',
        'application/json',
      ),
      requestHeader(
        'Prefer',
        '`respond-async`: do not wait for the video; `wait=<seconds>`: wait at most that long; `handling=strict`: warnings are errors (RFC 7240).',
        'respond-async',
      ),
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The same key and content return the same export. Valid as long as the export exists.',
        schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['snacks-7'] },
      },
    ],
    requestBody: body(),
    replies: {
      201: reply('Rendered.', { ...completed, ...binary('video/mp4') }, { ...location, ...applied, ...replayed }),
      202: reply('Accepted; follow it at `links.events` or poll.', queued, {
        ...location,
        ...applied,
        ...replayed,
        'Retry-After': header('Seconds until the next poll.', { type: 'integer' }),
      }),
      303: reply(
        'With `Accept: video/mp4` in place of 202: the download, which waits. For a browser’s form: the page of the export.',
        undefined,
        { ...location, ...replayed },
      ),
    },
    problems: [409, ...problems],
    ...(of === 'Exports' && {
      callbacks: { event: { '{$request.body#/callback_url}': { post: callback(config) } } },
    }),
  });
}

function listExports(config: Pick<HttpConfig, 'presets'>) {
  return operation({
    operationId: 'listExports',
    tag: 'Exports',
    summary: 'List your exports, newest first',
    description: 'Pages stay stable while exports are created and deleted.',
    parameters: [
      query('state', 'Only exports in this state.', { type: 'string', enum: EXPORT_STATES }),
      query('external_id', 'Only exports with this `external_id`.', { type: 'string', maxLength: LONGEST_EXTERNAL_ID }),
      ...listParameters('exports'),
    ],
    replies: {
      200: reply('A page.', json(EXPORT_LIST, { one: exampleList(config) }), {
        Link: header('The URL of the next page, if there is one (`rel="next"`).'),
      }),
    },
    problems: [406, 422],
  });
}

function validateExport({ suffix, tag: of, words, body, problems } = OF_DOCUMENTS) {
  return operation({
    operationId: `validateExport${suffix}`,
    tag: of,
    summary: of === 'Projects' ? 'Check values of a project' : 'Check a request without a render',
    description: `${words}; files are optional. Returns the errors, or the warnings and the plan.`,
    requestBody: body(),
    replies: { 200: reply('The request is valid.', json(VALIDATION)) },
    problems,
  });
}

function showFrame({ suffix, tag: of, words, body, problems } = OF_DOCUMENTS) {
  return operation({
    operationId: `showFrame${suffix}`,
    tag: of,
    summary: of === 'Projects' ? 'Render one frame of a project' : 'Render one frame',
    description: `${words} with \`at\` or \`frame\`. Returns the frame of the render, before encoding. It does not wait for renders, and the service keeps nothing. Successive frames of the same media are the fastest.`,
    parameters: [requestHeader('Accept', 'The type of the picture.', 'image/png')],
    requestBody: body('FrameForm', { at: 3.5 }),
    replies: {
      200: reply(
        'The picture.',
        { ...binary('image/png'), ...binary('image/jpeg'), ...binary('image/webp') },
        {
          'Tiercut-Frame': header('The number of the frame, from 0.', { type: 'integer' }),
          'Tiercut-Frames': header('Number of frames of the video.', { type: 'integer' }),
          'Tiercut-Time': header('When the frame appears, in seconds.', { type: 'number' }),
          'Tiercut-Warnings': header('JSON: a list of `{ path, code, message }`, as many as fit.'),
        },
      ),
    },
    problems,
  });
}

function drawThumbnail() {
  return operation({
    operationId: 'drawThumbnail',
    tag: 'Exports',
    summary: 'Draw a thumbnail',
    description:
      'Takes the form of a create and how the thumbnail looks. Returns a picture of 1280 × 720 or 720 × 1280 with less than 2 MB, in the theme of the video. It does not wait for renders, and the service keeps nothing.',
    parameters: [requestHeader('Accept', 'The type of the picture.', 'image/jpeg')],
    requestBody: formBody('ThumbnailForm', { style: 'versus' }),
    replies: {
      200: reply(
        'The picture.',
        { ...binary('image/jpeg'), ...binary('image/png') },
        { 'Tiercut-Warnings': header('JSON: a list of `{ path, code, message }`, as many as fit.') },
      ),
    },
    problems: FORM_PROBLEMS,
  });
}

function getExport(config: Pick<HttpConfig, 'presets'>) {
  const completed = json(EXPORT, { completed: exampleExport(config, 'completed') });
  return operation({
    operationId: 'getExport',
    tag: 'Exports',
    summary: 'Get the state of an export',
    parameters: [
      requestHeader('Accept', '`text/html`: a page for people, which needs no key.', 'application/json'),
      requestHeader('If-None-Match', 'The `ETag` seen last: 304 if nothing has changed.', '"3.x"'),
      requestHeader('Prefer', '`wait=<seconds>`: respond when the state changes, or after that time.', 'wait=60'),
    ],
    replies: {
      200: reply('The export, or its page.', { ...completed, ...textContent('text/html') }, { ...tag, ...applied }),
      304: reply('Nothing has changed.', undefined, { ...tag, ...applied }),
    },
    problems: [404, 406],
  });
}

function deleteExport() {
  return operation({
    operationId: 'deleteExport',
    tag: 'Exports',
    summary: 'Cancel an export and delete its files',
    replies: { 204: reply('Gone.') },
    problems: [404],
  });
}

function followExport(config: Pick<HttpConfig, 'presets'>) {
  return operation({
    operationId: 'followExport',
    tag: 'Exports',
    summary: 'Stream or list the events of an export',
    description:
      'With `format=list` it returns what happened so far as JSON, newest first. Otherwise it sends Server-Sent Events until every output has ended: `state` with all metadata (`Export`), `progress` with the fields that change. If the export is deleted or expires, the last event is `state` with `cancelled`, or `expired` if the video was ready; the same holds for each output. A later request returns 404. If a stream ends without a final event, reconnect with `Last-Event-ID`.',
    parameters: [
      requestHeader('Last-Event-ID', 'The event seen last: the stream continues after it.', '7000000'),
      query('format', '`list`: a list of events as JSON. `stream` if absent.', {
        type: 'string',
        enum: ['stream', 'list'],
      }),
      ...eventListParameters(),
    ],
    replies: {
      200: reply('The stream, or the list.', { ...eventStream(config), ...json(EVENT_LIST, { list: EXAMPLE_EVENTS }) }),
      204: reply('The last event was seen already: do not reconnect.'),
    },
    problems: [404, 406, 422],
  });
}

/** OpenAPI 3.1 cannot describe a stream of events; `contentSchema` describes the data of each. */
function eventStream(config: Pick<HttpConfig, 'presets'>): Record<string, object> {
  const { export_id, state, progress, outputs, shorts } = exampleExport(config, 'queued');
  const data = JSON.stringify({ export_id, state, progress, outputs, shorts });
  const contentSchema = { anyOf: [EXPORT, PROGRESS_EVENT] };
  return {
    'text/event-stream': {
      schema: { type: 'string', contentMediaType: 'application/json', contentSchema },
      example: `id: 1\nevent: progress\ndata: ${data}\n\n`,
    },
  };
}

/** The body that is sent to `callback_url`. (C37, C68) */

function callback(config: Pick<HttpConfig, 'presets'>): object {
  const data = exampleExport(config, 'completed');
  return callbackOperation({
    operationId: 'exportEvent',
    tag: 'Exports',
    summary: 'Receive an event of an export',
    order: 'Events of an export arrive in order.',
    content: json(CALLBACK, {
      completed: { ...data, type: 'export.completed', timestamp: '2026-01-02T12:00:00.000Z', data },
    }),
    gone: 'Stop: the service sends neither this event again nor any later one of this export.',
  });
}
