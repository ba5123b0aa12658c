import type { CallbackEvent, DeliveryState, ListPlace, RecordedState } from '../../store/records/export-record.ts';
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
  readonly exportId: string;
  readonly externalId: string | null;
  /** The client's own pairs of its export. (C87) */
  readonly metadata: Readonly<Record<string, string>>;
  /** The output of the event; null for the export. */
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

/** An event with the export as it is now. */
export interface EventView extends ListedEventView {
  readonly state: RecordedState;
  /** null if the export was deleted. */
  readonly view: ExportView | null;
  /** Newest first. */
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
