/** The secrets that sign webhooks. */
export interface WebhookSecrets {
  /** For tenants without a secret of their own. */
  readonly webhookSecret: string | null;
  /** Secrets of single tenants; two of one during a rotation. (C41) */
  readonly webhookSecrets: readonly { readonly tenant: string; readonly secret: string }[];
}

/** The secrets of a tenant: its own, else the common one, else none. */
export function secretsOf(tenant: string, { webhookSecret, webhookSecrets }: WebhookSecrets): string[] {
  const own = webhookSecrets.filter((entry) => entry.tenant === tenant).map(({ secret }) => secret);
  if (own.length > 0) return own;
  return webhookSecret === null ? [] : [webhookSecret];
}
