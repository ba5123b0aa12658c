import { operation, type PathItem } from './operation.ts';
import { exportId } from './parameters.ts';
import { json, reply } from './replies.ts';

const EXAMPLE = {
  ok: true,
  export_id: '6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10',
  callback_state: 'pending',
  next_attempt_at: '2026-01-02T12:05:05.000Z',
  deliveries: [
    {
      type: 'export.completed',
      at: '2026-01-02T12:00:05.000Z',
      duration: 0.212,
      outcome: 'failed',
      status: 500,
      detail: 'the receiver responded 500',
    },
    {
      type: 'export.completed',
      at: '2026-01-02T12:00:00.000Z',
      duration: 20.001,
      outcome: 'failed',
      status: null,
      detail: 'the receiver took too long',
    },
  ],
};

/** The deliveries to a `callback_url`. (C41) */
export function deliveryOperations(): Record<string, PathItem> {
  const answer = { 200: reply('The tries so far.', json('Deliveries', { failing: EXAMPLE })) };
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
          'Sends one event again and responds with the result: the first event that is neither delivered nor given up, otherwise the last one. If this fails, the planned retries remain. The `webhook-id` is that of the earlier tries.',
        replies: answer,
        problems: [404, 406, 409, 422],
      }),
    },
  };
}
