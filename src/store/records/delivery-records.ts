import type { Transaction } from '../database.ts';
import type { CallbackEvent } from './export-record.ts';

/** One try at sending an event to a client. (C41) */
export interface Delivery {
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
  readonly type: CallbackEvent;
  readonly at_ms: number;
  readonly duration_ms: number;
  readonly delivered: number;
  readonly status: number | null;
  readonly reason: string | null;
}

/** More than all automatic tries at one event. */
const MAX_KEPT = 50;

/** The tries at deliveries. They are deleted with their export. */
export class DeliveryRecords {
  /** No error if the export was deleted meanwhile. */
  async add(
    exportId: string,
    { type, atMs, durationMs, delivered, status, reason }: Delivery,
    tx: Transaction,
  ): Promise<void> {
    await tx.query(
      `insert into deliveries (export_id, type, at_ms, duration_ms, delivered, status, reason)
       select $1, $2, $3, $4, $5, $6, $7 where exists (select 1 from exports where id = $1)`,
      [exportId, type, atMs, durationMs, delivered ? 1 : 0, status, reason],
    );
    await tx.query(
      `delete from deliveries where export_id = $1 and seq not in (
         select seq from deliveries where export_id = $1 order by seq desc limit $2)`,
      [exportId, MAX_KEPT],
    );
  }

  /** Newest first. */
  async list(exportId: string, tx: Transaction): Promise<Delivery[]> {
    const rows = await tx.query<DeliveryRow>(
      'select type, at_ms, duration_ms, delivered, status, reason from deliveries where export_id = $1 order by seq desc',
      [exportId],
    );
    return rows.map(({ type, at_ms, duration_ms, delivered, status, reason }) => {
      return { type, atMs: at_ms, durationMs: duration_ms, delivered: delivered === 1, status, reason };
    });
  }
}
