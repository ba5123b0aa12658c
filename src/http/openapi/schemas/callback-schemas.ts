import { CALLBACK_EVENTS } from '../../../exports/api/export-view.ts';
import { type JsonSchema, reference } from '../replies.ts';
import { exportId, object, ok, type PerPreset } from './schema-parts.ts';

/** The body of a webhook, and its deliveries. */
export function callbackSchemas(perPreset: PerPreset): Record<string, JsonSchema> {
  const absolute: JsonSchema = { type: 'string', format: 'uri' };
  const absoluteAddresses: JsonSchema = {
    ...object({
      download_url: { ...absolute, description: 'The video of the selected preset.' },
      downloads: { ...perPreset(absolute), description: 'The video of each preset.' },
      shorts: { type: 'array', items: absolute, description: 'In the order of `shorts`.' },
      hls: { ...perPreset(absolute), description: 'The stream of each preset.' },
      links: { type: 'object', additionalProperties: absolute, description: 'The members of `links`.' },
    }),
    description: 'Every URL of the export, absolute, if `TIERCUT_PUBLIC_URL` is set.',
  };
  return {
    CallbackEvent: {
      type: 'string',
      enum: CALLBACK_EVENTS,
      description: '`export.completed`: the selected preset is ready.',
    },
    Callback: {
      description: 'An event. Throughout 1.x the fields of `data` are also at the top level.',
      allOf: [
        object(
          {
            type: reference('CallbackEvent'),
            timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.' },
            data: reference('CallbackData'),
            preset: { type: 'string', description: 'The preset of the event; absent for a short.' },
            short: { type: 'integer', minimum: 1, description: 'The number of the short of the event.' },
          },
          ['type', 'timestamp', 'data'],
        ),
        reference('CallbackData'),
      ],
    },
    CallbackData: {
      description: 'The current metadata of the export; of a cancelled export only its id and state.',
      anyOf: [
        { allOf: [reference('Export'), { type: 'object', properties: { absolute: absoluteAddresses } }] },
        object({
          ok: { const: false, description: 'false: the export was cancelled.' },
          export_id: exportId,
          external_id: { type: ['string', 'null'], description: 'Your id of the export, from the request.' },
          state: reference('ExportState'),
        }),
      ],
    },
    Deliveries: object({
      ok,
      export_id: exportId,
      callback_state: {
        type: 'string',
        enum: ['none', 'pending', 'delivered', 'given_up'],
        description:
          'The state of the first event that is neither delivered nor given up, otherwise of the last one. `none`: there is no webhook, or no event yet.',
      },
      next_attempt_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the next try is due; null if none is planned.',
      },
      deliveries: { type: 'array', items: reference('Delivery'), description: 'Newest first.' },
    }),
    Delivery: object({
      type: reference('CallbackEvent'),
      at: { type: 'string', format: 'date-time', description: 'When the try started.' },
      duration: { type: 'number', description: 'How long the try took, in seconds.' },
      outcome: { type: 'string', enum: ['delivered', 'failed'], description: 'The result of the try.' },
      status: { type: ['integer', 'null'], description: 'The response status; null without a response.' },
      detail: { type: ['string', 'null'], description: 'The reason why it was not delivered.' },
    }),
  };
}
