import type { CallbackEvent, DeliveryState, ListPlace, RecordedState } from '../../store/records/export-record.ts';
import type { BatchView } from './batches-api.ts';
import type { Deliveries, ExportView } from './export-view.ts';

export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'given_up',
  'dropped',
] as const satisfies readonly DeliveryState[];

/** An event as a list shows it. (C93) */
export interface ListedEventView {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: CallbackEvent;
  readonly atMs: number;
  /** null for an event of a batch. */
  readonly exportId: string | null;
  /** null for an event of an export. */
  readonly batchId: string | null;
  readonly externalId: string | null;
  /** The client's own pairs of its export or batch. (C87) */
  readonly metadata: Readonly<Record<string, string>>;
  /** The output of the event; null for the export or the batch. */
  readonly preset: string | null;
  /** The number of the short of the event; null if it is about none. */
  readonly short: number | null;
  readonly deliveries: readonly {
    /** The name of a registered webhook; null for the `callback_url`. */
    readonly webhook: string | null;
    readonly state: DeliveryState;
    readonly attempts: number;
    readonly dueAtMs: number | null;
  }[];
}

/** What an event is about, as it is now. */
type EventSubject =
  | { readonly state: RecordedState /** null if the export was deleted. */; readonly view: ExportView | null }
  | { readonly batch: BatchView };

/** An event with what it is about. */
export interface EventView extends ListedEventView {
  readonly subject: EventSubject;
  /** Newest first; none for a batch. */
  readonly tries: Deliveries['attempts'];
}

/** A query for events. */
export interface EventQuery {
  /** null for those of all exports. */
  readonly exportId: string | null;
  readonly type: CallbackEvent | null;
  readonly limit: number;
  /** null to start with the newest. */
  readonly after: ListPlace | null;
}

/** What HTTP needs of events. */
export interface EventsApi {
  /** The tenant's events, newest first. */
  list(
    tenant: string,
    query: EventQuery,
  ): Promise<{ readonly events: readonly ListedEventView[]; readonly next: ListPlace | null }>;
  /** null if the tenant has no such event. */
  find(tenant: string, id: string): Promise<EventView | null>;
  /**
   * Sends an event again, now. Resolves when the tries have ended; null if the tenant has no such event.
   *
   * @param webhook only to this registered webhook; null: to all receivers of the event.
   * @throws `callback.none`, `callback.ended`, `callback.busy`, `webhook.unknown`, `webhook.disabled`
   */
  resend(tenant: string, id: string, webhook: string | null, signal: AbortSignal): Promise<EventView | null>;
}
