import type { Transaction } from '../database.ts';
import type { CallbackEvent } from './export-record.ts';

/** One try at sending an event to a client. (C41) */
export interface Delivery {
  /** null for a try that an earlier release recorded. */
  readonly eventId: string | null;
  /** The name of a registered webhook, or `CALLBACK_URL`. */
  readonly receiver: string;
  readonly type: CallbackEvent;
  readonly atMs: number;
  readonly durationMs: number;
  readonly delivered: boolean;
  /** The response status; null without a response. */
  readonly status: number | null;
  /** Why it was not delivered; null if it was. */
  readonly reason: string | null;
}

interface DeliveryRow {
  readonly event_id: string | null;
  readonly receiver: string;
  readonly type: CallbackEvent;
  readonly at_ms: number;
  readonly duration_ms: number;
  readonly delivered: number;
  readonly status: number | null;
  readonly reason: string | null;
}

/** More than all automatic tries at one event. */
const MAX_KEPT = 50;
const SELECT = 'select event_id, receiver, type, at_ms, duration_ms, delivered, status, reason from deliveries';

/** The tries at deliveries, the last for each receiver. They are deleted with their export. */
export class DeliveryRecords {
  /** No error if the export was deleted meanwhile. */
  async add(
    exportId: string,
    { eventId, receiver, type, atMs, durationMs, delivered, status, reason }: Delivery,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into deliveries (export_id, type, at_ms, duration_ms, delivered, status, reason, event_id, receiver)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9 where exists (select 1 from exports where id = $1)`,
      [exportId, type, atMs, durationMs, delivered ? 1 : 0, status, reason, eventId, receiver],
    );
    await tx.query(
      `delete from deliveries where export_id = $1 and receiver = $2 and seq not in (
         select seq from deliveries where export_id = $1 and receiver = $2 order by seq desc limit $3)`,
      [exportId, receiver, MAX_KEPT],
    );
  }

  /** Newest first; with an event, only those of this one. */
  async list(exportId: string, eventId: string | null, tx: Transaction): Promise<Delivery[]> {
    const sql = `${SELECT} where export_id = $1${eventId === null ? '' : ' and event_id = $2'} order by seq desc`;
    const rows = await tx.query<DeliveryRow>(sql, eventId === null ? [exportId] : [exportId, eventId]);
    return rows.map(({ event_id, receiver, type, at_ms, duration_ms, delivered, status, reason }) => {
      const result = { durationMs: duration_ms, delivered: delivered === 1, status, reason };
      return { eventId: event_id, receiver, type, atMs: at_ms, ...result };
    });
  }
}
