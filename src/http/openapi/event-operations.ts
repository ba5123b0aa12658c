import { CALLBACK_EVENTS } from '../../exports/api/export-view.ts';
import type { WebhookView } from '../../exports/api/webhooks-api.ts';
import { DELIVERIES, EVENT_DETAILS, EVENT_LIST } from '../replies/event-replies.ts';
import { MAX_LISTED } from '../replies/list-query.ts';
import { object, optional, text } from '../replies/schema.ts';
import { WEBHOOK, WEBHOOK_LIST, WEBHOOK_SETTINGS } from '../replies/webhook-replies.ts';
import { operation, type PathItem } from './describe-operation.ts';
import { exportId, header, json, query, reply } from './parts.ts';

export const EXPORT_ID_EXAMPLE = '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
const ID = EXPORT_ID_EXAMPLE;
export const CREATED_AT_MS = Date.UTC(2026, 0, 2, 12);

const REDELIVERY = object<{ readonly event_id: string | undefined }>(
  { event_id: optional(text('The id of an event of this export.')) },
  { name: 'Redelivery', description: 'Which event is sent again.' },
);

const RESEND = object<{ readonly webhook: string | undefined }>(
  { webhook: optional(text('The name of a registered webhook: only to this one.')) },
  { name: 'Resend', description: 'Where an event is sent again.' },
);

const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SHOP: WebhookView = {
  name: 'shop',
  url: 'https://shop.example.com/hooks/tiercut',
  events: ['export.completed', 'export.failed'],
  enabled: true,
  disabledReason: null,
  oldSecretUntilMs: null,
  createdAtMs: CREATED_AT_MS,
  changedAtMs: CREATED_AT_MS,
};

const webhookName = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The name that you choose.',
  schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', examples: ['shop'] },
} as const;

const COMPLETED = {
  id: `${ID}.completed`,
  type: 'export.completed',
  atMs: CREATED_AT_MS,
  exportId: ID,
  batchId: null,
  externalId: 'project-7',
  metadata: { channel: 'snacks' },
  preset: null,
  short: null,
  deliveries: [{ webhook: null, state: 'delivered', attempts: 1, dueAtMs: null }],
} as const;

export const EXAMPLE_EVENTS = EVENT_LIST.write({ events: [COMPLETED], next: null, warnings: [] });

const EXAMPLE_EVENT = EVENT_DETAILS.write({
  ...COMPLETED,
  subject: { state: 'cancelled', view: null },
  tries: [
    {
      ...{ eventId: COMPLETED.id, webhook: null, type: 'export.completed', atMs: CREATED_AT_MS },
      ...{ durationMs: 45, delivered: true, status: 204, reason: null },
    },
  ],
  data: { ok: false, export_id: ID, external_id: 'project-7', metadata: { channel: 'snacks' }, state: 'cancelled' },
});

/** The query of every list of events. */
export function eventListParameters(): object[] {
  return [
    query('type', 'Only events of this type.', { type: 'string', enum: CALLBACK_EVENTS }),
    query('limit', 'Events on a page; 20 if absent.', { type: 'integer', minimum: 1, maximum: MAX_LISTED }),
    query('cursor', 'The `next` of the previous page.', { type: 'string' }),
  ];
}

const eventId = {
  name: 'event_id',
  in: 'path',
  required: true,
  description: 'The `id` of the event: the `webhook-id` of its messages.',
  schema: { type: 'string', examples: [COMPLETED.id] },
} as const;

const FAILING = DELIVERIES.write({
  id: ID,
  state: 'pending',
  nextAtMs: CREATED_AT_MS + 305_000,
  attempts: [
    {
      eventId: `${ID}.completed`,
      webhook: null,
      type: 'export.completed',
      atMs: CREATED_AT_MS + 5000,
      durationMs: 212,
      delivered: false,
      status: 500,
      reason: 'the receiver responded 500',
    },
    {
      eventId: `${ID}.completed`,
      webhook: null,
      type: 'export.completed',
      atMs: CREATED_AT_MS,
      durationMs: 20_001,
      delivered: false,
      status: null,
      reason: 'the receiver took too long',
    },
  ],
});

/** Events and their deliveries. (C41, C93) */
export function eventOperations(): Record<string, PathItem> {
  const answer = { 200: reply('The tries so far.', json(DELIVERIES, { failing: FAILING })) };
  return {
    '/video/exports/{id}/deliveries': {
      parameters: [exportId],
      get: operation({
        operationId: 'listDeliveries',
        tag: 'Callbacks',
        summary: 'List the tries of a webhook',
        replies: answer,
        problems: [404, 406],
      }),
      post: operation({
        operationId: 'redeliver',
        tag: 'Callbacks',
        summary: 'Send a webhook again',
        description:
          'Sends one event again and responds with the result: the event `event_id`, as `POST /events/{event_id}/deliveries` does; without a body, the first event for the `callback_url` that is neither delivered nor given up, otherwise the last one. If this fails, the planned retries remain. The `webhook-id` is that of the earlier tries.',
        requestBody: { required: false, content: json(REDELIVERY, { one: { event_id: `${ID}.completed` } }) },
        replies: answer,
        problems: [404, 406, 408, 409, 413, 422],
      }),
    },
    '/events': {
      get: operation({
        operationId: 'listEvents',
        tag: 'Callbacks',
        summary: 'List what happened to your exports and batches, newest first',
        description:
          'Every event is recorded, with or without a receiver, and kept as long as its export or batch. Pages stay stable while events are added.',
        parameters: eventListParameters(),
        replies: {
          200: reply('A page.', json(EVENT_LIST, { one: EXAMPLE_EVENTS }), {
            Link: header('The URL of the next page, if there is one (`rel="next"`).'),
          }),
        },
        problems: [406, 422],
      }),
    },
    '/events/{event_id}': {
      parameters: [eventId],
      get: operation({
        operationId: 'getEvent',
        tag: 'Callbacks',
        summary: 'Get an event with its deliveries',
        replies: { 200: reply('The event.', json(EVENT_DETAILS, { one: EXAMPLE_EVENT })) },
        problems: [404, 406],
      }),
    },
    '/events/{event_id}/deliveries': {
      parameters: [eventId],
      post: operation({
        operationId: 'resendEvent',
        tag: 'Callbacks',
        summary: 'Send an event again',
        description:
          'Sends it now to every receiver that subscribed to it; if none did, to the `callback_url` of its export. With `webhook`, only to this registered webhook. Responds when the tries have ended. If one fails, the planned retries remain.',
        requestBody: { required: false, content: json(RESEND, { one: { webhook: 'shop' } }) },
        replies: { 200: reply('The event.', json(EVENT_DETAILS, { one: EXAMPLE_EVENT })) },
        problems: [404, 406, 408, 409, 413, 422],
      }),
    },
    '/webhooks': {
      get: operation({
        operationId: 'listWebhooks',
        tag: 'Callbacks',
        summary: 'List your registered webhooks',
        replies: { 200: reply('All of them.', json(WEBHOOK_LIST, { one: WEBHOOK_LIST.write([SHOP]) })) },
      }),
    },
    '/webhooks/{name}': {
      parameters: [webhookName],
      put: operation({
        operationId: 'putWebhook',
        tag: 'Callbacks',
        summary: 'Register a webhook, or replace it',
        description:
          'It receives the events of all your exports from now on, beside the `callback_url` of an export, signed with its own secret. If it responds 410, the service disables it.',
        requestBody: {
          required: true,
          content: json(WEBHOOK_SETTINGS, {
            shop: {
              url: SHOP.url,
              events: ['export.completed', 'export.failed'],
              secret: undefined,
              enabled: undefined,
            },
          }),
        },
        replies: {
          200: reply('It is changed.', json(WEBHOOK, { shop: WEBHOOK.write({ ...SHOP, secret: null }) })),
          201: reply('It is registered.', json(WEBHOOK, { shop: WEBHOOK.write({ ...SHOP, secret: EXAMPLE_SECRET }) }), {
            Location: header('Its path.'),
          }),
        },
        problems: [408, 409, 413, 415, 422],
      }),
      get: operation({
        operationId: 'getWebhook',
        tag: 'Callbacks',
        summary: 'Get a registered webhook',
        replies: { 200: reply('The webhook.', json(WEBHOOK, { shop: WEBHOOK.write({ ...SHOP, secret: null }) })) },
        problems: [404],
      }),
      delete: operation({
        operationId: 'deleteWebhook',
        tag: 'Callbacks',
        summary: 'Delete a registered webhook',
        description: 'Events that wait for it are dropped.',
        replies: { 204: reply('Gone.') },
        problems: [404],
      }),
    },
  };
}
