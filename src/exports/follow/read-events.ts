import type { Database } from '../../store/database.ts';
import type { DeliveryRecords } from '../../store/records/delivery-records.ts';
import {
  type EventDelivery,
  type EventRecords,
  type ListedEvent,
  webhookNameOf,
} from '../../store/records/event-records.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { BatchView } from '../api/batches-api.ts';
import type { EventQuery, EventsApi, EventView, ListedEventView } from '../api/events-api.ts';
import type { ExportView } from '../api/export-view.ts';
import type { WebhookDeliveries } from '../deliver/webhook-deliveries.ts';

interface ReadEventsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'stateOf'>;
  readonly events: Pick<EventRecords, 'list' | 'find' | 'deliveriesOf'>;
  readonly deliveries: Pick<DeliveryRecords, 'list'>;
  readonly webhooks: Pick<WebhookDeliveries, 'resend'>;
  /** null if it was cancelled or removed. */
  readonly view: (id: string) => Promise<ExportView | null>;
  /** null if the tenant has no such batch. */
  readonly batch: (tenant: string, id: string) => Promise<BatchView | null>;
}

/** The events of a tenant, as clients read them. (C93) */
export class ReadEvents implements EventsApi {
  readonly #ports: ReadEventsPorts;

  constructor(ports: ReadEventsPorts) {
    this.#ports = ports;
  }

  async list(tenant: string, { exportId, ...listing }: EventQuery): ReturnType<EventsApi['list']> {
    const { events, database } = this.#ports;
    const { committed } = database;
    // One more than requested shows whether there is a next page.
    const found = await events.list(tenant, exportId, { ...listing, limit: listing.limit + 1 }, committed);
    const shown = found.slice(0, listing.limit);
    const ids = shown.map(({ id }) => id);
    const deliveries = await events.deliveriesOf(ids, committed);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      events: shown.map((event) => ({ ...event, deliveries: (deliveries.get(event.id) ?? []).map(deliveryView) })),
      next: last === undefined ? null : { createdAtMs: last.atMs, id: last.id },
    };
  }

  async find(tenant: string, id: string): Promise<EventView | null> {
    const { events, deliveries, database } = this.#ports;
    const { committed } = database;
    const event = await events.find(tenant, id, committed);
    const subject = event === null ? null : await this.#subject(tenant, event);
    if (event === null || subject === null) return null;
    const receivers = (await events.deliveriesOf([id], committed)).get(id) ?? [];
    const tries = event.exportId === null ? [] : await deliveries.list(event.exportId, id, committed);
    return {
      ...event,
      deliveries: receivers.map(deliveryView),
      subject,
      tries: tries.map(({ receiver, ...one }) => ({ ...one, webhook: webhookNameOf(receiver) })),
    };
  }

  async #subject(tenant: string, { exportId, batchId }: ListedEvent): Promise<EventView['subject'] | null> {
    const { records, database, view, batch: look } = this.#ports;
    if (exportId === null) {
      const batch = batchId === null ? null : await look(tenant, batchId);
      return batch && { batch };
    }
    const state = await records.stateOf(exportId, database.committed);
    return state && { state, view: await view(exportId) };
  }

  async resend(tenant: string, id: string, webhook: string | null, signal: AbortSignal): Promise<EventView | null> {
    const { events, webhooks, database } = this.#ports;
    const event = await events.find(tenant, id, database);
    if (event === null) return null;
    await webhooks.resend(event, webhook, signal);
    return this.find(tenant, id);
  }
}

function deliveryView({ receiver, state, attempts, dueAtMs }: EventDelivery): ListedEventView['deliveries'][number] {
  return { webhook: webhookNameOf(receiver), state, attempts, dueAtMs };
}
