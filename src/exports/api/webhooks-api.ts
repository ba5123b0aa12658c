import { ExportError } from '../../errors.ts';
import type { RegisteredWebhook } from '../../store/records/webhook-records.ts';

/** A registered webhook as clients see it; the secret is never shown again. (C96) */
export interface WebhookView extends Omit<RegisteredWebhook, 'secret' | 'oldSecret'> {
  /** Until when the secret before the last change signs too; null if it does not. */
  readonly oldSecretUntilMs: number | null;
}

/** How long both secrets sign after a change. */
export const BOTH_SIGN_MS = 24 * 3_600_000;

/** How many webhooks a tenant can register. */
export const MAX_WEBHOOKS = 10;

/** What HTTP needs of registered webhooks. */
export interface WebhooksApi {
  /** By name. */
  list(tenant: string): Promise<readonly WebhookView[]>;
  /** null if the tenant has none of this name. */
  find(tenant: string, name: string): Promise<WebhookView | null>;
  /**
   * Adds or replaces it. `secret` is null unless one was made, and is shown only here.
   *
   * @param settings the members of the request.
   * @throws ExportError with all errors of the members, `webhook.too_many`
   */
  put(
    tenant: string,
    name: string,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly webhook: WebhookView; readonly secret: string | null; readonly isNew: boolean }>;
  /** False if there is none. */
  remove(tenant: string, name: string): Promise<boolean>;
}

/** The same for unknown webhooks and other tenants'. (H19) */
export function unknownWebhook(): ExportError {
  return new ExportError('missing', 'webhook.unknown', 'There is no registered webhook of this name.');
}
