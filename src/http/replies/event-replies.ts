import type { Issue } from '../../errors.ts';
import { DELIVERY_STATES, type EventView, type ListedEventView } from '../../exports/api/events-api.ts';
import { CALLBACK_EVENTS, type CallbackEvent, type Deliveries, type ListPlace } from '../../exports/api/export-view.ts';
import type { RecordedState } from '../../store/records/export-record.ts';
import { BATCH } from './batch-replies.ts';
import { ABSOLUTE_ADDRESSES, type callbackMetadata, EXPORT, EXPORT_STATE, PAIRS } from './export-replies.ts';
import { cursorOf } from './list-query.ts';
import { WARNINGS } from './problem.ts';
import {
  choice,
  constant,
  EXPORT_ID,
  integer,
  iso,
  isoOrNull,
  list,
  moment,
  named,
  nullable,
  number,
  object,
  of,
  optional,
  SUCCEEDED,
  text,
} from './schema.ts';

export const CALLBACK_EVENT = named<CallbackEvent>('CallbackEvent', {
  type: 'string',
  enum: CALLBACK_EVENTS,
  description:
    '`export.completed`: the selected preset is ready. `batch.completed`: the last row of a batch has ended.',
});

type CallbackData = ReturnType<typeof callbackMetadata> | ReturnType<typeof removedData>;
/** What a webhook about an event has as `data`. */
export type EventData = CallbackData | ReturnType<typeof BATCH.write>;

const CALLBACK_DATA = named<CallbackData>('CallbackData', {
  description: 'The current metadata of the export; of a cancelled export only its id and state.',
  anyOf: [
    {
      allOf: [
        EXPORT,
        {
          type: 'object',
          properties: {
            absolute: ABSOLUTE_ADDRESSES.about('Every URL of the export, absolute, if `TIERCUT_PUBLIC_URL` is set.'),
          },
        },
      ],
    },
    object({
      ok: constant(false, 'false: the export was cancelled.'),
      export_id: EXPORT_ID,
      external_id: nullable(text('Your id of the export, from the request.')),
      metadata: PAIRS,
      state: EXPORT_STATE,
    }),
  ],
});

const EVENT_DATA = named<EventData>('EventData', {
  description: 'The current metadata of the export or, for `batch.completed`, of the batch.',
  anyOf: [CALLBACK_DATA, BATCH],
});

/** What is left to say of an export that was deleted. */
export function removedData(
  { exportId, externalId, metadata }: Pick<ListedEventView, 'exportId' | 'externalId' | 'metadata'>,
  state: RecordedState,
) {
  return { ok: false, export_id: exportId, external_id: externalId, metadata, state } as const;
}

/** The body of a webhook; `exports/deliver` makes it. */
export const CALLBACK = named<unknown>('Callback', {
  description:
    'An event of an export. Throughout 1.x the fields of `data` are also at the top level. That of a batch has `type`, `timestamp` and the batch as `data`.',
  allOf: [
    object({
      type: CALLBACK_EVENT,
      timestamp: moment('When the event happened.'),
      data: CALLBACK_DATA,
      preset: optional(text('The preset of the event; absent for a short.')),
      short: optional(integer('The number of the short of the event.', { minimum: 1 })),
    }),
    CALLBACK_DATA,
  ],
});

const WEBHOOK = nullable(text('The name of the registered webhook; null for the `callback_url` of the export.'));

/** A try, without the address and the signature, because an address may contain a secret. (C41) */
const DELIVERY = of<Deliveries['attempts'][number]>().named('Delivery', 'A try to deliver an event.', {
  event_id: [
    nullable(text('The id of the event; null if an earlier release recorded the try.')),
    ({ eventId }) => eventId,
  ],
  webhook: [WEBHOOK, ({ webhook }) => webhook],
  type: [CALLBACK_EVENT, ({ type }) => type],
  at: [moment('When the try started.'), ({ atMs }) => iso(atMs)],
  duration: [number('How long the try took, in seconds.'), ({ durationMs }) => durationMs / 1000],
  outcome: [
    choice(['delivered', 'failed'], 'The result of the try.'),
    ({ delivered }) => (delivered ? 'delivered' : 'failed'),
  ],
  status: [nullable(integer('The response status; null without a response.')), ({ status }) => status],
  detail: [nullable(text('The reason why it was not delivered.')), ({ reason }) => reason],
});

/** The deliveries of an export's events. */
export const DELIVERIES = of<Deliveries & { readonly id: string }>().named(
  'Deliveries',
  'The deliveries of a webhook.',
  {
    ok: SUCCEEDED,
    export_id: [EXPORT_ID, ({ id }) => id],
    callback_state: [
      choice(
        ['none', 'pending', 'delivered', 'given_up'],
        'The state of the first event that is neither delivered nor given up, otherwise of the last one. `none`: there is no webhook, or no event yet.',
      ),
      ({ state }) => state,
    ],
    next_attempt_at: [
      nullable(moment('When the next try is due; null if none is planned.')),
      ({ nextAtMs }) => isoOrNull(nextAtMs),
    ],
    deliveries: [list(DELIVERY, 'Newest first.'), ({ attempts }) => attempts.map((one) => DELIVERY.write(one))],
  },
);

const EVENT_DELIVERY = of<ListedEventView['deliveries'][number]>().named(
  'EventDelivery',
  'How far the delivery of an event to one receiver is.',
  {
    webhook: [WEBHOOK, ({ webhook }) => webhook],
    state: [
      choice(
        DELIVERY_STATES,
        '`pending`: it is tried, or waits for the event before it. `given_up`: all tries failed, or the receiver responded 410. `dropped`: not sent, because the receiver wants no more events.',
      ),
      ({ state }) => state,
    ],
    attempts: [integer('How often it was tried.', { minimum: 0 }), ({ attempts }) => attempts],
    next_attempt_at: [
      nullable(
        moment('When the next try is due; null if it is under way, waits for the event before it, or has ended.'),
      ),
      ({ dueAtMs }) => isoOrNull(dueAtMs),
    ],
  },
);

const EVENT_FIELDS = of<ListedEventView>().fields({
  id: [text('The `webhook-id` of every message about it.'), ({ id }) => id],
  type: [CALLBACK_EVENT, ({ type }) => type],
  timestamp: [moment('When it happened; later than the event of the same export before it.'), ({ atMs }) => iso(atMs)],
  export_id: [nullable(EXPORT_ID.about('The export; null for an event of a batch.')), ({ exportId }) => exportId],
  batch_id: [
    optional(text('The batch of `batch.completed`.', { format: 'uuid' })),
    ({ batchId }) => batchId ?? undefined,
  ],
  external_id: [nullable(text('Your id of the export, from the request.')), ({ externalId }) => externalId],
  metadata: [PAIRS, ({ metadata }) => metadata],
  preset: [
    optional(text('The preset of the event; absent for a short.')),
    ({ preset, short }) => (short === null ? (preset ?? undefined) : undefined),
  ],
  short: [
    optional(integer('The number of the short of the event.', { minimum: 1 })),
    ({ short }) => short ?? undefined,
  ],
  deliveries: [
    list(EVENT_DELIVERY, 'One for each receiver that subscribed to it; empty if there was none.'),
    ({ deliveries }) => deliveries.map((one) => EVENT_DELIVERY.write(one)),
  ],
});

const EVENT = of<ListedEventView>().named('Event', 'Something that happened to an export or a batch.', EVENT_FIELDS);

/** A page of events. (C93) */
export const EVENT_LIST = of<{
  readonly events: readonly ListedEventView[];
  readonly next: ListPlace | null;
  readonly warnings: readonly Issue[];
}>().named('EventList', 'A page of events.', {
  ok: SUCCEEDED,
  events: [list(EVENT, 'Newest first.'), ({ events }) => events.map((event) => EVENT.write(event))],
  next: [
    nullable(text('The `cursor` of the next page; null if there is none.')),
    ({ next }) => (next === null ? null : cursorOf(next)),
  ],
  warnings: [WARNINGS, ({ warnings }) => warnings],
});

/** An event with the metadata of its export, as a webhook would send it now, and with its tries. (C93) */
export const EVENT_DETAILS = of<EventView & { readonly data: EventData }>().named(
  'EventDetails',
  'An event, the metadata of its export or batch, and all tries to deliver it.',
  {
    ok: SUCCEEDED,
    ...EVENT_FIELDS,
    data: [EVENT_DATA, ({ data }) => data],
    tries: [
      list(DELIVERY, 'Newest first; the last 50 of an export to each receiver are kept, none of a batch.'),
      ({ tries }) => tries.map((one) => DELIVERY.write(one)),
    ],
  },
);
