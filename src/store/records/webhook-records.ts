import type { Transaction } from '../database.ts';
import type { CallbackEvent } from './export-record.ts';

/** A webhook that a tenant has registered. (C96) */
export interface RegisteredWebhook {
  /** Chosen by the client; unique per tenant. */
  readonly name: string;
  readonly url: string;
  readonly events: readonly CallbackEvent[];
  readonly secret: string;
  /** The secret before the last change; it signs too until then. */
  readonly oldSecret: { readonly secret: string; readonly untilMs: number } | null;
  readonly enabled: boolean;
  /** Why the service disabled it; null if it did not. */
  readonly disabledReason: string | null;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

interface WebhookRow {
  readonly name: string;
  readonly url: string;
  readonly events: string;
  readonly secret: string;
  readonly enabled: number;
  readonly disabled_reason: string | null;
  readonly created_at_ms: number;
  readonly changed_at_ms: number;
  readonly old_secret: string | null;
  readonly old_secret_until_ms: number | null;
}

const SELECT = `select name, url, events, secret, enabled, disabled_reason, created_at_ms, changed_at_ms, old_secret,
  old_secret_until_ms from webhooks where tenant = $1`;

/** The registered webhooks of tenants. (C96) */
export class WebhookRecords {
  /** By name. */
  async list(tenant: string, tx: Transaction): Promise<RegisteredWebhook[]> {
    return (await tx.query<WebhookRow>(`${SELECT} order by name`, [tenant])).map(webhookOf);
  }

  /** null if the tenant has none of this name. (H19) */
  async find(tenant: string, name: string, tx: Transaction): Promise<RegisteredWebhook | null> {
    const [row] = await tx.query<WebhookRow>(`${SELECT} and name = $2`, [tenant, name]);
    return row === undefined ? null : webhookOf(row);
  }

  /** Adds it, or replaces the one of this name; that keeps the time at which it was created. */
  async put(tenant: string, webhook: RegisteredWebhook, tx: Transaction): Promise<void> {
    const { name, url, events, secret, oldSecret, enabled, disabledReason, createdAtMs, changedAtMs } = webhook;
    await tx.query(
      `insert into webhooks (tenant, name, url, events, secret, enabled, disabled_reason, created_at_ms, changed_at_ms,
         old_secret, old_secret_until_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (tenant, name) do update set url = excluded.url, events = excluded.events, secret = excluded.secret,
         enabled = excluded.enabled, disabled_reason = excluded.disabled_reason, changed_at_ms = excluded.changed_at_ms,
         old_secret = excluded.old_secret, old_secret_until_ms = excluded.old_secret_until_ms`,
      [
        ...[tenant, name, url, JSON.stringify(events), secret],
        ...[enabled ? 1 : 0, disabledReason, createdAtMs, changedAtMs],
        ...[oldSecret?.secret ?? null, oldSecret?.untilMs ?? null],
      ],
    );
  }

  /** False if it was changed since `changedAtMs`, disabled or deleted: then it stays as it is. */
  async disable(
    tenant: string,
    { name, changedAtMs }: Pick<RegisteredWebhook, 'name' | 'changedAtMs'>,
    reason: string,
    nowMs: number,
    tx: Transaction,
  ): Promise<boolean> {
    const disabled = await tx.query(
      `update webhooks set enabled = 0, disabled_reason = $3, changed_at_ms = $4
       where tenant = $1 and name = $2 and enabled = 1 and changed_at_ms = $5 returning name`,
      [tenant, name, reason, nowMs, changedAtMs],
    );
    return disabled.length > 0;
  }

  /** False if there is none. */
  async remove(tenant: string, name: string, tx: Transaction): Promise<boolean> {
    const sql = 'delete from webhooks where tenant = $1 and name = $2 returning name';
    return (await tx.query(sql, [tenant, name])).length > 0;
  }
}

function webhookOf(row: WebhookRow): RegisteredWebhook {
  return {
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events),
    secret: row.secret,
    oldSecret: row.old_secret === null ? null : { secret: row.old_secret, untilMs: row.old_secret_until_ms ?? 0 },
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    createdAtMs: row.created_at_ms,
    changedAtMs: row.changed_at_ms,
  };
}
