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
  const answer = { 200: reply('The attempts so far.', json('Deliveries', { failing: EXAMPLE })) };
  return {
    '/video/exports/{id}/deliveries': {
      parameters: [exportId],
      get: operation({
        operationId: 'listDeliveries',
        tag: 'Callbacks',
        summary: 'Lists the attempts of a webhook',
        replies: answer,
        problems: [404, 406],
      }),
      post: operation({
        operationId: 'redeliver',
        tag: 'Callbacks',
        summary: 'Sends a webhook again',
        description:
          'Makes one attempt now and responds when it is over: the first event that is not settled, or else the last one. If it fails, planned retries remain. The `webhook-id` is that of the earlier attempts.',
        replies: answer,
        problems: [404, 406, 409, 422],
      }),
    },
  };
}
