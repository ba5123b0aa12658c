import type { Transaction } from '../database.ts';

/** The counters. Rendered time is in milliseconds, by preset. */
type UsageCounter = 'exports' | 'rendered_ms' | 'bytes_stored' | 'bytes_sent';

interface Used {
  readonly tenant: string;
  readonly counter: UsageCounter;
  readonly amount: number;
  /** For counters by preset. */
  readonly preset?: string;
}

/** The count of one day. */
interface UsageRow {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  readonly counter: UsageCounter;
  /** Empty for counters without presets. */
  readonly preset: string;
  readonly amount: number;
}

/** The UTC day of a time: `2026-01-31`. Days compare as texts. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Adds to a count of the day, in the transaction of the counted work, so that the count is exact. (C74) */
export async function addUsage(
  { tenant, counter, amount, preset }: Used,
  nowMs: number,
  tx: Transaction,
): Promise<void> {
  await tx.query(
    `insert into usage_days (tenant, day, counter, preset, amount) values ($1, $2, $3, $4, $5)
     on conflict (tenant, day, counter, preset) do update set amount = usage_days.amount + excluded.amount`,
    [tenant, dayOf(nowMs), counter, preset ?? '', amount],
  );
}

/** The usage of each tenant, by day. (C74) */
export class UsageRecords {
  /** The usage of a tenant in a range of days, both ends included. */
  list(tenant: string, from: string, to: string, tx: Transaction): Promise<UsageRow[]> {
    const sql = `select day, counter, preset, amount from usage_days
      where tenant = $1 and day >= $2 and day <= $3 order by day, counter, preset`;
    return tx.query<UsageRow>(sql, [tenant, from, to]);
  }

  /** Deletes the days before this one. */
  async forgetBefore(day: string, tx: Transaction): Promise<void> {
    await tx.query('delete from usage_days where day < $1', [day]);
  }
}
