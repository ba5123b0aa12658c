import { inList, type SqlValue, type Transaction } from '../database.ts';
import type { CallbackEvent, DeliveryState, ExportEvent, ListPlace } from './export-record.ts';

/** Where an event is sent: the name of a registered webhook, or this, the `callback_url` of its export. */
export const CALLBACK_URL = '';

/** The name of a registered webhook; null for the `callback_url`. */
export function webhookNameOf(receiver: string): string | null {
  return receiver === CALLBACK_URL ? null : receiver;
}

/** Where the events of an export go. */
interface Callback {
  readonly tenant: string;
  readonly url: string | null;
  readonly types: readonly CallbackEvent[];
  /** Whether its receiver responded that it wants no more events of this export. (C37) */
  readonly ended: boolean;
}

/** An event with what a list of a tenant shows of its export. */
export interface ListedEvent extends ExportEvent {
  /** null for an event of a batch. */
  readonly exportId: string | null;
  /** null for an event of an export. */
  readonly batchId: string | null;
  readonly externalId: string | null;
  /** The client's own pairs of its export or batch. (C87) */
  readonly metadata: Readonly<Record<string, string>>;
  /** The number of the short of the event; null if it is not about one. */
  readonly short: number | null;
}

/** The delivery of an event to one receiver. */
export interface EventDelivery {
  readonly eventId: string;
  readonly receiver: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When the next try is due; null if it waits for the event before it, is due now, or is settled. */
  readonly dueAtMs: number | null;
}

/** A query for events. (C93) */
interface EventListing {
  readonly type: CallbackEvent | null;
  readonly limit: number;
  /** Only events before this place in time; null to start with the newest. */
  readonly after: ListPlace | null;
}

interface EventRow {
  readonly id: string;
  readonly type: CallbackEvent;
  readonly preset: string | null;
  readonly at_ms: number;
  readonly export_id: string | null;
  readonly batch_id: string | null;
  readonly external_id: string | null;
  /** null for a batch, which has its pairs in `fields`. */
  readonly metadata: string | null;
  readonly fields: string | null;
  readonly short_number: number | null;
}

interface DeliveryRow {
  readonly event_id: string;
  readonly receiver: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly due_at_ms: number | null;
}

const SELECT_EVENT = `
  select v.id, v.type, v.preset, v.at_ms, v.export_id, v.batch_id, e.external_id, e.metadata, b.fields, o.short_number
  from events v left join exports e on e.id = v.export_id left join batches b on b.id = v.batch_id
    left join outputs o on o.export_id = v.export_id and o.preset = v.preset`;
const SELECT_DELIVERY = 'select event_id, receiver, state, attempts, due_at_ms from event_receivers';

/**
 * The events of exports and batches, and the queue of each of their receivers. They are deleted with their export or
 * batch, which is what `exportId` of a queue names. (C93)
 */
export class EventRecords {
  /** null if there is no such export. */
  async callbackOf(exportId: string, tx: Transaction): Promise<Callback | null> {
    const [row] = await tx.query<{ tenant: string; url: string | null; types: string; ended: number }>(
      `select tenant, callback_url as url, callback_events as types, callback_ended as ended from exports where id = $1`,
      [exportId],
    );
    return row === undefined ? null : { ...row, types: JSON.parse(row.types), ended: row.ended === 1 };
  }

  /**
   * Adds an event at the end of those of its export. Its time is later than theirs, so that it says their order.
   * An export has no two of the same type and output: the second is left out.
   */
  async add(
    { exportId, tenant }: { readonly exportId: string; readonly tenant: string },
    { type, preset, atMs }: Omit<ExportEvent, 'id'>,
    receivers: ReadonlyMap<string, Extract<DeliveryState, 'pending' | 'dropped'>>,
    tx: Transaction,
  ): Promise<void> {
    const id = eventId(exportId, type, preset);
    const [added] = await tx.query<{ at_ms: number }>(
      `insert into events (id, export_id, tenant, type, preset, at_ms)
       select $1, $2, $3, $4, $5, case when last < $6 then $6 else last + 1 end
       from (select coalesce(max(at_ms), 0) as last from events where export_id = $2) newest
       where true on conflict do nothing returning at_ms`,
      [id, exportId, tenant, type, preset, atMs],
    );
    if (added === undefined) return;
    for (const [receiver, state] of receivers)
      await this.#addReceiver({ id, receiver, state }, exportId, tenant, added.at_ms, tx);
  }

  /** Adds the event that a batch has completed, for these receivers. One that is retried completes again. */
  async addOfBatch(
    { id: batchId, tenant }: { readonly id: string; readonly tenant: string },
    atMs: number,
    receivers: readonly string[],
    tx: Transaction,
  ): Promise<void> {
    const id = `${batchId}.completed.${atMs}`;
    await tx.query(
      `insert into events (id, batch_id, tenant, type, at_ms) values ($1, $2, $3, 'batch.completed', $4)`,
      [id, batchId, tenant, atMs],
    );
    for (const receiver of receivers)
      await this.#addReceiver({ id, receiver, state: 'pending' }, batchId, tenant, atMs, tx);
  }

  async #addReceiver(
    { id, receiver, state }: { readonly id: string; readonly receiver: string; readonly state: DeliveryState },
    of: string,
    tenant: string,
    atMs: number,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into event_receivers (event_id, receiver, export_id, tenant, at_ms, state) values ($1, $2, $3, $4, $5, $6)`,
      [id, receiver, of, tenant, atMs, state],
    );
  }

  /** The event that is to be sent to a receiver next: the oldest that is not settled. null if there is none. */
  async next(exportId: string, receiver: string, tx: Transaction): Promise<ExportEvent | null> {
    const [row] = await tx.query<EventRow>(
      `${SELECT_EVENT} where v.id = (select event_id from event_receivers
         where export_id = $1 and receiver = $2 and state = 'pending' order by at_ms limit 1)`,
      [exportId, receiver],
    );
    return row === undefined ? null : eventOf(row);
  }

  /** The last event that was meant for a receiver; null if there is none. */
  async last(exportId: string, receiver: string, tx: Transaction): Promise<ExportEvent | null> {
    const [row] = await tx.query<EventRow>(
      `${SELECT_EVENT} where v.id = (select event_id from event_receivers
         where export_id = $1 and receiver = $2 order by at_ms desc limit 1)`,
      [exportId, receiver],
    );
    return row === undefined ? null : eventOf(row);
  }

  /** The receivers that have events to come. */
  async waitingReceivers(exportId: string, tx: Transaction): Promise<string[]> {
    const sql = `select distinct receiver from event_receivers where export_id = $1 and state = 'pending'`;
    return (await tx.query<{ receiver: string }>(sql, [exportId])).map(({ receiver }) => receiver);
  }

  /** Records a failed try, and when the next is due. */
  async retry(id: string, receiver: string, dueAtMs: number, tx: Transaction): Promise<void> {
    await tx.query(
      `update event_receivers set attempts = attempts + 1, due_at_ms = $3
       where event_id = $1 and receiver = $2 and state = 'pending'`,
      [id, receiver, dueAtMs],
    );
  }

  /**
   * Records the last try of an event, also of one that was not meant for this receiver. One that is settled can still be
   * delivered. No error if the export was deleted meanwhile.
   */
  async settle(
    id: string,
    receiver: string,
    state: Extract<DeliveryState, 'delivered' | 'given_up'>,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into event_receivers (event_id, receiver, export_id, tenant, at_ms, state, attempts)
       select id, $2, coalesce(export_id, batch_id), tenant, at_ms, $3, 1 from events where id = $1
       on conflict (event_id, receiver) do update set state = excluded.state, due_at_ms = null,
         attempts = event_receivers.attempts + 1
         where event_receivers.state = 'pending' or excluded.state = 'delivered'`,
      [id, receiver, state],
    );
  }

  /** The state of an event at a receiver; null if it was not meant for it. */
  async stateOf(id: string, receiver: string, tx: Transaction): Promise<DeliveryState | null> {
    const sql = 'select state from event_receivers where event_id = $1 and receiver = $2';
    return (await tx.query<{ state: DeliveryState }>(sql, [id, receiver]))[0]?.state ?? null;
  }

  /** Drops the events of an export that wait for a receiver. */
  async dropWaiting(exportId: string, receiver: string, tx: Transaction): Promise<void> {
    await tx.query(
      `update event_receivers set state = 'dropped', due_at_ms = null
       where export_id = $1 and receiver = $2 and state = 'pending'`,
      [exportId, receiver],
    );
  }

  /** Drops the events of all exports that wait for a registered webhook. */
  async dropAllWaiting(tenant: string, webhook: string, tx: Transaction): Promise<void> {
    await tx.query(
      `update event_receivers set state = 'dropped', due_at_ms = null
       where tenant = $1 and receiver = $2 and state = 'pending'`,
      [tenant, webhook],
    );
  }

  /** Sends nothing more of an export to its `callback_url`: events that wait are dropped, and so are later ones. */
  async endCallback(exportId: string, tx: Transaction): Promise<void> {
    await tx.query('update exports set callback_ended = 1 where id = $1', [exportId]);
    await this.dropWaiting(exportId, CALLBACK_URL, tx);
  }

  /** null if there is none, or if it is another tenant's. (H19) */
  async find(tenant: string, id: string, tx: Transaction): Promise<ListedEvent | null> {
    const [row] = await tx.query<EventRow>(`${SELECT_EVENT} where v.id = $1 and v.tenant = $2`, [id, tenant]);
    return row === undefined ? null : listedEventOf(row);
  }

  /** Events of a tenant, newest first; with an export, only of this one. */
  async list(
    tenant: string,
    exportId: string | null,
    { type, limit, after }: EventListing,
    tx: Transaction,
  ): Promise<ListedEvent[]> {
    const values: SqlValue[] = [tenant];
    const given = (value: SqlValue) => `$${values.push(value)}`;
    const wanted = ['tenant = $1'];
    if (exportId !== null) wanted.push(`export_id = ${given(exportId)}`);
    if (type !== null) wanted.push(`type = ${given(type)}`);
    if (after !== null) wanted.push(`(at_ms, id) < (${given(after.createdAtMs)}, ${given(after.id)})`);
    const rows = await tx.query<EventRow>(
      `${SELECT_EVENT} where v.id in (select id from events where ${wanted.join(' and ')}
         order by at_ms desc, id desc limit ${given(limit)})
       order by v.at_ms desc, v.id desc`,
      values,
    );
    return rows.map(listedEventOf);
  }

  /** The deliveries of events, by event; at most `MAX_IN_LIST` ids. */
  async deliveriesOf(ids: readonly string[], tx: Transaction): Promise<ReadonlyMap<string, EventDelivery[]>> {
    if (ids.length === 0) return new Map();
    const { places, parameters } = inList(ids);
    const sql = `${SELECT_DELIVERY} where event_id in (${places}) order by event_id, receiver`;
    const rows = (await tx.query<DeliveryRow>(sql, parameters)).map(deliveryOf);
    return Map.groupBy(rows, (delivery) => delivery.eventId);
  }
}

/** The `webhook-id`. */
function eventId(exportId: string, type: CallbackEvent, preset: string | null): string {
  return preset === null ? `${exportId}.${type.replace('export.', '')}` : `${exportId}.${type}.${preset}`;
}

function eventOf({ id, type, preset, at_ms: atMs }: EventRow): ExportEvent {
  return { id, type, preset, atMs };
}

function listedEventOf(row: EventRow): ListedEvent {
  const { export_id: exportId, batch_id: batchId, external_id: externalId, short_number: short, fields } = row;
  const metadata = JSON.parse(row.metadata ?? (fields === null ? null : JSON.parse(fields).metadata) ?? '{}');
  return { ...eventOf(row), exportId, batchId, externalId, metadata, short };
}

function deliveryOf({ event_id, receiver, state, attempts, due_at_ms }: DeliveryRow): EventDelivery {
  return { eventId: event_id, receiver, state, attempts, dueAtMs: due_at_ms };
}
