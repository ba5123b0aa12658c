import { BATCH_STATES, MAX_BATCH_ROWS, ROW_STATES } from '../../exports/api/batches-api.ts';
import { BATCH, BATCH_EVENT, BATCH_LIST, BATCH_ROWS } from '../replies/batch-replies.ts';
import type { JsonSchema } from '../replies/schema.ts';
import { reference } from '../replies/schema.ts';
import { callbackOperation } from './callback-operation.ts';
import { operation, type PathItem } from './describe-operation.ts';
import { TEXT_PARTS } from './form-body.ts';
import { header, json, listParameters, query, reply, requestHeader, textContent } from './parts.ts';

const ID = '7d8f3b52-2f0a-4c1e-9a43-55b0c6f1d2e3';
const PROJECT = '3f2b8c1e-7a40-4d0e-9c55-0b1d2e3f4a5b';
const AT = Date.UTC(2026, 0, 3, 12);

const batchId = {
  name: 'batch_id',
  in: 'path',
  required: true,
  description: 'The `batch_id` of the metadata.',
  schema: { type: 'string', format: 'uuid' },
} as const;

const example = json(BATCH, {
  running: BATCH.write({
    ...{ id: ID, state: 'running', projectId: PROJECT, revision: 3, total: 100, columns: ['title'] },
    fields: { presets: null, metadata: '{"week":"12"}', callbackUrl: null, callbackEvents: null, retentionHours: null },
    counts: { waiting: 53, queued: 4, rendering: 2, completed: 40, failed: 1, cancelled: 0, invalid: 0 },
    ...{ progress: 0.41, createdAtMs: AT, endedAtMs: null, expiresAtMs: null, estimatedEndMs: AT + 600_000 },
  }),
});

const CALLBACK = callbackOperation({
  operationId: 'batchEvent',
  tag: 'Batches',
  summary: 'Receive the end of a batch',
  order: 'It is sent when the last row has ended, and again after a retry.',
  content: json(BATCH_EVENT),
  gone: 'Stop: the service does not send this event again.',
});

const onError: JsonSchema = {
  type: 'string',
  enum: ['skip', 'refuse'],
  description:
    '`skip`: rows with wrong values are `invalid`, the others are made. `refuse`: nothing is made, and all errors are returned. Default: `skip`.',
};
const project: JsonSchema = { type: 'string', format: 'uuid', description: 'The `project_id` of a stored project.' };

/** The schemas of the request. */
export function batchSchemas(): Record<string, JsonSchema> {
  return {
    BatchRequest: {
      type: 'object',
      description: 'Many exports of one project, one for each row.',
      required: ['project', 'rows'],
      additionalProperties: false,
      properties: {
        project,
        rows: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_BATCH_ROWS,
          items: { type: 'object', additionalProperties: true },
          description: 'The values of each video, by the names of the fields of the project. `video` names the video.',
        },
        on_error: onError,
        settings: { ...reference('Settings'), description: 'Settings that win over those of the project.' },
        presets: TEXT_PARTS.presets,
        metadata: TEXT_PARTS.metadata,
        callback_url: { ...TEXT_PARTS.callback_url, description: 'Gets `batch.completed`; a public HTTPS address.' },
        callback_events: {
          ...TEXT_PARTS.callback_events,
          description: 'Events of the exports that `callback_url` gets as well. Default: none.',
        },
        retention_hours: TEXT_PARTS.retention_hours,
      },
    },
  };
}

/** Many exports of one project. (C85) */
export function batchOperations(): Record<string, PathItem> {
  return {
    '/batches': {
      get: operation({
        operationId: 'listBatches',
        tag: 'Batches',
        summary: 'List your batches, newest first',
        description: 'A batch is listed until it is forgotten. Pages stay stable while batches are created.',
        parameters: [
          query('state', 'Only batches in this state.', { type: 'string', enum: BATCH_STATES }),
          query('project', 'Only batches of this project.', { type: 'string', format: 'uuid' }),
          ...listParameters('batches'),
        ],
        replies: {
          200: reply('A page.', json(BATCH_LIST), {
            Link: header('The URL of the next page, if there is one (`rel="next"`).'),
          }),
        },
        problems: [422],
      }),
      post: operation({
        operationId: 'createBatch',
        tag: 'Batches',
        summary: 'Make a video for every row of a table',
        description:
          'All rows are checked first. The batch is stored before the response, and its exports are made little by little: other exports of yours go first. As `text/csv`, columns are the fields of the project, and the parameters are the fields of the batch.',
        parameters: [
          requestHeader('Idempotency-Key', 'The same key and content again return the same batch.', 'week-12'),
          query('project', 'Of a table: the `project_id`.', { type: 'string', format: 'uuid' }),
          query('on_error', 'Of a table.', { type: 'string', enum: ['skip', 'refuse'] }),
          query('presets', 'Of a table: presets, with commas between them.', { type: 'string' }),
          query('settings', 'Of a table: settings that win over those of the project, as JSON.', { type: 'string' }),
          query('metadata', 'Of a table: pairs of text, as JSON.', { type: 'string' }),
          query('callback_url', 'Of a table.', { type: 'string', format: 'uri' }),
          query('callback_events', 'Of a table: events of the exports, with commas between them.', { type: 'string' }),
          query('retention_hours', 'Of a table.', { type: 'integer', minimum: 1 }),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: reference('BatchRequest'),
              examples: {
                snacks: { value: { project: PROJECT, rows: [{ title: 'Week 12' }, { title: 'Week 13' }] } },
              },
            },
            ...textContent('text/csv', 'title\r\nWeek 12\r\nWeek 13\r\n'),
          },
        },
        replies: {
          202: reply('The batch is stored.', example, {
            Location: header('Its address.', { type: 'string', format: 'uri-reference' }),
            'Idempotency-Replayed': header('`true`: the key already had this batch.'),
          }),
        },
        callbacks: { event: { '{$request.body#/callback_url}': { post: CALLBACK } } },
        problems: [404, 408, 409, 413, 415, 422, 503, 507],
      }),
    },
    '/batches/{batch_id}': {
      parameters: [batchId],
      get: operation({
        operationId: 'getBatch',
        tag: 'Batches',
        summary: 'Get the state of a batch',
        parameters: [
          requestHeader('Prefer', '`wait=<seconds>`: respond when the batch has ended, or after that time.', 'wait=60'),
        ],
        replies: {
          200: reply('The batch.', example, {
            'Preference-Applied': header('The preferences of `Prefer` that were applied.'),
          }),
        },
        problems: [404],
      }),
      delete: operation({
        operationId: 'cancelBatch',
        tag: 'Batches',
        summary: 'Cancel what has not ended of a batch',
        description: 'Finished videos stay.',
        replies: { 204: reply('Cancelled, or ended before.') },
        problems: [404],
      }),
    },
    '/batches/{batch_id}/rows': {
      parameters: [batchId],
      get: operation({
        operationId: 'listBatchRows',
        tag: 'Batches',
        summary: 'List the rows of a batch',
        parameters: [
          query('state', 'Only rows in this state.', { type: 'string', enum: ROW_STATES }),
          query('limit', 'Rows on a page; 20 if absent.', { type: 'integer', minimum: 1, maximum: 100 }),
          query('cursor', 'The `next` of the previous page.', { type: 'string' }),
        ],
        replies: { 200: reply('A page.', json(BATCH_ROWS)) },
        problems: [404, 422],
      }),
    },
    '/batches/{batch_id}/results.csv': {
      parameters: [batchId],
      get: operation({
        operationId: 'getBatchResults',
        tag: 'Batches',
        summary: 'Get the table of a batch with its results',
        description:
          'The columns that were sent, without lists, then `state`, `export_id`, an address for each preset, and `error`.',
        replies: { 200: reply('The table.', textContent('text/csv')) },
        problems: [404],
      }),
    },
    '/batches/{batch_id}/retry': {
      parameters: [batchId],
      post: operation({
        operationId: 'retryBatch',
        tag: 'Batches',
        summary: 'Make the failed and cancelled rows of a batch again',
        replies: { 202: reply('The rows wait.', example) },
        problems: [404, 409, 503],
      }),
    },
  };
}
